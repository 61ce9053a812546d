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
}

export interface MethodRow {
  title: string;
  class?: string;
  package: string;
  count: number;
  base: number;
  total: number; // with what was called; a call in another one of its kind counts once
}

// CallTree has the largest nodes of the tree of calls by columns; a node comes after the one above it.
export interface CallTree {
  names: string[];
  above: number[]; // -1: none
  name: number[]; // index of names
  self: number[];
  total: number[];
}
