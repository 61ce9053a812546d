import {
  type Causes, type Distribution, BLOCKED, DEADLOCKED, IN_IO, JOINING, PARKED, SLEEPING, TIMED_WAITING, WAITING,
} from "../source.js";

// The kinds of time in which a thread does not run. They are never added up: each has its own remedies, and some are
// parts of others.

export type Kind = keyof Causes;

export interface KindLook {
  kind: Kind;
  // The words for one interval, for several, and for their time.
  one: string;
  many: string;
  time: string;
  // The kind's full name.
  long: string;
  explain: string;
  // The state with its colour.
  state: number;
  // The states in which threads spend such time.
  states: readonly number[];
}

export const KINDS: readonly KindLook[] = [
  {
    kind: "blocked", one: "block", many: "Blocks", time: "BLOCKED", long: "BLOCKED: waited for a lock",
    explain: "waited for a monitor or another lock that a thread had", state: BLOCKED,
    states: [BLOCKED, DEADLOCKED],
  },
  {
    kind: "waited", one: "wait", many: "Waits", time: "Waited",
    long: "Waited: WAITING, TIMED_WAITING, PARKED and IN I/O",
    explain: "in Object.wait, in a park, or for input or output; with or without a timeout", state: WAITING,
    states: [WAITING, TIMED_WAITING, PARKED, IN_IO],
  },
  {
    kind: "timed", one: "timed wait", many: "Timed waits", time: "TIMED_WAITING",
    long: "TIMED_WAITING: the waits with a timeout",
    explain: "the waits with a timeout; these are part of the waits", state: TIMED_WAITING,
    states: [TIMED_WAITING],
  },
  {
    kind: "parked", one: "park", many: "Parks", time: "PARKED", long: "PARKED: in java.util.concurrent",
    explain: "in LockSupport.park; these are part of the waits, and those for locks of the blocks", state: PARKED,
    states: [PARKED],
  },
  {
    kind: "io", one: "wait for input or output", many: "I/O waits", time: "IN I/O",
    long: "IN I/O: waited for input or output",
    explain: "waited for input or output; these are part of the waits", state: IN_IO, states: [IN_IO],
  },
  {
    kind: "joined", one: "join", many: "Joins", time: "JOINING", long: "JOINING: waited for the end of a thread",
    explain: "waited for the end of another thread", state: JOINING, states: [JOINING],
  },
  {
    kind: "slept", one: "sleep", many: "Sleeps", time: "SLEEPING", long: "SLEEPING: in Thread.sleep",
    explain: "in Thread.sleep", state: SLEEPING, states: [SLEEPING],
  },
];

// PARTS are the kinds that are parts of others.
export const PARTS: readonly Kind[] = ["timed", "parked", "io"];

// NONE is the distribution of no intervals.
export const NONE: Distribution = {
  count: 0, total: 0, min: 0, max: 0, mean: 0, p50: 0, p90: 0, p99: 0, open: 0, bins: [],
};
