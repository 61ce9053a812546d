import { messageOf } from "../format.js";
import type { Arrows, Lane, Places, Source, Window } from "../source.js";
import { type Parts, type Store } from "./store.js";
import { bytesOf, emptyLane } from "./window.js";

// TileStore requests the view from a server in tiles: TILE buckets of one lane, at a resolution that is a power of two.
// Coarser tiles are drawn until finer ones arrive. A tile without sums and omissions is exact, and is not requested
// again at a finer resolution.
//
// TileStore has more than 15 fields: tiles and requests change together with each answer, and fields for arrows delay
// their collection.

const TILE = 512;
const MOST_LANES = 32; // per request
const MOST_REQUESTS = 2; // at a time
const ANSWER = 70_000; // wanted characters of an answer, which is parsed between two frames
const MEMORY = 64 << 20;
const GATHERING = 300; // milliseconds between collections of arrows
const PASSING = 90; // milliseconds before a new level is requested: zooming passes through levels
const COARSER = 6; // levels that are searched for a coarser tile

interface Tile {
  lane: Lane;
  places: Places;
  exact: boolean;
  used: number; // clock of its last use
  bytes: number;
  stale: boolean; // the trace has grown since
}

// Batch is a tile for several lanes, made by one request.
interface Batch {
  level: number;
  index: number;
  threads: number[];
  arrows: Arrows | null; // of the answer
  omitted: number;
}

interface Request extends Batch {
  abort: AbortController;
  stale: boolean; // the trace has grown since the request
}

export class TileStore implements Store {
  private readonly tiles = new Map<number, Map<number, Tile>[]>(); // by thread, by level, by index
  private readonly arrowsOf = new Map<string, Batch>(); // by level, index and first thread
  private readonly requests = new Map<string, Request>();
  private queue: Batch[] = [];
  private wanted = { threads: [] as number[], from: 0, to: 0, level: 0 };
  private visible: readonly Arrows[] = [];
  private visibleOmitted = 0;
  private batches: Batch[] = []; // of the visible arrows
  private outdated = false; // the visible arrows
  private gathered = 0; // time of the last collection of arrows
  private gathering = 0;
  private passed = -PASSING; // time of the last change of the level
  private bytes = 0;
  private clock = 0;
  private perLane = 4000; // moving average of the characters of an answer for one lane
  private trouble = "";
  private timer = 0;
  private failures = 0;

  // arrived is called with the threads of new data, or with none if the data concern all.
  constructor(
    private readonly source: Source, private duration: number,
    private readonly arrived: (threads: readonly number[]) => void,
  ) {}

  request(threads: number[], from: number, to: number, resolution: number): void {
    const level = levelOf(resolution), last = this.wanted;
    if (last.level === level && last.from === from && last.to === to && sameNumbers(last.threads, threads)) return;
    const length = TILE * 2 ** level,
      same =
        last.level === level &&
        first(last.from, length) === first(from, length) &&
        first(last.to - 1, length) === first(to - 1, length);
    this.wanted = { threads, from, to, level };
    this.outdated = true;
    if (same && sameNumbers(last.threads, threads)) return;
    this.plan();
    clearTimeout(this.timer);
    const now = performance.now();
    if (level !== last.level && last.threads.length > 0) this.passed = now;
    this.timer = window.setTimeout(
      () => this.send(),
      Math.max(this.requests.size === 0 ? 0 : 40, this.passed + PASSING - now),
    );
  }

  parts(thread: number, from: number, to: number, resolution: number, into: Parts): void {
    into.clear();
    this.clock++;
    const levels = this.tiles.get(thread);
    if (levels) this.fill(levels, levelOf(resolution), Math.max(0, from), Math.min(to, this.duration), into);
  }

  // fill appends the tiles between two times: of the level, else the finest coarser ones, else finer ones.
  private fill(levels: Map<number, Tile>[], level: number, from: number, to: number, into: Parts): void {
    const length = TILE * 2 ** level;
    for (let index = Math.floor(from / length); index * length < to; index++) {
      const start = Math.max(from, index * length), end = Math.min(to, (index + 1) * length);
      const tile = levels[level]?.get(index) ?? this.coarser(levels, level, index);
      if (tile) {
        tile.used = this.clock;
        into.add(tile.lane, tile.places, start, end);
      } else {
        this.finer(levels, level, start, end, into);
      }
    }
  }

  private coarser(levels: Map<number, Tile>[], level: number, index: number): Tile | undefined {
    const highest = Math.max(level + COARSER, levels.length - 1);
    for (let above = level + 1; above <= highest; above++) {
      const tile = levels[above]?.get(Math.floor(index / 2 ** (above - level)));
      if (tile) return tile;
    }
    return undefined;
  }

  private finer(levels: Map<number, Tile>[], level: number, from: number, to: number, into: Parts): void {
    for (let below = level - 1; below >= Math.max(0, level - 2); below--) {
      const length = TILE * 2 ** below, found = levels[below];
      if (!found || found.size === 0) continue;
      for (let index = Math.floor(from / length); index * length < to; index++) {
        const tile = found.get(index);
        if (tile) into.add(tile.lane, tile.places, Math.max(from, index * length), Math.min(to, (index + 1) * length));
      }
      if (into.count > 0) return;
    }
  }

  // arrows returns the arrows of the view. As tiles arrive one by one, they are collected at most every GATHERING
  // milliseconds.
  arrows(): readonly Arrows[] {
    if (!this.outdated) return this.visible;
    const wait = GATHERING - (performance.now() - this.gathered);
    if (wait > 0) {
      clearTimeout(this.gathering);
      this.gathering = window.setTimeout(() => this.arrived([]), wait);
      return this.visible;
    }
    this.outdated = false;
    this.gatherArrows();
    return this.visible;
  }

  omitted(): number {
    return this.visibleOmitted;
  }

  waiting(): boolean {
    return this.queue.length > 0 || this.requests.size > 0;
  }

  problem(): string {
    return this.trouble;
  }

  grow(duration: number): void {
    this.outdate(this.duration);
    this.duration = duration;
  }

  // end requests everything again, as only a complete recording has deadlocks and a critical path.
  end(duration: number): void {
    this.outdate(0);
    this.duration = duration;
    this.arrowsOf.clear();
  }

  // outdate marks tiles that end after a time as stale, and also the running requests.
  private outdate(since: number): void {
    const changes = (level: number, index: number) => (index + 1) * TILE * 2 ** level > since;
    for (const levels of this.tiles.values()) {
      levels.forEach((tiles, level) => {
        for (const [index, tile] of tiles) tile.stale ||= changes(level, index);
      });
    }
    for (const request of this.requests.values()) request.stale ||= changes(request.level, request.index);
    this.wanted.level = -1; // asks again
  }

  close(): void {
    clearTimeout(this.timer);
    clearTimeout(this.gathering);
    for (const request of this.requests.values()) request.abort.abort();
  }

  // plan queues missing tiles: first those in the view, then their neighbours in time.
  private plan(): void {
    const { threads, from, to, level } = this.wanted;
    const length = TILE * 2 ** level, last = Math.max(0, Math.ceil(this.duration / length) - 1);
    const first = Math.max(0, Math.floor(from / length)),
      final = Math.min(last, Math.floor(Math.max(from, to - 1) / length));
    const indexes: number[] = [];
    for (let index = first; index <= final; index++) indexes.push(index);
    const neighbours = [final + 1, first - 1].filter((index) => index >= 0 && index <= last);
    this.queue = [];
    for (const index of [...indexes, ...neighbours]) this.planTile(threads, level, index);
  }

  private planTile(threads: number[], level: number, index: number): void {
    const missing = threads.filter((thread) => this.isMissing(thread, level, index));
    const most = Math.max(1, Math.min(MOST_LANES, Math.floor(ANSWER / this.perLane)));
    for (let at = 0; at < missing.length; at += most) {
      this.queue.push({ level, index, threads: missing.slice(at, at + most), arrows: null, omitted: 0 });
    }
  }

  private isMissing(thread: number, level: number, index: number): boolean {
    const levels = this.tiles.get(thread);
    if (!levels) return true;
    const tile = levels[level]?.get(index);
    if (tile) return tile.stale;
    for (let above = level + 1; above < levels.length; above++) {
      const coarse = levels[above]?.get(Math.floor(index / 2 ** (above - level)));
      if (coarse?.exact && !coarse.stale) return false;
    }
    return true;
  }

  // send requests the first batches of the queue, and aborts requests of other levels.
  private send(): void {
    for (const [key, request] of this.requests) {
      if (request.level !== this.wanted.level) {
        request.abort.abort();
        this.requests.delete(key);
      }
    }
    for (let next = 0; next < this.queue.length && this.requests.size < MOST_REQUESTS; next++) {
      const batch = this.queue[next];
      if (this.isUnderway(batch)) continue;
      this.queue.splice(next--, 1);
      void this.ask({ ...batch, abort: new AbortController(), stale: false });
    }
  }

  private isUnderway(batch: Batch): boolean {
    for (const request of this.requests.values()) {
      if (request.index === batch.index && request.level === batch.level && request.threads.includes(batch.threads[0]))
        return true;
    }
    return false;
  }

  private async ask(request: Request): Promise<void> {
    const key = keyOf(request), length = TILE * 2 ** request.level;
    this.requests.set(key, request);
    const from = request.index * length, to = Math.min(from + length, Math.max(this.duration, 1));
    let came: readonly number[] = [];
    try {
      const window = await this.source.window(
        request.threads, from, to, request.level === 0 ? 0 : 2 ** request.level, request.abort.signal,
      );
      this.trouble = "";
      this.failures = 0;
      this.store(request, window);
      came = request.threads;
    } catch (problem) {
      if (request.abort.signal.aborted) return;
      this.trouble = messageOf(problem);
      this.failures++;
      this.queue = []; // planned again when the view changes, or after a pause
      window.setTimeout(() => this.again(), Math.min(30_000, 1000 * 2 ** this.failures));
    } finally {
      if (this.requests.get(key) === request) this.requests.delete(key);
      this.send();
      this.arrived(came);
    }
  }

  private again(): void {
    this.plan();
    this.send();
  }

  private store(request: Request, window: Window): void {
    const lanes = new Map(window.lanes.map((lane) => [lane.thread, lane]));
    let bytes = 0;
    for (const thread of request.threads) {
      const lane = lanes.get(thread) ?? emptyLane(thread), size = bytesOf(lane);
      bytes += size;
      this.put(thread, request.level, request.index, {
        lane, places: window.places, exact: window.arrowsOmitted === 0 && isExact(lane), used: this.clock, bytes: size,
        stale: request.stale,
      });
    }
    this.perLane = Math.max(200, 0.7 * this.perLane + 0.3 * (bytes / request.threads.length));
    this.arrowsOf.set(keyOf(request), {
      level: request.level, index: request.index, threads: request.threads, arrows: window.arrows,
      omitted: window.arrowsOmitted,
    });
    this.outdated = true;
    this.forget();
  }

  private put(thread: number, level: number, index: number, tile: Tile): void {
    let levels = this.tiles.get(thread);
    if (!levels) this.tiles.set(thread, (levels = []));
    levels[level] ??= new Map();
    this.bytes += tile.bytes - (levels[level].get(index)?.bytes ?? 0);
    levels[level].set(index, tile);
  }

  // forget drops the least recently used tiles when there are too many.
  private forget(): void {
    if (this.bytes <= MEMORY) return;
    const all: { tile: Tile; tiles: Map<number, Tile>; index: number }[] = [];
    for (const levels of this.tiles.values()) {
      levels.forEach((tiles) => tiles.forEach((tile, index) => all.push({ tile, tiles, index })));
    }
    all.sort((a, b) => a.tile.used - b.tile.used);
    for (const { tile, tiles, index } of all) {
      if (this.bytes <= 0.75 * MEMORY) break;
      tiles.delete(index);
      this.bytes -= tile.bytes;
    }
    for (const [key, batch] of this.arrowsOf) {
      if (!this.tiles.get(batch.threads[0])?.[batch.level]?.has(batch.index)) this.arrowsOf.delete(key);
    }
  }

  // gatherArrows collects the arrows of the view: from tiles of its level, and from coarser ones if these are drawn. It
  // replaces the list only if the answers differ.
  private gatherArrows(): void {
    this.gathered = performance.now();
    const { from, to, level, threads } = this.wanted, inView = new Set(threads);
    const batches = [...this.arrowsOf.values()].filter((batch) => {
      const length = TILE * 2 ** batch.level, start = batch.index * length;
      if (start >= to || start + length <= from || batch.level < level || !batch.arrows?.count) return false;
      const wanted = batch.threads.filter((thread) => inView.has(thread));
      return batch.level === level
        ? wanted.length > 0
        : wanted.some((thread) => this.lacks(thread, level, Math.max(from, start), Math.min(to, start + length)));
    });
    if (batches.length === this.batches.length && batches.every((batch, i) => batch === this.batches[i])) return;
    this.batches = batches;
    this.visibleOmitted = batches.reduce((sum, batch) => sum + (batch.level === level ? batch.omitted : 0), 0);
    this.visible = batches.map((batch) => batch.arrows!);
  }

  // lacks reports whether a tile of a level is missing between two times.
  private lacks(thread: number, level: number, from: number, to: number): boolean {
    const tiles = this.tiles.get(thread)?.[level], length = TILE * 2 ** level;
    for (let index = Math.floor(from / length); index * length < to; index++) {
      if (!tiles?.has(index)) return true;
    }
    return false;
  }
}

// levelOf returns the level of a resolution, its exponent of two.
export function levelOf(resolution: number): number {
  return Math.max(0, Math.floor(Math.log2(Math.max(1, resolution))));
}

function isExact(lane: Lane): boolean {
  return (
    lane.mixes.count === 0 && (lane.instants.number === null || lane.instants.number.every((number) => number <= 1))
  );
}

function keyOf(batch: Batch): string {
  return `${batch.level} ${batch.index} ${batch.threads[0]}`;
}

// first returns the index of the tile at a time.
function first(time: number, length: number): number {
  return Math.floor(time / length);
}

function sameNumbers(a: number[], b: number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
