// MethodsDocument is where the time of the program went, as methods.Collector.Extract writes it. Costs are nanoseconds,
// or numbers of samples that tell no time.
export interface MethodsDocument {
  headline: string;
  remarks: string[] | null;
  counted: "calls" | "samples";
  timed: boolean;
  all: number; // the cost of all
  rows: { [by: string]: MethodRow[] }; // methods, classes, packages: those with the largest base cost
  omitted?: { [by: string]: number };
  tree: CallTree;
  nodes: number; // of the whole tree
  base?: { headline: string; all: number }; // the run that the methods are compared with
  calls?: CallsDocument; // only of a single recording that has single calls
}

// CallsDocument has the longest calls by columns: those of each thread together, in the order of their entries.
export interface CallsDocument {
  ids: string[]; // of threads
  threads: string[]; // titles
  names: string[]; // of methods
  thread: number[];
  name: number[];
  level: number[]; // how many calls are around it
  begin: number[]; // nanoseconds from that of the call before, the first one from the trace's start
  length: number[];
  omitted: number; // shorter calls
}

export interface MethodRow {
  title: string;
  class?: string;
  package: string;
  count: number;
  base: number;
  total: number; // with what was called; a call in another one of its kind counts once
  before?: { count: number; base: number; total: number }; // in the run that is compared
}

// CallTree has the largest nodes of the tree of calls by columns; a node comes after the one above it.
export interface CallTree {
  names: string[];
  above: number[]; // -1: none
  name: number[]; // index of names
  self: number[];
  total: number[];
  before?: { self: number[]; total: number[] }; // in the run that is compared
}
