import { call, caller, className, declaredClass, object, placesByKey, threadName } from "./format.js";
import {
  type About, type Lane, type Places, type Source, type ThreadName, type Window, RUNNING,
} from "./source.js";
import { valueOf } from "./timeline/window.js";

// Found is a span: its thread, the event that began it (null of a sum of short ones), and its time.
export interface Found {
  thread: number;
  event: number | null;
  from: number;
  to: number;
}

// Sought is what a span must have. What is undefined may be anything; `text` is a part of a name, in lower case.
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
  // To the longest span that has the first of what is sought that any span has.
  seek: (...sought: Sought[]) => void;
}

const PARTS = 2000; // of the trace: shorter spans of a server are only in sums

// longestSpan returns the longest span that has what is sought, or null.
export async function longestSpan(
  source: Source, about: About, threads: number[] | "all", sought: Sought,
): Promise<Found | null> {
  const window = source.whole()
    ?? (await source.window(threads, 0, about.duration, Math.max(1, Math.ceil(about.duration / PARTS))));
  const shown = threads === "all" ? null : new Set(threads), names = placesByKey(about.threads);
  let best: Found | null = null;
  for (const lane of window.lanes) {
    if (shown && !shown.has(lane.thread)) continue;
    const name = threadName(about.threads, names.get(lane.thread)).toLowerCase();
    const found = longestIn(lane, window, sought, name);
    if (found && (!best || found.to - found.from > best.to - best.from)) best = found;
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
  // a thread that never waited is where it begins
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
  if (sought.otherPlace !== undefined && (other ? call(other) : "") !== sought.otherPlace) return false;
  if (sought.text === undefined) return true;
  return (monitor !== undefined && (object(monitor) + className(monitor[1])).toLowerCase().includes(sought.text))
    || (frame !== undefined && caller(frame).toLowerCase().includes(sought.text));
}

// keysOf returns the keys of the threads that a row of the statistics names; 0 is the unknown one.
export function keysOf(about: About, thread: ThreadName): number[] {
  const { key, id, name, session } = about.threads;
  if (!thread.threadId) return [0];
  return key.filter(
    (_, place) =>
      id[place] === thread.threadId && name[place] === thread.name && session[place] === (thread.session ?? 0),
  );
}
