import type { Lane, Places, Source } from "../source.js";
import type { Hit } from "./hit.js";
import { firstAt, firstEndingAfter } from "./window.js";

// Finds the activity of a thread at a time, and its next event, whatever is drawn: a server is asked for the lane in
// full detail.

// LaneOf is a lane with the tables that it needs.
export interface LaneOf {
  lane: Lane;
  places: Places;
}

const BUCKETS = 512; // in a window that is searched
const FARTHEST = 1e18;

// laneWith returns a thread's lane around a time, in full detail.
export async function laneWith(source: Source, thread: number, time: number): Promise<LaneOf | null> {
  const at = Math.max(0, Math.floor(time));
  return laneIn(source, thread, at, at + 1, 0);
}

async function laneIn(
  source: Source, thread: number, from: number, to: number, resolution: number,
): Promise<LaneOf | null> {
  const window = source.whole() ?? (await source.window([thread], from, to, resolution));
  const lane = window.lanes.find((one) => one.thread === thread);
  return lane ? { lane, places: window.places } : null;
}

// atTime returns the span at a time, else the sum, else the instant.
export function atTime({ lane, places }: LaneOf, time: number): Hit | null {
  const { spans, mixes, instants } = lane, thread = lane.thread;
  const span = firstEndingAfter(spans.end, spans.count, time);
  if (span < spans.count && spans.start[span] <= time) return { kind: "span", thread, lane, places, row: span };
  const mix = firstEndingAfter(mixes.end, mixes.count, time);
  if (mix < mixes.count && mixes.start[mix] <= time) return { kind: "mix", thread, lane, places, row: mix };
  const instant = firstAt(instants.time, instants.count, time);
  return instant < instants.count && instants.time[instant] <= time + 1
    ? { kind: "instant", thread, lane, places, row: instant }
    : null;
}

// neighbour returns the next span or instant that begins after a time (by > 0), or the last one before it. The searched
// window becomes wider until it has something, and narrower again if that is a sum.
export async function neighbour(
  source: Source, thread: number, time: number, by: number, duration: number,
): Promise<Hit | null> {
  if (source.whole()) {
    const lane = await laneWith(source, thread, time);
    return lane && nearest(lane, time, by, 0, FARTHEST);
  }
  for (let length = BUCKETS, near = time; ; length *= 16) {
    const [from, to] = by > 0 ? [near, Math.min(duration, near + length)] : [Math.max(0, near - length), near + 1];
    const found = await within(source, thread, time, by, from, to);
    if (found) return found;
    if (from <= 0 && by < 0) return null;
    if (to >= duration && by > 0) return null;
  }
}

async function within(
  source: Source, thread: number, time: number, by: number, from: number, to: number,
): Promise<Hit | null> {
  const resolution = 2 ** Math.max(0, Math.ceil(Math.log2((to - from) / BUCKETS)));
  const lane = await laneIn(source, thread, Math.floor(from), Math.ceil(to), resolution <= 1 ? 0 : resolution);
  const hit = lane && nearest(lane, time, by, from, to);
  if (hit?.kind !== "mix") return hit;
  const start = hit.lane.mixes.start[hit.row], end = hit.lane.mixes.end[hit.row];
  return resolution <= 1
    ? hit
    : ((await within(source, thread, time, by, Math.max(start, from), Math.min(end + 1, to))) ?? hit);
}

function nearest({ lane, places }: LaneOf, time: number, by: number, from: number, to: number): Hit | null {
  let best = by > 0 ? Infinity : -Infinity, found: Hit | null = null;
  const search = (kind: "span" | "mix" | "instant", starts: Float64Array, count: number) => {
    const row = by > 0 ? firstAt(starts, count, Math.floor(time) + 1) : firstAt(starts, count, Math.ceil(time)) - 1;
    if (
      row < 0 ||
      row >= count ||
      starts[row] < from ||
      starts[row] > to ||
      (by > 0 ? starts[row] >= best : starts[row] <= best)
    )
      return;
    best = starts[row];
    found = { kind, thread: lane.thread, lane, places, row };
  };
  search("span", lane.spans.start, lane.spans.count);
  search("instant", lane.instants.time, lane.instants.count);
  search("mix", lane.mixes.start, lane.mixes.count);
  return found;
}
