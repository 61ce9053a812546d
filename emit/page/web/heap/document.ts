// HeapDocument is the heap's part of a trace, as page.HeapJSON writes it. Sizes are in bytes, times in nanoseconds since
// the trace's start.
export interface HeapDocument {
  allocations: Allocations;
  dump: Dump | null; // the last one of the trace
}

// Allocations are the recorded allocations, and the garbage collections.
export interface Allocations {
  headline: string;
  remarks: string[] | null;
  facts: {
    sampled: boolean; // figures are estimates
    weighted: boolean; // the number of objects is unknown
    followed: boolean; // it is known which objects live
  };
  classes: AllocationRow[];
  sites: (AllocationRow & { place: string })[];
  samples: { frames: string[]; total: number }[]; // from the outermost call to the class
  omitted?: { [table: string]: number };
  collections: Collections;
}

// AllocationRow is a sum of allocations. Unknown figures are absent.
export interface AllocationRow {
  class: string;
  allocated: Sum;
  live?: Sum;
  freed?: Sum;
  largest?: number;
  age?: { mean: number; max: number }; // in collections
  samples?: number;
  allocatedError?: Sum; // standard error
  liveError?: Sum;
}

export interface Sum {
  count?: number;
  bytes: number;
}

// Collections is a table by columns.
export interface Collections {
  from: number[];
  to: number[];
  paused: number[]; // nanoseconds
  used: number[]; // of the heap, after it; 0: unknown
  total: number[]; // of the heap; 0: unknown
  live: number[]; // of recorded objects, after it
  name: string[];
  pause: boolean[]; // a pause of a collection that may have several
  omitted: number; // further ones
}

// Dump is a heap dump: its classes, and the top of its dominator tree.
export interface Dump {
  headline: string;
  remarks: string[] | null;
  bytes: number; // that roots reach
  classes: ClassRow[];
  classesOmitted?: number;
  nodes: DumpNode[]; // those that retain most, each after the one above it
}

export interface ClassRow {
  class: string;
  count: number;
  bytes: number;
  largest: number;
  retained: number;
}

export interface DumpNode {
  object: string;
  class: string;
  bytes: number;
  retained: number;
  children: number; // objects that it dominates directly
  above: number; // index of its dominator; -1 for none
  path?: RootPath;
}

// RootPath is the shortest path from a root to an object. If it is long, `omitted` steps in the middle are left out.
export interface RootPath {
  root: string;
  steps: { object: string; bytes: number }[];
  omitted?: number;
}
