import { processesOf } from "../processes.js";
import { type About, BLOCKED, DEADLOCKED, IN_IO, JOINING, PARKED, TIMED_WAITING, WAITING } from "../source.js";

// Rows are the lanes and, with grouping, the headers of groups, from top to bottom. Heights are CSS pixels.

// insetOf is how far the bar of a lane is from the edges of its row.
export function insetOf(row: Row): number {
  return row.bar < LANE_HEIGHT ? 2 : row.bar < 28 ? 4 : 6;
}

// barOf returns the vertical range of the bar of a lane in pixels of the screen, of which a CSS pixel is `ratio` wide.
export function barOf(row: Row, scroll: number, ratio: number): [top: number, bottom: number] {
  const inset = insetOf(row), top = Math.round((row.top - scroll + inset) * ratio);
  return [top, top + Math.round((row.bar - 2 * inset) * ratio)];
}

export const LANE_HEIGHT = 22, TALL_HEIGHT = 32, COMPACT_HEIGHT = 14, HEADER_HEIGHT = 24;

export interface Row {
  thread: number; // its key; 0: a header
  place: number; // of the thread in About.threads
  group: string; // the key of the group
  label: string; // of a header
  members: number[]; // of a header: the keys of its threads
  collapsed: boolean;
  top: number;
  height: number;
  bar: number; // the height without the calls of the thread, which are below its lane
  unfolded: boolean | null; // whether these are shown; null: it has none
}

export class Rows {
  readonly all: Row[] = [];
  readonly height: number;
  readonly centres: Float64Array; // by index: the height at which an arrow meets the row
  private readonly byThread = new Map<number, number>();

  constructor(
    about: About, threads: number[], grouping: boolean, collapsed: Set<string>, readonly laneHeight: number,
    calls: ReadonlyMap<number, number>, unfolded: ReadonlySet<number>, // the heights of calls, by the threads' keys
  ) {
    const places = new Map(about.threads.key.map((key, place) => [key, place]));
    let top = 0;
    const lane = (thread: number, group: string, index: number) => {
      const open = calls.has(thread) ? unfolded.has(thread) : null, height = laneHeight + (open ? calls.get(thread)! : 0);
      this.byThread.set(thread, index);
      this.all.push({
        thread, place: places.get(thread) ?? -1, group, label: "", members: [], collapsed: false, top, height,
        bar: laneHeight, unfolded: open,
      });
      top += height;
    };
    const own = grouping ? [] : threads.filter((thread) => isOfJvm(about, places.get(thread)));
    const folds = own.length > 0 && own.length < threads.length, folded = new Set(folds ? own : []);
    if (!grouping) {
      for (const thread of threads) {
        if (!folded.has(thread)) lane(thread, "", this.all.length);
      }
    }
    if (grouping || folds) {
      const jvm = new Map([[JVM_THREADS, { label: "the JVM's own threads", members: own }]]);
      for (const [key, group] of grouping ? groupsOf(about, threads, places) : jvm) {
        const header = this.all.length, closed = collapsed.has(key);
        this.all.push({
          thread: 0, place: -1, group: key, label: group.label, members: group.members, collapsed: closed, top,
          height: HEADER_HEIGHT, bar: HEADER_HEIGHT, unfolded: null,
        });
        top += HEADER_HEIGHT;
        for (const thread of group.members) {
          if (closed) this.byThread.set(thread, header);
          else lane(thread, key, this.all.length);
        }
      }
    }
    this.height = top;
    this.centres = Float64Array.from(this.all, (row) => row.top + row.bar / 2);
  }

  // at is the index of the row at a height, or of the last one above it; -1 if there is none.
  at(y: number): number {
    let low = 0, high = this.all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.all[middle].top <= y) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  // of is the index of the row where a thread is, its own or the header of its collapsed group; -1 if it is not shown.
  of(thread: number): number {
    return this.byThread.get(thread) ?? -1;
  }
}

// JVM_THREADS is the key of the group of the JVM's own threads, which is there without grouping.
export const JVM_THREADS = "jvm";

const JVM_GROUPS = new Set(["system", "InnocuousThreadGroup", "CarrierThreads"]);

// isOfJvm reports whether a thread is of the JVM and not of the program.
function isOfJvm(about: About, place: number | undefined): boolean {
  const t = about.threads;
  return place !== undefined && JVM_GROUPS.has(t.group[place]);
}

// byInterest sorts threads: the deadlocked first, then those that were held up longest, then those that slept or ran.
export function byInterest(about: About, threads: readonly number[]): number[] {
  const held = new Map(about.threads.key.map((key, place) => {
    const times = about.threads.times[place];
    const sum = (...states: number[]) => states.reduce((total, state) => total + (times[state] ?? 0), 0);
    return [key, [sum(DEADLOCKED), sum(BLOCKED), sum(WAITING, TIMED_WAITING, PARKED, JOINING, IN_IO)]];
  }));
  const compared = (a: number, b: number): number => {
    const [x, y] = [held.get(a) ?? [], held.get(b) ?? []];
    return (y[0] ?? 0) - (x[0] ?? 0) || (y[1] ?? 0) - (x[1] ?? 0) || (y[2] ?? 0) - (x[2] ?? 0);
  };
  return [...threads].sort(compared);
}

interface Group {
  label: string;
  members: number[];
}

function groupsOf(about: About, threads: number[], places: Map<number, number>): Map<string, Group> {
  const groups = new Map<string, Group>(), processes = processesOf(about);
  for (const thread of threads) {
    const place = places.get(thread) ?? -1;
    const name = about.threads.group[place] ?? "", session = about.threads.session[place] ?? 0;
    const key = `${session} ${name}`;
    let group = groups.get(key);
    if (!group) {
      const process = processes?.get(session);
      groups.set(key, (group = { label: (name || "no thread group") + (process ? `, ${process}` : ""), members: [] }));
    }
    group.members.push(thread);
  }
  return groups;
}
