// View is the visible window of time, in nanoseconds, and the history of windows.

const SHORTEST = 50; // nanoseconds
const KEPT = 600; // milliseconds after which a window is added to the history

export class View {
  from = 0;
  to = 1;
  private readonly past: [number, number][] = [];
  private readonly future: [number, number][] = [];
  private current: [number, number];
  private timer = 0;

  constructor(private duration: number, private readonly changed: () => void) {
    this.duration = Math.max(1, duration);
    this.to = this.duration;
    this.current = [this.from, this.to];
  }

  get length(): number {
    return this.to - this.from;
  }

  // end returns the end of the trace.
  get end(): number {
    return this.duration;
  }

  get isWhole(): boolean {
    return this.from <= 0 && this.to >= this.duration;
  }

  // set shows a window, limited to the trace.
  set(from: number, to: number): void {
    const length = Math.min(this.duration, Math.max(SHORTEST, to - from));
    const start = Math.max(0, Math.min(this.duration - length, to - from < SHORTEST ? (from + to - length) / 2 : from));
    if (start === this.from && start + length === this.to) return;
    this.from = start;
    this.to = start + length;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.keep(), KEPT);
    this.changed();
  }

  // show shows a window given by its ends, each limited to the trace. It reports whether any of it is in the trace.
  show(from: number, to: number): boolean {
    const start = Math.max(0, from), end = Math.min(this.duration, to);
    if (start >= end) return false;
    this.set(start, end);
    return true;
  }

  pan(nanoseconds: number): void {
    const from = Math.max(0, Math.min(this.duration - this.length, this.from + nanoseconds));
    this.set(from, from + this.length);
  }

  // zoom makes the window `factor` times as long. The time `at` keeps its place.
  zoom(factor: number, at = (this.from + this.to) / 2): void {
    const length = Math.min(this.duration, Math.max(SHORTEST, this.length * factor));
    const from = at - ((at - this.from) / this.length) * length;
    const start = Math.max(0, Math.min(this.duration - length, from));
    this.set(start, start + length);
  }

  // zoomTo shows a range and a margin around it.
  zoomTo(from: number, to: number): void {
    const margin = 0.08 * (to - from);
    this.set(from - margin, to + margin);
  }

  // bring pans to a range that is not in the view. It zooms if the range is too long for a view of `width` pixels, or
  // too short to be seen.
  bring(from: number, to: number, width: number): void {
    const pixels = ((to - from) / this.length) * width;
    let length = this.length;
    if (to - from > 0.9 * this.length) length = (to - from) * 1.3;
    else if (to > from && pixels < 12) length = (to - from) * Math.max(2, width / 60);
    const inside = from >= this.from + 0.05 * length && to <= this.to - 0.05 * length;
    if (length !== this.length || !inside) this.set((from + to - length) / 2, (from + to + length) / 2);
  }

  whole(): void {
    this.set(0, this.duration);
  }

  // grow sets a new length of the trace. A view of all of it, or with `follow` of its end, goes on to show that.
  grow(duration: number, follow: boolean): void {
    const whole = this.isWhole;
    this.duration = Math.max(1, duration);
    if (whole) this.set(0, this.duration);
    else if (follow) this.set(this.duration - this.length, this.duration);
  }

  // keep adds the current window to the history.
  private keep(): void {
    const [from, to] = this.current;
    if (from === this.from && to === this.to) return;
    this.past.push(this.current);
    if (this.past.length > 100) this.past.shift();
    this.future.length = 0;
    this.current = [this.from, this.to];
    this.changed();
  }

  get hasPast(): boolean {
    return this.past.length > 0;
  }

  get hasFuture(): boolean {
    return this.future.length > 0;
  }

  back(): void {
    clearTimeout(this.timer);
    this.keep();
    this.turn(this.past, this.future);
  }

  forward(): void {
    this.turn(this.future, this.past);
  }

  private turn(source: [number, number][], other: [number, number][]): void {
    const next = source.pop();
    if (!next) return;
    other.push(this.current);
    this.current = next;
    this.set(next[0], next[1]);
    clearTimeout(this.timer);
    this.changed();
  }

  close(): void {
    clearTimeout(this.timer);
  }
}
