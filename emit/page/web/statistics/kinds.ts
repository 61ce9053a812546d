import type { Causes, Distribution } from "../source.js";

// The kinds of time in which a thread does not run. They are never added up: each has other remedies.

export type Kind = keyof Causes;

export interface KindLook {
  kind: Kind;
  // What one interval, several, and their time are called.
  one: string;
  many: string;
  time: string;
  // The kind in full.
  long: string;
  explain: string;
  // The state whose colour it has.
  state: number;
}

export const KINDS: readonly KindLook[] = [
  {
    kind: "blocked", one: "block", many: "Blocks", time: "Blocked", long: "Blocked: waited for a lock",
    explain: "waited to enter a monitor that another thread had", state: 2,
  },
  {
    kind: "waited", one: "wait", many: "Waits", time: "Waited", long: "Waited in Object.wait",
    explain: "in Object.wait, with or without a timeout", state: 1,
  },
  {
    kind: "timed", one: "timed wait", many: "Timed waits", time: "Timed", long: "Timed: the waits with a timeout",
    explain: "in Object.wait with a timeout; these are part of the waits", state: 1,
  },
  {
    kind: "joined", one: "join", many: "Joins", time: "Joined", long: "Joined: waited for the end of a thread",
    explain: "waited for the end of another thread", state: 3,
  },
  {
    kind: "slept", one: "sleep", many: "Sleeps", time: "Slept", long: "Slept in Thread.sleep",
    explain: "in Thread.sleep", state: 4,
  },
];

// NONE is the distribution of no intervals.
export const NONE: Distribution = {
  count: 0, total: 0, min: 0, max: 0, mean: 0, p50: 0, p90: 0, p99: 0, open: 0, bins: [],
};
