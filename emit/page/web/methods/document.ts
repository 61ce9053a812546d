// MethodsDocument says where the program's time went, as methods.Collector.Extract writes it. Costs are nanoseconds, or
// numbers of samples if these have no time.
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
  base?: { headline: string; all: number }; // the other run of a comparison
  calls?: CallsDocument; // only for a single recording that has single calls
}

// CallsDocument has the longest calls by columns, thread by thread, ordered by entry.
export interface CallsDocument {
  ids: string[]; // of threads
  threads: string[]; // titles
  names: string[]; // of methods
  thread: number[];
  name: number[];
  level: number[]; // the number of calls around it
  begin: number[]; // nanoseconds since the begin of the previous call; for the first one, since the trace's start
  length: number[];
  omitted: number; // shorter calls
}

export interface MethodRow {
  title: string;
  class?: string;
  package: string;
  count: number;
  base: number;
  total: number; // with callees; a call within another one of its kind counts once
  before?: { count: number; base: number; total: number }; // in the other run of a comparison
}

// CallTree has the largest nodes of the call tree by columns. A node follows the one above it.
export interface CallTree {
  names: string[];
  above: number[]; // -1 for none
  name: number[]; // index of names
  self: number[];
  total: number[];
  before?: { self: number[]; total: number[] }; // in the other run of a comparison
}
