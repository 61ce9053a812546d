import type { About } from "../source.js";
import { COMPACT_HEIGHT, LANE_HEIGHT, JVM_THREADS, Rows, TALL_HEIGHT } from "./rows.js";

// Arrangement is the choice of threads, their grouping and the height of their lanes, from which Rows are made.
export class Arrangement {
  threads: number[] = []; // keys, from top to bottom
  grouping = false;
  compact = false;
  readonly calls = new Map<number, number>(); // the heights of the calls of threads, by their keys
  readonly unfolded = new Set<number>(); // the threads whose calls are shown
  private readonly collapsed = new Set([JVM_THREADS]); // groups

  constructor(private readonly about: About) {}

  // rows returns the rows for a view of a height in CSS pixels.
  rows(height: number): Rows {
    return new Rows(this.about, this.threads, this.grouping, this.collapsed, this.laneHeight(height), this.calls,
      this.unfolded);
  }

  // laneHeight returns the height of a lane, which is greater for few threads.
  laneHeight(height: number): number {
    if (this.compact) return COMPACT_HEIGHT;
    return Math.max(LANE_HEIGHT, Math.min(TALL_HEIGHT, Math.floor((height - 8) / (this.threads.length + 1))));
  }

  toggleGroup(group: string): void {
    if (!this.collapsed.delete(group)) this.collapsed.add(group);
  }

  toggleCalls(thread: number): void {
    if (!this.unfolded.delete(thread)) this.unfolded.add(thread);
  }

  // hasAll reports whether all threads of the trace are shown.
  get hasAll(): boolean {
    return this.threads.length === this.about.threads.key.length;
  }
}
