import {
  type Arrow, type Arrows, type Columns, type Instants, type Lane, type LaneDocument, type Mixes, type Numbers,
  type PathParts, type Spans, type Window, type WindowDocument,
  TIMED_STATES,
} from "../source.js";

// A window arrives as columns of gaps, which are short, and becomes columns of times, to search and draw.

// windowOf makes a window of its document.
export function windowOf(document: WindowDocument): Window {
  return {
    from: document.from, to: document.to, resolution: document.resolution,
    places: { objects: document.objects ?? [], frames: document.frames ?? [], stacks: document.stacks ?? [] },
    lanes: document.lanes.map(laneOf),
    arrows: arrowsOf(document.arrows),
    arrowsOmitted: document.arrowsOmitted ?? 0,
  };
}

// emptyLane returns a lane without activity.
export function emptyLane(thread: number): Lane {
  return laneOf({ thread });
}

function laneOf(lane: LaneDocument): Lane {
  return {
    thread: lane.thread,
    spans: spansOf(lane.spans ?? {}),
    mixes: mixesOf(lane.mixes ?? {}),
    instants: instantsOf(lane.instants ?? {}),
    path: pathOf(lane.path ?? {}),
  };
}

function spansOf(columns: Columns): Spans {
  const count = rowsOf(columns);
  return {
    count, ...timesOf(columns, count),
    state: bytes(columns.state, count), flags: bytes(columns.flags, count),
    event: numbers(columns.event), object: numbers(columns.object), other: numbers(columns.other),
    caller: numbers(columns.caller), otherCaller: numbers(columns.otherCaller), stack: numbers(columns.stack),
    timeout: columns.timeout ? Float64Array.from(columns.timeout) : null,
  };
}

function mixesOf(columns: Columns): Mixes {
  const count = rowsOf({ ...columns, times: undefined });
  const times = columns.times ? Float64Array.from(columns.times) : new Float64Array(TIMED_STATES * count);
  return {
    count, ...timesOf(columns, count), intervals: Uint32Array.from(columns.count ?? new Uint32Array(count)), times,
  };
}

function instantsOf(columns: Columns): Instants {
  const count = rowsOf(columns);
  return {
    count, time: timesOf(columns, count).start, type: bytes(columns.type, count), number: numbers(columns.count),
    event: numbers(columns.event), object: numbers(columns.object), other: numbers(columns.other),
    stack: numbers(columns.stack),
  };
}

function pathOf(columns: Columns): PathParts {
  const count = rowsOf(columns);
  const { start, end } = timesOf(columns, count);
  return {
    count, start, end, time: Float64Array.from(columns.time ?? new Float64Array(count)),
    latency: bytes(columns.latency, count),
  };
}

// arrowsOf sorts arrows by their waits, the longest first, since mostly these are read.
function arrowsOf(columns: Columns = {}): Arrows {
  const count = rowsOf(columns), order = descending(columns.waited ?? new Array<number>(count).fill(0));
  const whole = (column: number[] | undefined) => {
    const table = new Uint32Array(count);
    if (column) for (let row = 0; row < count; row++) table[row] = column[order[row]];
    return table;
  };
  const long = (column: number[] | undefined) => {
    const table = new Float64Array(count);
    if (column) for (let row = 0; row < count; row++) table[row] = column[order[row]];
    return table;
  };
  return {
    count, type: Uint8Array.from(whole(columns.type)), event: whole(columns.event), thread: whole(columns.thread),
    time: long(columns.time), toEvent: whole(columns.toEvent), toThread: whole(columns.toThread),
    toTime: long(columns.toTime), waited: long(columns.waited),
  };
}

// descending returns the order of rows by numbers from 0 on, the greatest first, with a precision of 24 bits. A key is
// a number with its row: sorting keys is several times as fast as sorting rows with a comparison function.
function descending(numbers: number[]): Uint32Array {
  const bits = new Uint32Array(Float32Array.from(numbers).buffer);
  const keys = new Float64Array(numbers.length);
  for (let row = 0; row < keys.length; row++) keys[row] = (0x7fffffff - bits[row]) * KEY_ROWS + row;
  keys.sort();
  const order = new Uint32Array(keys.length);
  for (let place = 0; place < keys.length; place++) order[place] = keys[place] % KEY_ROWS;
  return order;
}

const KEY_ROWS = 2 ** 21;

// arrowAt returns one arrow of a table.
export function arrowAt(arrows: Arrows, row: number): Arrow {
  return {
    type: arrows.type[row], event: arrows.event[row], thread: arrows.thread[row], time: arrows.time[row],
    toEvent: arrows.toEvent[row], toThread: arrows.toThread[row], toTime: arrows.toTime[row],
    waited: arrows.waited[row],
  };
}

// rowsOf returns the number of rows of a table, which all its columns have.
function rowsOf(columns: Columns): number {
  for (const name in columns) {
    const column = columns[name];
    if (column) return column.length;
  }
  return 0;
}

// timesOf adds up gaps and lengths, if any.
function timesOf(columns: Columns, count: number): { start: Float64Array; end: Float64Array } {
  const start = new Float64Array(count), end = columns.length ? new Float64Array(count) : start;
  let time = 0;
  for (let row = 0; row < count; row++) {
    time += columns.gap?.[row] ?? 0;
    start[row] = time;
    time += columns.length?.[row] ?? 0;
    end[row] = time;
  }
  return { start, end };
}

function bytes(column: number[] | undefined, count: number): Uint8Array {
  return column ? Uint8Array.from(column) : new Uint8Array(count);
}

function numbers(column: number[] | undefined): Numbers {
  return column ? Uint32Array.from(column) : null;
}

// valueOf returns a value of a column that may be absent.
export function valueOf(column: Numbers | Float64Array | Uint8Array, row: number): number {
  return column === null ? 0 : column[row];
}

// firstEndingAfter returns the first row that ends after a time. The ends must be ascending.
export function firstEndingAfter(end: Float64Array, count: number, time: number): number {
  let low = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (end[middle] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

// firstAt returns the first row at or after a time.
export function firstAt(times: Float64Array, count: number, time: number): number {
  let low = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}

// bytesOf estimates the memory of a lane.
export function bytesOf(lane: Lane): number {
  return 400 + 46 * lane.spans.count + 68 * lane.mixes.count + 29 * lane.instants.count + 25 * lane.path.count;
}
