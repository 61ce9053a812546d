import type { Arrows, Lane, Places, Window } from "../source.js";

// A store has what is drawn: all of it (WholeStore), or as much as has come from the server and is still kept
// (TileStore in tiles.ts).

// Parts are pieces of one lane, next to each other in time, each from a window of its own. One object is used again and
// again: drawing allocates nothing.
export class Parts {
  count = 0;
  readonly lanes: Lane[] = [];
  readonly places: Places[] = [];
  readonly from: number[] = [];
  readonly to: number[] = [];

  clear(): void {
    this.count = 0;
  }

  add(lane: Lane, places: Places, from: number, to: number): void {
    this.lanes[this.count] = lane;
    this.places[this.count] = places;
    this.from[this.count] = from;
    this.to[this.count] = to;
    this.count++;
  }
}

export interface Store {
  // Says what is looked at, so that it can be asked for. Threads that come first are asked for first.
  request(threads: number[], from: number, to: number, resolution: number): void;
  // Fills in what there is of a lane between two times; where nothing is there yet, there is no part.
  parts(thread: number, from: number, to: number, resolution: number, into: Parts): void;
  // The arrows there are for what was wanted last. Another object means: others.
  arrows(): readonly Arrows[];
  // How many arrows the source left out of what was wanted last.
  omitted(): number;
  // Whether something wanted has not come yet.
  waiting(): boolean;
  // The sentence that says what went wrong last, or "".
  problem(): string;
  // The trace is longer now: what reached its old end is out of date.
  grow(duration: number): void;
  // The recording has ended, with this length: everything is out of date.
  end(duration: number): void;
  close(): void;
}

// WholeStore has a whole trace.
export class WholeStore implements Store {
  private readonly lanes: Map<number, Lane>;
  private readonly tables: readonly Arrows[];

  constructor(private readonly window: Window) {
    this.tables = [window.arrows];
    this.lanes = new Map(window.lanes.map((lane) => [lane.thread, lane]));
  }

  parts(thread: number, from: number, to: number, _resolution: number, into: Parts): void {
    into.clear();
    const lane = this.lanes.get(thread);
    if (lane) into.add(lane, this.window.places, from, to);
  }

  arrows(): readonly Arrows[] {
    return this.tables;
  }

  omitted(): number {
    return this.window.arrowsOmitted;
  }

  request(): void {}
  grow(): void {}
  end(): void {}
  close(): void {}
  waiting(): boolean {
    return false;
  }
  problem(): string {
    return "";
  }
}
