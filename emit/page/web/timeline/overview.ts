import { element } from "../element.js";
import { duration as lengthOf, moment } from "../format.js";
import {
  type Overview, type Source, BLOCKED, DEADLOCKED, IN_IO, JOINING, PARKED, RUNNING, SLEEPING, TIMED_WAITING, WAITING,
} from "../source.js";
import type { Palette } from "./palette.js";
import type { View } from "./view.js";

// The overview strip: what all shown threads did over the whole time, by state, with the window as a brush that can be
// moved and resized.

const STACKED = [ // from below
  RUNNING, SLEEPING, IN_IO, JOINING, PARKED, TIMED_WAITING, WAITING, BLOCKED, DEADLOCKED,
];
const HEIGHT = 44;
const BUCKETS = 1024; // a server keeps its answer to this

export class OverviewStrip {
  readonly root = element("div", { class: "timeline-overview" });
  private readonly canvas = element("canvas", {
    role: "img",
    "aria-label": "Overview of the whole trace: how many threads were in which state",
  });
  private readonly brush = element("div", { class: "timeline-brush" });
  private overview: Overview | null = null;
  private asked = 0;

  constructor(
    private readonly source: Source, private readonly view: View, private length: number, private palette: Palette,
  ) {
    const handle = (side: "from" | "to", label: string) => {
      const made = element("div", {
        class: `timeline-handle ${side}`, role: "slider", tabindex: 0, "aria-label": label, "aria-valuemin": 0,
      });
      made.addEventListener("keydown", (event) => this.press(event, side));
      return made;
    };
    this.brush.append(handle("from", "Start of the window"), handle("to", "End of the window"));
    this.root.append(this.canvas, this.brush);
    this.root.addEventListener("pointerdown", (event) => this.grab(event));
    this.root.addEventListener("dblclick", () => this.view.whole());
  }

  // show asks for the overview of some threads.
  async show(threads: number[] | "all", length: number): Promise<void> {
    this.length = Math.max(1, length);
    const asked = ++this.asked;
    this.root.setAttribute("aria-busy", "true");
    try {
      const overview = await this.source.overview(threads, BUCKETS);
      if (asked !== this.asked) return;
      this.overview = overview;
      this.draw(this.palette);
    } finally {
      if (asked === this.asked) this.root.removeAttribute("aria-busy");
    }
  }

  draw(palette: Palette): void {
    this.palette = palette;
    const width = this.root.clientWidth, ratio = devicePixelRatio;
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.round(HEIGHT * ratio);
    const context = this.canvas.getContext("2d")!;
    context.fillStyle = palette.css.background;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.overview) this.stack(context, this.overview);
    this.place();
    this.describe();
  }

  private stack(context: CanvasRenderingContext2D, { width, times }: Overview): void {
    const buckets = Math.max(...times.map((column) => column.length)), perPixel = this.length / this.canvas.width;
    const sum = (bucket: number) => STACKED.reduce((total, state) => total + (times[state]?.[bucket] ?? 0), 0);
    let most = 1;
    for (let bucket = 0; bucket < buckets; bucket++) most = Math.max(most, sum(bucket));
    for (let bucket = 0; bucket < buckets; bucket++) {
      const left = Math.round((bucket * width) / perPixel), right = Math.round(((bucket + 1) * width) / perPixel);
      let y = this.canvas.height, total = 0;
      for (const state of STACKED) {
        total += times[state]?.[bucket] ?? 0;
        const above = Math.round(this.canvas.height * (1 - (0.94 * total) / most));
        context.fillStyle = this.palette.css.states[state];
        if (above < y && right > left) context.fillRect(left, above, right - left, y - above);
        y = above;
      }
    }
  }

  // place puts the brush where the window is.
  place(): void {
    const left = (100 * this.view.from) / this.length, right = (100 * this.view.to) / this.length;
    this.brush.style.left = `${left}%`;
    this.brush.style.width = `max(${right - left}%, 3px)`;
  }

  // describe sets the values that assistive technology reads out.
  describe(): void {
    const [from, to] = this.brush.children;
    for (const [handle, value] of [[from, this.view.from], [to, this.view.to]] as const) {
      handle.setAttribute("aria-valuemax", String(Math.round(this.length)));
      handle.setAttribute("aria-valuenow", String(Math.round(value)));
      handle.setAttribute(
        "aria-valuetext",
        `${moment(value, this.view.length / 1000)}, window of ${lengthOf(this.view.length)}`,
      );
    }
  }

  private grab(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    const box = this.root.getBoundingClientRect(), timeAt = (x: number) => ((x - box.left) / box.width) * this.length;
    const target = event.target as HTMLElement, start = timeAt(event.clientX), { from, to } = this.view;
    let move: (time: number) => void;
    if (target.classList.contains("from")) move = (time) => this.view.set(Math.min(time, to), Math.max(time, to));
    else if (target.classList.contains("to"))
      move = (time) => this.view.set(Math.min(time, from), Math.max(time, from));
    else if (target === this.brush && !this.view.isWhole) move = (time) => this.moveTo(from + time - start, to - from);
    else
      move = (time) =>
        Math.abs(time - start) > (4 / box.width) * this.length
          ? this.view.set(Math.min(start, time), Math.max(start, time))
          : undefined;
    this.drag(
      event,
      (x) => move(Math.max(0, Math.min(this.length, timeAt(x)))),
      () => {
        if (
          target !== this.brush &&
          !target.classList.contains("timeline-handle") &&
          this.view.from === from &&
          this.view.to === to
        )
          this.moveTo(start - (to - from) / 2, to - from);
      },
    );
  }

  private moveTo(from: number, length: number): void {
    const start = Math.max(0, Math.min(this.length - length, from));
    this.view.set(start, start + length);
  }

  private drag(event: PointerEvent, move: (x: number) => void, end: () => void): void {
    this.root.setPointerCapture(event.pointerId);
    const moved = (next: PointerEvent) => move(next.clientX);
    const released = () => {
      this.root.removeEventListener("pointermove", moved);
      this.root.removeEventListener("pointerup", released);
      this.root.removeEventListener("pointercancel", released);
      end();
    };
    this.root.addEventListener("pointermove", moved);
    this.root.addEventListener("pointerup", released);
    this.root.addEventListener("pointercancel", released);
  }

  private press(event: KeyboardEvent, side: "from" | "to"): void {
    const step = (event.shiftKey ? 0.1 : 0.01) * this.length, { from, to } = this.view;
    const by =
      event.key === "ArrowLeft" || event.key === "ArrowDown"
        ? -step
        : event.key === "ArrowRight" || event.key === "ArrowUp"
          ? step
          : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (side === "from") this.view.set(Math.max(0, Math.min(from + by, to - 1)), to);
    else this.view.set(from, Math.min(this.length, Math.max(to + by, from + 1)));
  }
}

