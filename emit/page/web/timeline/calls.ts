import { element, named, replace } from "../element.js";
import { clipped, counted, duration, moment, threadName } from "../format.js";
import type { Call, ThreadCalls } from "../methods/calls.js";
import type { Palette } from "./palette.js";
import type { Scene } from "./scene.js";

const LEVEL = 18; // CSS pixels of the height of a call
const TITLED = 40; // CSS pixels from which on a call shows its name
const LETTER = 6; // approximate CSS pixels of a letter
const COLOURS = 8; // as in page.css
const DEEPEST = 64; // levels that are drawn

// CallStrip draws the calls of one thread below the lanes, on the same time axis. The thread is the cursor's, or the
// first one that has calls. Calls within one pixel are one bar.
export class CallStrip {
  readonly root = element("div", { class: "timeline-calls", hidden: true });
  private readonly label = element("div", { class: "timeline-calls-label" });
  private readonly canvas = element("canvas", { role: "img" });
  private readonly levels = new Map<ThreadCalls, Call[][]>();
  private threads: Map<string, ThreadCalls> | null = null; // by id
  private shown: ThreadCalls | null = null;
  private labelled = -1; // the key of the thread that the label names
  private colours: { of: Palette; css: string[] } | null = null;

  constructor(private readonly scene: Scene) {
    this.root.append(this.label, this.canvas);
    this.canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
      const call = this.at(offsetX, offsetY);
      this.canvas.title = call ? clipped(titleOf(call), 600) : "";
    });
    this.canvas.addEventListener("click", ({ offsetX, offsetY }) => {
      const call = this.at(offsetX, offsetY);
      if (call) this.scene.view.zoomTo(call.from, call.to);
    });
  }

  // set sets the calls of all threads.
  set(threads: readonly ThreadCalls[]): void {
    this.threads = new Map(threads.map((calls) => [calls.id, calls]));
    this.root.hidden = false;
  }

  // draw draws the calls in the view. width is in CSS pixels.
  draw(width: number): void {
    if (!this.threads || this.root.hidden) return;
    const thread = this.choose(), { canvas } = this, ratio = devicePixelRatio;
    const height = LEVEL * Math.max(Math.min(this.shown?.levels ?? 0, DEEPEST), 1);
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    if (thread !== this.labelled) this.name(thread);
    const context = canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    const levels = this.levelsOf().slice(0, DEEPEST);
    levels.forEach((calls, level) => this.drawLevel(context, calls, level * LEVEL, width));
  }

  // describe says what is in the view.
  describe(): void {
    if (!this.shown || this.root.hidden) return;
    const { from, to } = this.scene.view, seen = this.shown.calls.filter((call) => call.to >= from && call.from <= to);
    const longer = (most: Call | null, call: Call) => (most && lengthOf(most) >= lengthOf(call) ? most : call);
    const longest = seen.reduce(longer, null);
    this.canvas.setAttribute(
      "aria-label",
      `${counted(seen.length, "call")} of ${clipped(this.shown.title, 80)}` +
        (longest ? `, the longest ${clipped(titleOf(longest))}` : ""),
    );
  }

  // choose chooses the thread whose calls are drawn, and returns its key, or 0 if no shown thread has calls.
  private choose(): number {
    const { rows, cursor, about } = this.scene, own = rows.all[cursor];
    const callsOf = (place: number) => this.threads!.get(about.threads.id[place] ?? "") ?? null;
    const row = own?.thread ? own : rows.all.find(({ thread, place }) => thread !== 0 && callsOf(place));
    this.shown = row ? callsOf(row.place) : null;
    return row?.thread ?? 0;
  }

  private name(thread: number): void {
    const { about } = this.scene, place = about.threads.key.indexOf(thread);
    this.labelled = thread;
    replace(
      this.label, this.shown ? "Calls of " : "No calls of ",
      thread ? named(threadName(about.threads, place)) : "these threads",
    );
    if (!this.shown) this.canvas.setAttribute("aria-label", "no calls");
  }

  private levelsOf(): Call[][] {
    if (!this.shown) return [];
    let levels = this.levels.get(this.shown);
    if (!levels) {
      levels = Array.from({ length: this.shown.levels }, (): Call[] => []);
      for (const call of this.shown.calls) levels[call.level]!.push(call);
      this.levels.set(this.shown, levels);
    }
    return levels;
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
      const style = getComputedStyle(this.root);
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
    const calls = this.levelsOf()[Math.floor(y / LEVEL)] ?? [], time = view.from + x * perPixel;
    const call = calls[firstEnding(calls, time - perPixel)];
    return call && call.from <= time + perPixel ? call : null;
  }
}

const lengthOf = ({ from, to }: Call): number => to - from;

function titleOf({ name, from, to }: Call): string {
  return `${name}: ${duration(to - from)} from ${moment(from)} on`;
}

// firstEnding returns the index of the first call that ends at a time or later. Calls of a level follow each other.
function firstEnding(calls: readonly Call[], time: number): number {
  let low = 0, high = calls.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (calls[middle]!.to < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
