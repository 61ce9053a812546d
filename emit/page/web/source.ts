// The data of a trace as the page sees them. Source has two implementations: embedded.ts reads a report, which contains
// all data, and served.ts asks `trcx serve` for windows. The rest of the page works with either.
//
// Times are nanoseconds since the trace's start. A thread is identified by its key and an event by its id, both from 1
// on (0 for none). Objects, frames and stacks are numbered from 1 on within a document (0 for unknown).

import type { HeapDocument } from "./heap/document.js";
import type { MethodsDocument } from "./methods/document.js";

// The codes of states, as in About.states and in spans.
export const RUNNING = 0, WAITING = 1, BLOCKED = 2, JOINING = 3, SLEEPING = 4, DEADLOCKED = 5,
  TIMED_WAITING = 6, PARKED = 7, IN_IO = 8, DEAD = 9;
// The number of states with times of their own (dead has none).
export const TIMED_STATES = 9;

// The codes of interactions, as in About.interactions, instants and arrows.
export const START = 0, JOIN = 1, NOTIFY = 2, NOTIFY_ALL = 3, INTERRUPT = 4, HANDOFF = 5, TIMEOUT = 6;

// The flags of a span. PARK is a wait in LockSupport.park, INIT a wait for the initialization of a class. The three
// bits from IO_SHIFT on are the operation of input or output, an index of About.operations.
export const OPEN = 1, TIMED_OUT = 2, INFERRED = 4, IO_SHIFT = 3, IO_MASK = 7, PARK = 64, INIT = 128;

// About describes a trace as a whole.
export interface About {
  name: string;
  startTime: string; // seconds since 1970, with nanoseconds
  duration: number;
  from: number; // the part that the page is about; all of it unless a part was selected
  to: number;
  events: number;
  truncated: boolean;
  live: boolean; // still being recorded
  traces: string[]; // names of all traces of the server; one without a choice
  resolution: number; // of an embedded trace: shorter intervals are only in sums; 0: all intervals are there
  verdicts: Verdict[]; // worst first
  notes: string[];
  states: StateStyle[]; // by code
  interactions: InteractionStyle[]; // by code
  path: RibbonStyle; // of the critical path
  sessions: { index: number; process: string }[];
  threads: Threads;
  deadlocks: { time: number; threads: number[] }[];
  // Classes of java.util.concurrent by their names in the trace: latch CountDownLatch, and the class for people.
  synchronizers: { [name: string]: { kind: string; class: string } };
  heap: boolean; // the trace has something for the Heap tab
  methods: boolean; // the page has something for the Methods tab
  operations: string[]; // of input and output, by code; 0 is unknown
}

export interface Verdict {
  about: "deadlock" | "finding" | "note";
  text: string;
  remarks: string[];
}

export interface StateStyle {
  name: string;
  label: string;
  light: string;
  dark: string;
  pattern: string;
}

export interface InteractionStyle {
  name: string;
  label: string;
  light: string;
  dark: string;
  dash: number[];
  width: number;
  head: string;
}

export interface RibbonStyle {
  label: string;
  light: string;
  dark: string;
}

// Threads is a table by columns: the nth thread has the nth entry of each.
export interface Threads {
  key: number[];
  id: string[];
  name: string[];
  group: string[];
  session: number[];
  born: number[];
  died: number[]; // -1: lived to the end
  times: number[][]; // nanoseconds by state
  counts: number[][]; // intervals by state
  path: number[]; // nanoseconds on the critical path
  silent: number[]; // keys of threads without events, whose states are unknown
  omitted: number; // further threads of the trace, which are not in this table
}

// Frame is a call: class, method, file ("" if unknown), line (-1 if unknown); for a caller also the library method in
// which the thread was within this call, "" for none, and the calls of the program below it, for people.
export type Frame = [className: string, method: string, file: string, line: number, inner?: string, outer?: string];

// Obj is a monitor or a Thread object: id, class, session.
export type Obj = [id: string, className: string, session: number, lock?: string, lockClass?: string];

// WindowDocument is a window in JSON. Its columns have gaps in place of times. window.ts makes a Window of it.
export interface WindowDocument {
  from: number;
  to: number;
  resolution: number;
  objects?: Obj[];
  frames?: Frame[];
  stacks?: { frames: number[]; omitted?: number }[];
  lanes: LaneDocument[];
  arrows?: Columns;
  arrowsOmitted?: number;
}

export interface LaneDocument {
  thread: number;
  spans?: Columns;
  mixes?: Columns;
  instants?: Columns;
  path?: Columns;
}

// Columns all have the same length. Columns with only zeros are absent.
export type Columns = { [name: string]: number[] | undefined };

// Window is the activity of some threads in a range of time.
export interface Window {
  from: number;
  to: number;
  resolution: number; // shorter intervals are summed up in mixes
  places: Places;
  lanes: Lane[];
  arrows: Arrows;
  arrowsOmitted: number; // further arrows
}

// Places are the tables that the columns of lanes refer to, numbered from 1 on.
export interface Places {
  objects: Obj[];
  frames: Frame[];
  stacks: { frames: number[]; omitted?: number }[];
}

// Lane is the activity of one thread. The rows of each table are in time order and do not overlap.
export interface Lane {
  thread: number;
  spans: Spans;
  mixes: Mixes;
  instants: Instants;
  path: PathParts;
}

// Numbers is a column; null is a column of zeros.
export type Numbers = Uint32Array | null;

// Spans are intervals in one state.
export interface Spans {
  count: number;
  start: Float64Array;
  end: Float64Array;
  state: Uint8Array;
  flags: Uint8Array;
  event: Numbers; // that began it
  object: Numbers; // waited for
  other: Numbers; // owner, or joined thread
  caller: Numbers; // the frame where the thread was
  otherCaller: Numbers; // the frame where the owner was last seen
  stack: Numbers;
  timeout: Float64Array | null; // milliseconds
}

// Mixes are sums of intervals that are too short to be distinguished.
export interface Mixes {
  count: number;
  start: Float64Array;
  end: Float64Array;
  intervals: Uint32Array; // the number summed up
  times: Float64Array; // TIMED_STATES numbers a row
}

// Instants are interactions of a thread with others, and timeouts.
export interface Instants {
  count: number;
  time: Float64Array;
  type: Uint8Array;
  number: Numbers; // number of instants in one row; 0 for 1
  event: Numbers;
  object: Numbers;
  other: Numbers;
  stack: Numbers;
}

// PathParts are the parts of the critical path that run through a thread.
export interface PathParts {
  count: number;
  start: Float64Array;
  end: Float64Array;
  time: Float64Array; // the part's time on the path
  latency: Uint8Array; // 1: the thread had unblocked another one that was not running yet
}

// Arrows is a table of arrows, ordered by the waits that they ended, the longest first. See Arrow.
export interface Arrows {
  count: number;
  type: Uint8Array;
  event: Uint32Array;
  thread: Uint32Array;
  time: Float64Array;
  toEvent: Uint32Array;
  toThread: Uint32Array;
  toTime: Float64Array;
  waited: Float64Array;
}

// Arrow leads from an event to the Running event that it caused.
export interface Arrow {
  type: number;
  event: number;
  thread: number;
  time: number;
  toEvent: number;
  toThread: number;
  toTime: number;
  waited: number; // how long the affected thread had not run
}

// Overview is the time that threads spent in each state, by buckets of the whole trace.
export interface Overview {
  width: number; // of a bucket
  times: number[][]; // by state, by bucket
}

// Detail is an event with its causes and effects.
export interface Detail {
  event: number;
  thread: number;
  time: number;
  type: string;
  state: number; // -1: the event began no state
  length: number;
  object: Obj | null;
  other: number;
  inferred: boolean;
  timeout: number; // milliseconds
  stack: Frame[]; // innermost first
  causes: EventLink[];
  effects: EventLink[];
}

export interface EventLink {
  type: number;
  event: number;
  thread: number;
  time: number;
}

// Distribution describes lengths in nanoseconds. Percentiles are nearest rank.
export interface Distribution {
  count: number;
  total: number;
  min: number;
  max: number;
  mean: number;
  p50: number;
  p90: number;
  p99: number;
  open: number; // the number closed by the end of the trace
  // first, c0, c1, …: ci lengths are in [2^((first+i)/2), 2^((first+i+1)/2)) ns; 0 ns counts as 1 ns.
  bins: number[];
}

export interface Place {
  class: string;
  method: string;
  file: string;
  line: number;
  // The library method in which the thread was within this call: its title, or in the path its class and name.
  in?: string | { class: string; method: string };
  outer?: string; // the calls of the program below it, for people
}

export interface Share {
  count: number;
  total: number;
  max: number;
}

export interface ThreadName {
  threadId: string; // absent for an unknown holder of a monitor
  name: string;
  session?: number; // 0 if absent
}

// Statistics are the times in which threads did not run, by thread, monitor and place. `waited` includes `timed`, the
// waits with a timeout, and `io`; `parked` is a part of `waited` and of `blocked`.
export interface Statistics {
  classes: (Waits & {
    class: string;
    monitors: number;
    threads: number;
  })[];
  sites: SiteStatistics[];
  monitors: (Waits & {
    objectId: string;
    class: string;
    represents?: string; // the class that a java.lang.Class object represents
    session?: number;
    threads: number;
    owners: (ThreadName & Share)[];
  })[];
  pairs: ({ waiter: ThreadName; owner: ThreadName } & Share)[];
  threads: (ThreadName & Causes & { threadKey: number; group: string })[];
  all: Causes;
  omitted?: { [table: string]: number }; // rows left out of each table, with the least times
  hidden?: { [table: string]: { rows: number } }; // rows over the limit, which are counted together
  incomplete?: boolean; // short intervals are only in sums, and not counted
}

// Waits are the times at monitors and similar objects.
export interface Waits {
  blocked: Distribution;
  waited: Distribution;
  timed: Distribution;
  parked: Distribution;
  io: Distribution;
}

export interface Causes extends Waits {
  joined: Distribution;
  slept: Distribution;
}

export interface SiteStatistics extends Place, Causes {
  monitorClass: string;
  monitors: number;
  threads: number;
  holders: (Place & Share)[];
}

// PathDocument is the output of `trcx path --format json`, with the verdict, states' names for people, and omitted. See
// docs/path.md.
export interface PathDocument {
  length: number;
  thread?: PathThread;
  pieces: PathPiece[];
  shares: {
    threads: (PathThread & { time: number; pieces: number })[];
    states: { kind: string; state?: string; name?: string; time: number; pieces: number }[];
    waits: PathWait[];
    callers: { caller?: Place; time: number; pieces: number }[];
  };
  verdict?: string;
  omitted?: { pieces: number; time: number };
}

export interface PathThread {
  threadId: string;
  threadKey: number;
  threadName?: string;
}

// A piece of kind unknown or pause has no thread.
export interface PathPiece extends Partial<PathThread> {
  kind: "segment" | "latency" | "unknown" | "pause" | string;
  state: string;
  name?: string; // of the state, for people
  from: number;
  to: number;
  objectId?: string;
  class?: string;
  represents?: string; // the class that a java.lang.Class object represents
  owner?: PathThread;
  ownerCaller?: Place;
  caller?: Place;
  cause?: number;
  next?: PathThread;
  onCPU?: number; // for a thread that ran, if known
}

export interface PathWait {
  state: string;
  name?: string; // of the state, for people
  objectId?: string;
  class?: string;
  represents?: string;
  session?: number; // the recording of the object's id, unless it is the first one
  time: number;
  count: number;
  longest?: {
    threadId: string;
    threadKey: number;
    threadName?: string;
    time: number;
    owner?: PathThread;
    caller?: Place;
    ownerCaller?: Place;
  };
}

// BlameDocument has the sums of blame, the largest first, as blame.Blame.WriteExtract writes them. Times count from the
// trace's start. States have names for people.
export interface BlameDocument {
  headline: string;
  idle?: string; // a sentence on the idle waits, which are not in the sums
  stillWaiting?: string; // a sentence on the open waits
  openBlocked: number; // the sum of the open waits of the program's threads for locks
  total: number; // of all finished waits
  count: number; // of finished waits
  threads: BlameRow[];
  pools: BlameRow[];
  monitors: BlameGroup[];
  places: BlameGroup[];
  waiters: BlameGroup[];
  open: BlameWait[];
  // From the root on: where threads waited, what for, who is to blame, and what the culprit did.
  samples: { frames: string[]; total: number }[];
  // The second and the minute in which the longest waits ended, if the trace is longer than these.
  worst: { name: string; from: number; to: number; total: number; count: number }[];
  worstThread?: number; // key of the thread that waited longest
}

// BlameRow is the blame of a thread or a pool in a state.
export interface BlameRow {
  threadId?: string;
  threadKey?: number;
  threadName?: string;
  pool?: string;
  kind: "segment" | "latency" | "unknown" | string;
  state?: string;
  total: number;
  count: number; // of waits
}

// BlameGroup is a sum of waits.
export interface BlameGroup {
  total: number;
  count: number;
  longest: BlameWait;
  mostly?: string; // who is to blame for the largest parts
}

export interface BlameWait {
  threadId: string;
  threadKey: number;
  threadName?: string;
  from: number;
  to: number;
  state: string;
  for: string; // the state, and what the thread waited for
  objectId?: string;
  class?: string;
  session?: number;
  place?: string;
}

// Source returns the data of one trace. A promise is rejected with an Error whose message is a sentence for people.
export interface Source {
  // Whether a server has the trace: it may be live, and there may be several.
  readonly served: boolean;
  about(): Promise<About>;
  // The whole trace if the page contains it, else null.
  whole(): Window | null;
  // The activity of threads between two times. With `resolution` 0 nothing is summed up. An embedded source returns the
  // whole trace in its own resolution.
  window(
    threads: number[] | "all", from: number, to: number, resolution: number, signal?: AbortSignal,
  ): Promise<Window>;
  overview(threads: number[] | "all", buckets: number): Promise<Overview>;
  detail(thread: number, event: number): Promise<Detail>;
  // Of the parts of intervals in the window, or without a window of all.
  statistics(threads: number[] | "all", from?: number, to?: number, signal?: AbortSignal): Promise<Statistics>;
  path(): Promise<PathDocument>;
  blame(): Promise<BlameDocument>;
  // Only if About.heap is set.
  heap(): Promise<HeapDocument>;
  // Only if About.methods is set, and not while the trace is live.
  methods(): Promise<MethodsDocument>;
}
