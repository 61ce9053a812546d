import {
  type About, type Arrow, type Frame, type Lane, type Obj, type Places, DEAD, INFERRED, IN_IO,
  INIT, IO_MASK, IO_SHIFT, JOINING, OPEN, PARK, TIMED_OUT, TIMED_STATES,
} from "../source.js";
import { caller, counted, duration, moment, object, placesByKey, share, threadName } from "../format.js";
import { valueOf } from "./window.js";

// Hit is an item of the drawing: under the pointer, selected, or a row of the listing.
export type Hit =
  | { kind: "span" | "mix" | "instant" | "path"; thread: number; lane: Lane; places: Places; row: number }
  | { kind: "arrow"; thread: number; arrow: Arrow }
  | { kind: "dead"; thread: number };

// Fact is a line of a tooltip or of the details: a label and a value, which may be a name from the trace.
export interface Fact {
  what: string;
  value: string;
  isName?: boolean;
  thread?: number; // whose name the value is
}

// HitText describes hits in words.
export class HitText {
  private readonly places: Map<number, number>;

  constructor(private readonly about: About) {
    this.places = placesByKey(about.threads);
  }

  thread(key: number): string {
    return threadName(this.about.threads, this.places.get(key));
  }

  place(key: number): number {
    return this.places.get(key) ?? -1;
  }

  title(hit: Hit): string {
    switch (hit.kind) {
      case "span":
        return this.state(hit.lane, hit.row);
      case "mix":
        return hit.lane.mixes.intervals[hit.row] === 1
          ? "a short interval"
          : counted(hit.lane.mixes.intervals[hit.row], "short interval") + ", summed up";
      case "instant":
        return (
          this.about.interactions[hit.lane.instants.type[hit.row]].label +
          several(valueOf(hit.lane.instants.number, hit.row))
        );
      case "path":
        return hit.lane.path.latency[hit.row] ? "critical path: another thread is about to run" : "critical path";
      case "arrow":
        return this.about.interactions[hit.arrow.type].label;
      case "dead":
        return this.about.states[DEAD].label;
    }
  }

  facts(hit: Hit): Fact[] {
    const facts: Fact[] = [{ what: "Thread", value: this.thread(hit.thread), isName: true, thread: hit.thread }];
    switch (hit.kind) {
      case "span":
        return [...facts, ...this.ofSpan(hit.lane, hit.places, hit.row)];
      case "mix":
        return [...facts, ...this.ofMix(hit.lane, hit.row)];
      case "instant":
        return [...facts, ...this.ofInstant(hit.lane, hit.places, hit.row)];
      case "path":
        return [
          ...facts, ...between(hit.lane.path.start[hit.row], hit.lane.path.end[hit.row]),
          ...this.onPath(hit.lane, hit.row),
        ];
      case "arrow":
        return this.ofArrow(hit.arrow);
      case "dead":
        return [...facts, { what: "Since", value: moment(this.about.threads.died[this.place(hit.thread)] ?? 0) }];
    }
  }

  // range returns the time range of a hit.
  range(hit: Hit): [from: number, to: number] {
    switch (hit.kind) {
      case "span": return [hit.lane.spans.start[hit.row], hit.lane.spans.end[hit.row]];
      case "mix": return [hit.lane.mixes.start[hit.row], hit.lane.mixes.end[hit.row]];
      case "instant": return [hit.lane.instants.time[hit.row], hit.lane.instants.time[hit.row]];
      case "path": return [hit.lane.path.start[hit.row], hit.lane.path.end[hit.row]];
      case "arrow": return [hit.arrow.time, hit.arrow.toTime];
      case "dead": return [this.about.threads.died[this.place(hit.thread)] ?? 0, this.about.duration];
    }
  }

  event(hit: Hit): number {
    if (hit.kind === "span") return valueOf(hit.lane.spans.event, hit.row);
    if (hit.kind === "instant") return valueOf(hit.lane.instants.event, hit.row);
    return 0;
  }

  // state returns the name of a span's state: IN I/O, read.
  private state({ spans }: Lane, row: number): string {
    if (spans.flags[row] & INIT) return "INITIALISING";
    const operation = this.about.operations[(spans.flags[row] >> IO_SHIFT) & IO_MASK];
    return this.about.states[spans.state[row]].label + (operation ? `, ${operation}` : "");
  }

  private ofSpan({ spans }: Lane, places: Places, row: number): Fact[] {
    const facts = between(spans.start[row], spans.end[row]), flags = spans.flags[row];
    const monitor = objectOf(places, valueOf(spans.object, row)), owner = valueOf(spans.other, row),
      timeout = valueOf(spans.timeout, row);
    const state = spans.state[row], joining = state === JOINING;
    const initialising = (flags & INIT) !== 0;
    const what =
      initialising ? "Waits for the initialisation of" : joining ? "Thread object" :
      state === IN_IO || (flags & PARK) !== 0 ? "Waits for" : "Monitor";
    if (monitor) facts.push({ what, value: object(monitor), isName: true });
    if (owner)
      facts.push({
        what: initialising ? "Initialised by" : joining ? "Joined thread" : "Owner", value: this.thread(owner), isName: true,
        thread: owner,
      });
    this.addFrame(facts, "At", places, valueOf(spans.caller, row));
    this.addFrame(facts, "Owner last seen at", places, valueOf(spans.otherCaller, row));
    if (timeout) facts.push({ what: "Timeout", value: duration(timeout * 1e6) });
    if (flags & TIMED_OUT) facts.push({ what: "Ended by", value: "its timeout" });
    if (flags & INFERRED) facts.push({ what: "Note", value: "the owner is concluded, not reported" });
    if (flags & OPEN) facts.push({ what: "Note", value: "still so at the end of the trace" });
    return facts;
  }

  private ofMix({ mixes }: Lane, row: number): Fact[] {
    const facts = between(mixes.start[row], mixes.end[row]), length = mixes.end[row] - mixes.start[row];
    for (let state = 0; state < TIMED_STATES; state++) {
      const time = mixes.times[TIMED_STATES * row + state];
      if (time > 0)
        facts.push({ what: this.about.states[state].label, value: `${share(time, length)}, ${duration(time)}` });
    }
    return facts;
  }

  private ofInstant({ instants }: Lane, places: Places, row: number): Fact[] {
    const facts: Fact[] = [{ what: "At", value: moment(instants.time[row]) }];
    const described = objectOf(places, valueOf(instants.object, row)), other = valueOf(instants.other, row);
    if (described) facts.push({ what: "Object", value: object(described), isName: true });
    if (other) facts.push({ what: "Affects", value: this.thread(other), isName: true, thread: other });
    this.addFrame(facts, "In", places, places.stacks[valueOf(instants.stack, row) - 1]?.frames[0] ?? 0);
    return facts;
  }

  private ofArrow(arrow: Arrow): Fact[] {
    return [
      { what: "By", value: this.thread(arrow.thread), isName: true, thread: arrow.thread },
      { what: "At", value: moment(arrow.time) },
      { what: "Affects", value: this.thread(arrow.toThread), isName: true, thread: arrow.toThread },
      { what: "Runs at", value: `${moment(arrow.toTime)}, ${duration(arrow.toTime - arrow.time)} later` },
      ...(arrow.waited > 0 ? [{ what: "Had not run for", value: duration(arrow.waited) }] : []),
    ];
  }

  private onPath({ path }: Lane, row: number): Fact[] {
    const length = path.end[row] - path.start[row];
    return path.time[row] > 0 && path.time[row] < length
      ? [{ what: "On the path", value: `${duration(path.time[row])} of it` }]
      : [];
  }

  private addFrame(facts: Fact[], what: string, places: Places, frame: number): void {
    const found: Frame | undefined = places.frames[frame - 1];
    if (found) facts.push({ what, value: caller(found), isName: true });
  }
}

function between(from: number, to: number): Fact[] {
  return [
    { what: "From", value: moment(from, Math.min(1000, Math.max(1, (to - from) / 100))) },
    { what: "Length", value: duration(to - from) },
  ];
}

function objectOf(places: Places, number: number): Obj | undefined {
  return places.objects[number - 1];
}

function several(number: number): string {
  return number > 1 ? `, ${number} times` : "";
}
