import { element } from "../element.js";
import { clipped, counted, duration, moment } from "../format.js";
import type { Call, ThreadCalls } from "../methods/calls.js";
import type { Palette } from "./palette.js";
import type { Scene } from "./scene.js";

const LEVEL = 18; // CSS pixels of the height of a call
const TITLED = 40; // CSS pixels from which on a call has its name
const LETTER = 6; // CSS pixels of a letter, about
const COLOURS = 8; // as in page.css
const DEEPEST = 64; // levels that are drawn

// CallLayer has the strips of the visible threads whose calls are unfolded. It is over the lanes.
export class CallLayer {
  readonly root = element("div", { class: "timeline-calls" });
  private readonly strips = new Map<number, CallStrip>(); // by the threads' keys
  private threads = new Map<string, ThreadCalls>(); // by id

  constructor(private readonly scene: Scene, private readonly lanes: HTMLElement) {}

  // set sets the calls of all threads.
  set(threads: readonly ThreadCalls[]): void {
    this.threads = new Map(threads.map((calls) => [calls.id, calls]));
  }

  // height is the height of the calls of a thread in CSS pixels, 0 if it has none.
  height(place: number): number {
    return LEVEL * Math.min(this.of(place)?.levels ?? 0, DEEPEST);
  }

  private of(place: number): ThreadCalls | undefined {
    return this.threads.get(this.scene.about.threads.id[place] ?? "");
  }

  // draw draws the calls in the view, with a width in CSS pixels.
  draw(first: number, last: number, width: number): void {
    const { rows, scroll } = this.scene, seen = new Set<number>();
    this.root.style.width = `${width}px`;
    for (const { thread, place, top, bar, unfolded } of rows.all.slice(first, last + 1)) {
      const calls = this.of(place);
      if (!unfolded || !calls) continue;
      let strip = this.strips.get(thread);
      if (!strip) {
        strip = new CallStrip(this.scene, calls, this.lanes);
        this.strips.set(thread, strip);
        this.root.append(strip.canvas);
      }
      seen.add(thread);
      strip.draw(top + bar - scroll, width);
    }
    for (const [thread, { canvas }] of this.strips) {
      if (seen.has(thread)) continue;
      canvas.remove();
      this.strips.delete(thread);
    }
  }

  // describe says what is in the view.
  describe(): void {
    for (const strip of this.strips.values()) strip.describe();
  }
}

// CallStrip draws the calls of a thread below its lane, at the same times. Calls within one pixel are one bar.
class CallStrip {
  readonly canvas = element("canvas", { role: "img" });
  private readonly levels: Call[][];
  private colours: { of: Palette; css: string[] } | null = null;

  constructor(private readonly scene: Scene, private readonly shown: ThreadCalls, lanes: HTMLElement) {
    this.levels = Array.from({ length: shown.levels }, (): Call[] => []);
    for (const call of shown.calls) this.levels[call.level]!.push(call);
    this.canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
      const call = this.at(offsetX, offsetY);
      this.canvas.title = call ? clipped(titleOf(call), 600) : "";
    });
    this.canvas.addEventListener("click", ({ offsetX, offsetY }) => {
      const call = this.at(offsetX, offsetY);
      if (call) this.scene.view.zoomTo(call.from, call.to);
    });
    this.canvas.addEventListener("wheel", (event) => {
      if (!lanes.dispatchEvent(new WheelEvent("wheel", event))) event.preventDefault();
    });
  }

  draw(top: number, width: number): void {
    const { canvas } = this, ratio = devicePixelRatio, levels = this.levels.slice(0, DEEPEST);
    const height = LEVEL * levels.length;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    canvas.style.transform = `translateY(${top}px)`;
    const context = canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    levels.forEach((calls, level) => this.drawLevel(context, calls, level * LEVEL, width));
  }

  describe(): void {
    const { from, to } = this.scene.view, seen = this.shown.calls.filter((call) => call.to >= from && call.from <= to);
    const longer = (most: Call | null, call: Call) => (most && lengthOf(most) >= lengthOf(call) ? most : call);
    const longest = seen.reduce(longer, null);
    this.canvas.setAttribute(
      "aria-label",
      `${counted(seen.length, "call")} of ${clipped(this.shown.title, 80)}` +
        (longest ? `, the longest ${clipped(titleOf(longest))}` : ""),
    );
  }

  private drawLevel(context: CanvasRenderingContext2D, calls: Call[], top: number, width: number): void {
    const { view, palette } = this.scene, scale = width / view.length;
    let end = -1; // of the last call that is drawn
    for (let i = firstEnding(calls, view.from); i < calls.length && calls[i]!.from <= view.to; i++) {
      const { name, from, to } = calls[i]!;
      const left = Math.max((from - view.from) * scale, 0), right = Math.min((to - view.from) * scale, width);
      if (right < end && right - left < 1) continue;
      const wide = Math.max(right - left, 1);
      end = Math.floor(left) + 1;
      context.globalAlpha = palette.dark ? 0.4 : 0.5;
      context.fillStyle = this.colourOf(name);
      context.fillRect(left, top, wide > 3 ? wide - 1 : wide, LEVEL - 1);
      if (wide < TITLED) continue;
      context.globalAlpha = 1;
      context.fillStyle = palette.css.text;
      context.fillText(clipped(name, Math.floor((wide - 8) / LETTER)), left + 4, top + LEVEL / 2, wide - 8);
    }
  }

  // colourOf returns the colour of a method's class.
  private colourOf(name: string): string {
    const { palette } = this.scene;
    if (this.colours?.of !== palette) {
      const style = getComputedStyle(this.canvas);
      const css = Array.from({ length: COLOURS }, (_, i) => style.getPropertyValue(`--part-${i}`).trim());
      this.colours = { of: palette, css };
    }
    const method = name.split("(", 1)[0]!, of = method.slice(0, Math.max(method.lastIndexOf("."), 0));
    let hash = 0;
    for (let i = 0; i < of.length; i++) hash = (31 * hash + of.charCodeAt(i)) | 0;
    return this.colours.css[Math.abs(hash) % COLOURS]!;
  }

  private at(x: number, y: number): Call | null {
    const { view } = this.scene, perPixel = view.length / Math.max(this.canvas.clientWidth, 1);
    const calls = this.levels[Math.floor(y / LEVEL)] ?? [], time = view.from + x * perPixel;
    const call = calls[firstEnding(calls, time - perPixel)];
    return call && call.from <= time + perPixel ? call : null;
  }
}

const lengthOf = ({ from, to }: Call): number => to - from;

function titleOf({ name, from, to }: Call): string {
  return `${name}: ${duration(to - from)} from ${moment(from)} on`;
}

// firstEnding is the index of the first call that ends at a time or later. Calls of a level are one after the other.
function firstEnding(calls: readonly Call[], time: number): number {
  let low = 0, high = calls.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (calls[middle]!.to < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
