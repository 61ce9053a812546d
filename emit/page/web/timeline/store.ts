import type { Arrows, Lane, Places, Window } from "../source.js";

// A Store has the data to draw: all (WholeStore), or a cache of data from the server (TileStore in tiles.ts).

// Parts are pieces of one lane, adjacent in time, each from a window of its own. One object is reused, so that drawing
// allocates nothing.
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
  // Requests the data of a view. The first threads are requested first.
  request(threads: number[], from: number, to: number, resolution: number): void;
  // Fills `into` with the parts of a lane between two times. Where data have not arrived, there is no part.
  parts(thread: number, from: number, to: number, resolution: number, into: Parts): void;
  // The arrows of the last requested view. The object is replaced when they change.
  arrows(): readonly Arrows[];
  // The number of arrows of the last requested view that the source left out.
  omitted(): number;
  // Whether requested data have not arrived yet.
  waiting(): boolean;
  // The message of the last failure, or "".
  problem(): string;
  // The trace has a new duration. Data up to its old end are out of date.
  grow(duration: number): void;
  // The recording has ended, with this length. All data are out of date.
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
