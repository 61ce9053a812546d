import {
  type About, type Arrow, type Arrows, type BlameDocument, type Detail, type EventLink, type Frame, type Lane,
  type Overview, type PathDocument, type Places, type Source, type Statistics, type Window, type WindowDocument,
  INFERRED, TIMED_STATES,
} from "./source.js";
import type { HeapDocument } from "./heap/document.js";
import type { MethodsDocument } from "./methods/document.js";
import { statisticsOf } from "./statistics/compute.js";
import { arrowAt, valueOf, windowOf } from "./timeline/window.js";

// A report has the trace in script elements, which are parsed at their first use.

// hasEmbeddedTrace reports whether the page is a report.
export function hasEmbeddedTrace(): boolean {
  return document.getElementById("window") !== null;
}

export function embeddedSource(): Source {
  return new Embedded();
}

// The event types of states and interactions, by code.
const stateTypes = [
  "TRCThreadRunningEvent", "TRCThreadWaitingForObjectEvent", "TRCThreadWaitingForLockEvent",
  "TRCThreadWaitingForJoinEvent", "TRCThreadSleepingEvent", "TRCThreadWaitingForLockEvent",
  "TRCThreadWaitingForObjectEvent", "TRCThreadWaitingForObjectEvent", "TRCThreadWaitingForObjectEvent",
  "TRCThreadDeadEvent",
];
const interactionTypes = [
  "TRCThreadStartsThreadEvent", "TRCThreadDeadAndNotifyJoinedEvent", "TRCThreadNotifyEvent", "TRCThreadNotifyAllEvent",
  "TRCThreadInterruptThreadEvent", "TRCThreadHandoffLockEvent", "TRCThreadWaitTimeoutExceedEvent",
];

class Embedded implements Source {
  readonly served = false;
  private known: About | null = null;
  private saved: Statistics | null = null; // of all threads
  private everything: Window | null = null;
  private byThread: Map<number, Lane> | null = null;
  private causes: Map<number, Arrow[]> | null = null; // by effect
  private effects: Map<number, Arrow[]> | null = null; // by cause

  async about(): Promise<About> {
    return this.aboutNow();
  }

  whole(): Window {
    return (this.everything ??= windowOf(read<WindowDocument>("window")));
  }

  async window(): Promise<Window> {
    return this.whole();
  }

  async overview(threads: number[] | "all", buckets: number): Promise<Overview> {
    return overviewOf(this.lanes(threads), this.aboutNow().duration, buckets);
  }

  async detail(thread: number, event: number): Promise<Detail> {
    const lane = this.lanesByThread().get(thread);
    const found = lane && (this.ofSpan(lane, event) ?? this.ofInstant(lane, event) ?? this.ofArrow(thread, event));
    if (!found)
      throw new Error(
        "This page has no details of the event: it is too short and only there in sums. trcx serve has them.",
      );
    return found;
  }

  async statistics(threads: number[] | "all", from?: number, to?: number): Promise<Statistics> {
    if (threads === "all" && from === undefined) return (this.saved ??= read<Statistics>("statistics"));
    const statistics = statisticsOf(this.lanes(threads), this.whole().places, this.aboutNow().threads, from, to);
    if (this.aboutNow().resolution > 0) statistics.incomplete = true;
    return statistics;
  }

  async path(): Promise<PathDocument> {
    return read("path");
  }

  async blame(): Promise<BlameDocument> {
    return read("blame");
  }

  async heap(): Promise<HeapDocument> {
    return read("heap");
  }

  async methods(): Promise<MethodsDocument> {
    return read("methods");
  }

  private aboutNow(): About {
    return (this.known ??= read<About>("about"));
  }

  private lanes(threads: number[] | "all"): Lane[] {
    if (threads === "all") return this.whole().lanes;
    return threads.map((thread) => this.lanesByThread().get(thread)).filter((lane): lane is Lane => lane !== undefined);
  }

  private lanesByThread(): Map<number, Lane> {
    return (this.byThread ??= new Map(this.whole().lanes.map((lane) => [lane.thread, lane])));
  }

  private ofSpan(lane: Lane, event: number): Detail | null {
    const { spans } = lane, row = spans.event?.indexOf(event) ?? -1;
    if (row < 0) return null;
    const places = this.whole().places, state = spans.state[row];
    return {
      ...this.links(event), event, thread: lane.thread, time: spans.start[row], type: stateTypes[state], state,
      length: spans.end[row] - spans.start[row], object: places.objects[valueOf(spans.object, row) - 1] ?? null,
      other: valueOf(spans.other, row), inferred: (spans.flags[row] & INFERRED) !== 0,
      timeout: valueOf(spans.timeout, row), stack: stackOf(places, valueOf(spans.stack, row)),
    };
  }

  private ofInstant(lane: Lane, event: number): Detail | null {
    const { instants } = lane, row = instants.event?.indexOf(event) ?? -1;
    if (row < 0) return null;
    const places = this.whole().places;
    return {
      ...bare, ...this.links(event), event, thread: lane.thread, time: instants.time[row],
      type: interactionTypes[instants.type[row]] ?? "",
      object: places.objects[valueOf(instants.object, row) - 1] ?? null, other: valueOf(instants.other, row),
      stack: stackOf(places, valueOf(instants.stack, row)),
    };
  }

  // ofArrow returns an event that is only in sums, but is one end of an arrow.
  private ofArrow(thread: number, event: number): Detail | null {
    const links = this.links(event);
    const out = this.effects?.get(event)?.[0], into = this.causes?.get(event)?.[0];
    if (out?.thread === thread)
      return { ...bare, ...links, event, thread, time: out.time, type: interactionTypes[out.type] ?? "" };
    if (into?.toThread === thread)
      return { ...bare, ...links, event, thread, time: into.toTime, type: stateTypes[0], state: 0 };
    return null;
  }

  private links(event: number): { causes: EventLink[]; effects: EventLink[] } {
    this.causes ??= grouped(this.whole().arrows, this.whole().arrows.toEvent);
    this.effects ??= grouped(this.whole().arrows, this.whole().arrows.event);
    return {
      causes: (this.causes.get(event) ?? []).map(({ type, event, thread, time }) => ({ type, event, thread, time })),
      effects: (this.effects.get(event) ?? []).map(({ type, toEvent, toThread, toTime }) => ({
        type, event: toEvent, thread: toThread, time: toTime,
      })),
    };
  }
}

const bare = { state: -1, length: 0, object: null, other: 0, inferred: false, timeout: 0, stack: [] as Frame[] };

function read<Document>(id: string): Document {
  const text = document.getElementById(id)?.textContent;
  if (!text) throw new Error(`This page is incomplete: it has no ${id}.`);
  return JSON.parse(text) as Document;
}

function stackOf(places: Places, stack: number): Frame[] {
  const frames = places.stacks[stack - 1]?.frames ?? [];
  return frames.map((frame) => places.frames[frame - 1]).filter((frame): frame is Frame => frame !== undefined);
}

function grouped(arrows: Arrows, keys: Uint32Array): Map<number, Arrow[]> {
  const groups = new Map<number, Arrow[]>();
  for (let row = 0; row < arrows.count; row++) {
    const group = groups.get(keys[row]);
    if (group) group.push(arrowAt(arrows, row));
    else groups.set(keys[row], [arrowAt(arrows, row)]);
  }
  return groups;
}

// overviewOf adds up what lanes did in each bucket.
export function overviewOf(lanes: Lane[], duration: number, buckets: number): Overview {
  const width = Math.max(1, duration / buckets);
  const times = Array.from({ length: TIMED_STATES }, () => new Array<number>(buckets).fill(0));
  for (const { spans, mixes } of lanes) {
    for (let row = 0; row < spans.count; row++)
      spread(times[spans.state[row]], width, spans.start[row], spans.end[row], 1);
    for (let row = 0; row < mixes.count; row++) {
      const start = mixes.start[row], end = mixes.end[row];
      for (let state = 0; state < TIMED_STATES; state++) {
        const time = mixes.times[TIMED_STATES * row + state];
        if (time > 0) spread(times[state], width, start, end, time / (end - start));
      }
    }
  }
  return { width, times };
}

function spread(buckets: number[] | undefined, width: number, start: number, end: number, weight: number): void {
  if (!buckets) return;
  const last = Math.min(buckets.length - 1, Math.floor(end / width));
  for (let bucket = Math.floor(start / width); bucket <= last; bucket++) {
    const covered = Math.min(end, (bucket + 1) * width) - Math.max(start, bucket * width);
    buckets[bucket] = buckets[bucket] + weight * covered;
  }
}
