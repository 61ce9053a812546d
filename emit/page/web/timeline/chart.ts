import { element } from "../element.js";
import { drawAxis } from "./axis.js";
import type { Palette } from "./palette.js";
import type { Row } from "./rows.js";

const AXIS_HEIGHT = 24; // CSS pixels, as in timeline.css
const DIVIDER_WIDTH = 6; // the same
const NARROWEST_LABELS = 60; // CSS pixels

// Chart is the layout of the timeline: the overview and the time axis above a scroller with the labels and the lanes.
export class Chart {
  readonly root = element("div", { class: "timeline-chart" });
  readonly axis = element("canvas", { class: "timeline-axis", "aria-hidden": "true" });
  width = 1; // of the lanes, in CSS pixels, as last measured
  height = 1;
  private readonly scroller = element("div", { class: "timeline-scroll", tabindex: -1 });
  private readonly spacer = element("div", { class: "timeline-spacer" });
  private readonly sheet = element("div", { class: "timeline-sheet" });

  // changed is called when the divider has moved.
  constructor(
    private readonly labels: HTMLElement,
    lanes: HTMLElement,
    private readonly overview: HTMLElement,
    private readonly changed: () => void,
  ) {
    const strips = element("div", { class: "timeline-strips" }, overview, this.axis);
    this.sheet.append(labels, this.divider(), lanes);
    this.spacer.append(this.sheet);
    this.scroller.append(this.spacer);
    this.root.append(
      element("div", { class: "timeline-top" }, element("div", { class: "timeline-corner" }, "Threads"), strips),
      this.scroller,
    );
  }

  get scrollTop(): number {
    return this.scroller.scrollTop;
  }

  scrollTo(top: number): void {
    this.scroller.scrollTop = top;
  }

  // scrollIntoView scrolls as far as needed to show a row: to the middle of the view if `centred`, else to its edge.
  scrollIntoView({ top, height }: Row, centred: boolean): void {
    const first = this.scroller.scrollTop, last = first + this.height, outside = top < first || top + height > last;
    if (outside && centred) this.scrollTo(top - this.height / 2);
    else if (top < first) this.scrollTo(top);
    else if (top + height > last) this.scrollTo(top + height - this.height);
  }

  onScroll(listener: () => void): void {
    this.scroller.addEventListener("scroll", listener, { passive: true });
  }

  // observe calls a listener when the size changes. The returned function stops that.
  observe(listener: () => void): () => void {
    const observer = new ResizeObserver(listener);
    observer.observe(this.scroller);
    observer.observe(this.overview);
    return () => observer.disconnect();
  }

  // size returns the current size of the lanes in CSS pixels. It is not positive while the timeline is hidden.
  size(): { width: number; height: number } {
    const { clientWidth, clientHeight } = this.scroller;
    return { width: clientWidth - this.labels.offsetWidth - DIVIDER_WIDTH, height: clientHeight };
  }

  // setRows sets the height of all rows, and of the view through which they are seen.
  setRows(rows: number, height: number): void {
    this.spacer.style.height = `${Math.max(height, rows + 8)}px`;
    this.sheet.style.height = `${height}px`;
  }

  // resize sets a new size of the lanes, the axis and the overview. It clears the axis.
  resize(width: number, height: number, palette: Palette): void {
    this.width = width;
    this.height = height;
    this.axis.style.width = this.overview.style.width = `${width}px`;
    this.axis.width = Math.round(width * devicePixelRatio);
    this.axis.height = Math.round(AXIS_HEIGHT * devicePixelRatio);
    const context = this.context();
    context.fillStyle = palette.css.background;
    context.fillRect(0, 0, this.axis.width, this.axis.height);
  }

  drawAxis(from: number, perPixel: number, width: number, palette: Palette): void {
    const context = this.context();
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    drawAxis(context, from, perPixel, width, AXIS_HEIGHT, palette);
  }

  private context(): CanvasRenderingContext2D {
    return this.axis.getContext("2d", { alpha: false })!;
  }

  // divider returns the handle that sets the width of the labels.
  private divider(): HTMLElement {
    const made = element("div", {
      class: "timeline-divider", role: "separator", "aria-orientation": "vertical", "aria-label": "Width of the names",
      tabindex: 0,
    });
    const width = () => this.labels.offsetWidth;
    const set = (pixels: number) => {
      const limited = Math.round(Math.max(NARROWEST_LABELS, Math.min(this.root.clientWidth * 0.6, pixels)));
      this.root.style.setProperty("--labels", `${limited}px`);
      made.setAttribute("aria-valuenow", String(limited));
      this.changed();
    };
    made.addEventListener("pointerdown", (event) => {
      const start = width() - event.clientX, stop = new AbortController(), { signal } = stop;
      made.setPointerCapture(event.pointerId);
      made.addEventListener("pointermove", (moved) => set(start + moved.clientX), { signal });
      for (const name of ["pointerup", "pointercancel"]) made.addEventListener(name, () => stop.abort(), { signal });
    });
    made.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowLeft" ? -20 : event.key === "ArrowRight" ? 20 : 0;
      if (by !== 0) set(width() + by);
    });
    return made;
  }
}
