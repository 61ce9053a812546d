import { caller, className, declaredClass, object, ownPlace, placesByKey, threadName } from "./format.js";
import {
  type About, type Lane, type Places, type Source, type ThreadName, type Window, RUNNING,
} from "./source.js";
import { valueOf } from "./timeline/window.js";

// Found is a span: its thread, the event that began it (null for a sum of short ones), and its time.
export interface Found {
  thread: number;
  event: number | null;
  from: number;
  to: number;
}

// Sought is what a span must fit. What is undefined fits any. `text` is a part of a name, in lower case.
export interface Sought {
  threads?: readonly number[]; // one of these waited
  states?: readonly number[]; // without them, all but RUNNABLE
  object?: string; // id of the monitor
  className?: string; // of the monitor
  others?: readonly number[]; // one of these was the owner, or the joined thread; 0 is an unknown one
  place?: string; // where the thread was, as caller formats it
  otherPlace?: string; // where the owner was last seen, as call formats it
  text?: string;
}

// Jumps lead to the timeline.
export interface Jumps {
  // To a thread in a range of time.
  to: (thread: number, from: number, to: number) => void;
  // To the longest span for the first choice that any span fits.
  seek: (...sought: Sought[]) => void;
}

// Limits of a request to a server: buckets and lanes. Spans shorter than a bucket are only in sums.
const PARTS = 2000, LANES = 128;

// The numbers of windows in which the trace is searched, first with few, then with shorter buckets.
const SPLITS = [1, 16];

// shortest returns the length of the shortest spans that a server shows for a number of lanes, in nanoseconds.
export function shortest(about: About, lanes: number): number {
  return resolutionOf(about, splitsOf(lanes).at(-1)!);
}

// splitsOf returns the searches for lanes. Many lanes are searched only once, as each search requests all of them.
function splitsOf(lanes: number): readonly number[] {
  return lanes <= 4 * LANES ? SPLITS : SPLITS.slice(0, 1);
}

function resolutionOf(about: About, windows: number): number {
  return Math.max(1, Math.ceil(about.duration / windows / PARTS));
}

// longestSpan returns the longest span that fits, or null.
export async function longestSpan(
  source: Source, about: About, threads: number[] | "all", sought: Sought,
): Promise<Found | null> {
  const whole = source.whole();
  if (whole) return longestOf(whole, about, threads === "all" ? null : new Set(threads), sought);
  const keys = threads === "all" ? about.threads.key : threads, among = sought.threads;
  const lanes = among ? keys.filter((key) => among.includes(key)) : keys;
  for (const windows of splitsOf(lanes.length)) {
    let best: Found | null = null;
    for (let at = 0; at < lanes.length; at += LANES) {
      for (let i = 0; i < windows; i++) {
        const window = await source.window(
          lanes.slice(at, at + LANES), (about.duration * i) / windows, (about.duration * (i + 1)) / windows,
          resolutionOf(about, windows),
        );
        best = longer(best, longestOf(window, about, null, sought));
      }
    }
    if (best) return best;
  }
  return null;
}

function longer(a: Found | null, b: Found | null): Found | null {
  return a && b && b.to - b.from > a.to - a.from ? b : (a ?? b);
}

function longestOf(window: Window, about: About, shown: ReadonlySet<number> | null, sought: Sought): Found | null {
  const names = placesByKey(about.threads);
  let best: Found | null = null;
  for (const lane of window.lanes) {
    if (shown && !shown.has(lane.thread)) continue;
    const name = threadName(about.threads, names.get(lane.thread)).toLowerCase();
    best = longer(best, longestIn(lane, window, sought, name));
  }
  return best;
}

function longestIn(lane: Lane, { places }: Window, sought: Sought, name: string): Found | null {
  if (sought.threads && !sought.threads.includes(lane.thread)) return null;
  const { spans } = lane, named = sought.text !== undefined && name.includes(sought.text);
  let best = -1, length = -1;
  for (let row = 0; row < spans.count; row++) {
    const lasts = spans.end[row] - spans.start[row];
    if (lasts <= length || (spans.state[row] === RUNNING && !sought.states)) continue;
    if (named || has(lane, row, places, sought)) [best, length] = [row, lasts];
  }
  if (best >= 0)
    return { thread: lane.thread, event: valueOf(spans.event, best), from: spans.start[best], to: spans.end[best] };
  // for a thread that never waited, go to its begin
  return named && spans.count > 0 ? { thread: lane.thread, event: null, from: spans.start[0], to: spans.end[0] } : null;
}

function has({ spans }: Lane, row: number, places: Places, sought: Sought): boolean {
  const monitor = places.objects[valueOf(spans.object, row) - 1];
  const frame = places.frames[valueOf(spans.caller, row) - 1];
  const other = places.frames[valueOf(spans.otherCaller, row) - 1];
  if (sought.states && !sought.states.includes(spans.state[row])) return false;
  if (sought.others && !sought.others.includes(valueOf(spans.other, row))) return false;
  if (sought.object !== undefined && monitor?.[0] !== sought.object) return false;
  if (sought.className !== undefined && declaredClass(monitor?.[1] ?? "") !== sought.className) return false;
  if (sought.place !== undefined && (frame ? caller(frame) : "") !== sought.place) return false;
  if (sought.otherPlace !== undefined && (other ? caller(ownPlace(other)) : "") !== sought.otherPlace) return false;
  if (sought.text === undefined) return true;
  return (monitor !== undefined && (object(monitor) + className(monitor[1])).toLowerCase().includes(sought.text))
    || (frame !== undefined && caller(frame).toLowerCase().includes(sought.text));
}

// keysOf returns the keys of the threads named by a row of the statistics; 0 for the unknown thread.
export function keysOf(about: About, thread: ThreadName): number[] {
  const { key, id, name, session } = about.threads;
  if (!thread.threadId) return [0];
  return key.filter(
    (_, place) =>
      id[place] === thread.threadId && name[place] === thread.name && session[place] === (thread.session ?? 0),
  );
}
