import {
  type Causes, type Distribution, type Frame, type Lane, type Obj, type Place, type Places, type Share,
  type SiteStatistics, type Statistics, type ThreadName, type Threads, type Waits, BLOCKED, DEADLOCKED, IN_IO,
  JOINING, OPEN, PARK, PARKED, RUNNING, SLEEPING, TIMED_WAITING, WAITING,
} from "../source.js";
import { ownPlace, placesByKey } from "../format.js";
import { valueOf } from "../timeline/window.js";

// The statistics of a report's spans, computed like analyze/contention does. A report has no server, and its statistics
// can be narrowed to any threads and to the timeline's window, so they cannot be computed in advance. Go computes the
// statistics of a served page, and of all threads in a report with sums.
//
// A deadlocked thread is blocked. Kinds are never added up; only waits with a timeout count twice, as timed and waited.

type Kind = keyof Causes;
const KINDS: Kind[] = ["blocked", "waited", "timed", "parked", "io", "joined", "slept"];

// statisticsOf counts the spans of lanes: all, or the parts of them in a window, as trcx serve does.
export function statisticsOf(lanes: Lane[], places: Places, threads: Threads, from = 0, to = Infinity): Statistics {
  const counter = new Counter(places, threads, from, to);
  for (const lane of lanes) {
    counter.enter(lane);
    for (let row = 0; row < lane.spans.count; row++) {
      const begin = lane.spans.start[row];
      if (begin < to && (begin >= from || lane.spans.end[row] > from)) counter.add(lane, row);
    }
  }
  return counter.statistics();
}

// Lengths collects the lengths of one kind in one row of a table.
class Lengths {
  private readonly all: number[] = [];
  private open = 0;

  add(length: number, open: boolean): void {
    this.all.push(length);
    if (open) this.open++;
  }

  distribution(): Distribution {
    const sorted = Float64Array.from(this.all).sort(), count = sorted.length;
    if (count === 0) return { count: 0, total: 0, min: 0, max: 0, mean: 0, p50: 0, p90: 0, p99: 0, open: 0, bins: [] };
    const total = sorted.reduce((sum, length) => sum + length, 0);
    const percentile = (percent: number) => sorted[Math.max(0, Math.ceil((percent / 100) * count) - 1)];
    return {
      count, total, min: sorted[0], max: sorted[count - 1], mean: Math.round(total / count), p50: percentile(50),
      p90: percentile(90), p99: percentile(99), open: this.open, bins: binsOf(sorted),
    };
  }
}

// binsOf counts sorted lengths by half powers of two.
function binsOf(sorted: Float64Array): number[] {
  const binOf = (length: number) => Math.floor(2 * Math.log2(Math.max(1, length)) + 1e-9);
  const first = binOf(sorted[0]), last = binOf(sorted[sorted.length - 1]);
  const bins = new Array<number>(last - first + 2).fill(0);
  bins[0] = first;
  for (const length of sorted) bins[1 + binOf(length) - first]++;
  return bins;
}

// Row has the figures of all tables: lengths by kind, and the threads and monitors counted.
class Row {
  private readonly lengths = Object.fromEntries(KINDS.map((kind) => [kind, new Lengths()])) as Record<Kind, Lengths>;
  readonly threads = new Set<number>();
  readonly monitors = new Set<string>();

  add(kinds: readonly Kind[], length: number, open: boolean): void {
    for (const kind of kinds) this.lengths[kind].add(length, open);
  }

  of(kind: Kind): Distribution {
    return this.lengths[kind].distribution();
  }

  causes(): Causes {
    return { ...this.atMonitors(), joined: this.of("joined"), slept: this.of("slept") };
  }

  atMonitors(): Waits {
    return {
      blocked: this.of("blocked"), waited: this.of("waited"), timed: this.of("timed"), parked: this.of("parked"),
      io: this.of("io"),
    };
  }
}

// Table has rows by key, in the order first seen.
class Table<What> {
  readonly rows = new Map<string, { row: Row; what: What }>();

  at(key: string, describe: () => What): Row {
    let found = this.rows.get(key);
    if (!found) this.rows.set(key, (found = { row: new Row(), what: describe() }));
    return found.row;
  }

  map<Result>(make: (row: Row, what: What, key: string) => Result): Result[] {
    return [...this.rows].map(([key, { row, what }]) => make(row, what, key));
  }
}

// Shares count lengths by key, below a row of another table.
class Shares<What> {
  private readonly below = new Map<string, Map<string, Share & { what: What }>>();

  add(row: string, key: string, length: number, describe: () => What): void {
    let shares = this.below.get(row);
    if (!shares) this.below.set(row, (shares = new Map()));
    let share = shares.get(key);
    if (!share) shares.set(key, (share = { count: 0, total: 0, max: 0, what: describe() }));
    share.count++;
    share.total += length;
    share.max = Math.max(share.max, length);
  }

  // of returns the shares by descending totals.
  of(row: string): (What & Share)[] {
    const shares = [...(this.below.get(row)?.values() ?? [])].sort((a, b) => b.total - a.total);
    return shares.map(({ what, count, total, max }) => ({ ...what, count, total, max }));
  }
}

class Counter {
  private readonly all = new Row();
  private readonly byThread = new Table<number>();
  private readonly byClass = new Table<string>();
  private readonly byMonitor = new Table<Obj>();
  private readonly bySite = new Table<Place & { monitorClass: string }>();
  private readonly owners = new Shares<ThreadName>();
  private readonly holders = new Shares<Place>();
  private readonly pairs = new Shares<{ waiter: ThreadName; owner: ThreadName }>();
  private readonly placeOf: Map<number, number>;

  constructor(
    private readonly places: Places, private readonly threads: Threads, private readonly from: number,
    private readonly to: number,
  ) {
    this.placeOf = placesByKey(threads);
  }

  // enter makes a row for the thread, even if it always runs.
  enter(lane: Lane): void {
    this.byThread.at(String(lane.thread), () => lane.thread);
  }

  add(lane: Lane, row: number): void {
    const { spans, thread } = lane;
    const kinds = kindsOf(spans.state[row], valueOf(spans.timeout, row), spans.flags[row]), kind = kinds[0];
    if (!kind) return;
    const end = Math.min(spans.end[row], this.to), length = end - Math.max(spans.start[row], this.from);
    const open = (spans.flags[row] & OPEN) !== 0 && end === spans.end[row];
    this.all.add(kinds, length, open);
    this.byThread.at(String(thread), () => thread).add(kinds, length, open);
    const object = this.places.objects[valueOf(spans.object, row) - 1];
    const monitor = kind === "joined" || kind === "slept" ? undefined : object;
    const rows = [this.classRow(monitor), this.monitorRow(monitor)];
    const frame = this.places.frames[valueOf(spans.caller, row) - 1];
    const siteKey = frame ? keyOf(frame, object?.[1] ?? "", kind) : "";
    if (frame) rows.push(this.bySite.at(siteKey, () => ({ ...placeOf(frame), monitorClass: object?.[1] ?? "" })));
    for (const counted of rows) {
      if (!counted) continue;
      counted.add(kinds, length, open);
      counted.threads.add(thread);
      if (monitor) counted.monitors.add(monitorKey(monitor));
    }
    if (kind === "blocked") this.addOwner(lane, row, length, monitor, siteKey);
  }

  private addOwner(lane: Lane, row: number, length: number, monitor: Obj | undefined, siteKey: string): void {
    const owner = valueOf(lane.spans.other, row), held = this.places.frames[valueOf(lane.spans.otherCaller, row) - 1];
    if (monitor && owner) {
      this.owners.add(monitorKey(monitor), String(owner), length, () => this.nameOf(owner));
      this.pairs.add("", `${lane.thread} ${owner}`, length, () => ({
        waiter: this.nameOf(lane.thread), owner: this.nameOf(owner),
      }));
    }
    if (!siteKey || !held) return;
    const at = ownPlace(held);
    this.holders.add(siteKey, keyOf(at, "", "blocked"), length, () => placeOf(at));
  }

  private classRow(monitor: Obj | undefined): Row | undefined {
    return monitor && this.byClass.at(monitor[1], () => monitor[1]);
  }

  private monitorRow(monitor: Obj | undefined): Row | undefined {
    return monitor && this.byMonitor.at(monitorKey(monitor), () => monitor);
  }

  private nameOf(thread: number): ThreadName {
    const place = this.placeOf.get(thread) ?? -1;
    return {
      threadId: this.threads.id[place] ?? "", name: this.threads.name[place] ?? "",
      session: this.threads.session[place] ?? 0,
    };
  }

  statistics(): Statistics {
    return {
      all: this.all.causes(),
      threads: this.byThread.map((row, thread) => ({
        ...this.nameOf(thread), threadKey: thread, group: this.threads.group[this.placeOf.get(thread) ?? -1] ?? "",
        ...row.causes(),
      })),
      classes: this.byClass.map((row, name) => ({
        class: name, ...row.atMonitors(), monitors: row.monitors.size, threads: row.threads.size,
      })),
      monitors: this.byMonitor.map((row, monitor, key) => ({
        objectId: monitor[0], class: monitor[1], session: monitor[2], ...row.atMonitors(), threads: row.threads.size,
        owners: this.owners.of(key),
      })),
      sites: this.bySite.map((row, site, key): SiteStatistics => ({
        ...site, ...row.causes(), monitors: row.monitors.size, threads: row.threads.size, holders: this.holders.of(key),
      })),
      pairs: this.pairs.of(""),
    };
  }
}

// kindsOf returns the kinds of a span, first the kind that includes the others; none if the thread ran.
function kindsOf(state: number, timeout: number, flags: number): Kind[] {
  const kinds = wholeKindOf(state);
  if (kinds[0] === "waited" && (timeout > 0 || state === TIMED_WAITING)) kinds.push("timed");
  if (state === IN_IO) kinds.push("io");
  else if ((flags & PARK) !== 0) kinds.push("parked");
  return kinds;
}

function wholeKindOf(state: number): Kind[] {
  switch (state) {
    case BLOCKED: case DEADLOCKED: return ["blocked"];
    case WAITING: case TIMED_WAITING: case PARKED: case IN_IO: return ["waited"];
    case JOINING: return ["joined"];
    case SLEEPING: return ["slept"];
    case RUNNING: default: return [];
  }
}

function placeOf(frame: Frame): Place {
  const place: Place = { class: frame[0], method: frame[1], file: frame[2], line: Math.max(0, frame[3]) };
  if (frame[4]) place.in = frame[4];
  if (frame[5]) place.outer = frame[5];
  return place;
}

// keyOf returns the identity of a site: blocks and waits at monitors share one, joins and sleeps have their own.
function keyOf(frame: Frame, monitorClass: string, kind: Kind): string {
  return JSON.stringify([
    frame[0], frame[1], frame[3], frame[4] ?? "", frame[5] ?? "", monitorClass,
    kind === "joined" || kind === "slept" ? kind : "",
  ]);
}

function monitorKey(monitor: Obj): string {
  return JSON.stringify(monitor);
}
