import { element } from "../element.js";
import type { Arrows, Source } from "../source.js";
import { CallLayer } from "./calls.js";
import type { Arrangement } from "./arrangement.js";
import { Chart } from "./chart.js";
import { type Drawing, Frames } from "./frames.js";
import type { Hit, HitText } from "./hit.js";
import { Labels } from "./labels.js";
import { LaneCanvas } from "./lanes.js";
import { Listing } from "./listing.js";
import { OverviewStrip } from "./overview.js";
import { paletteOf } from "./palette.js";
import { Range } from "./range.js";
import { remarksOf } from "./remarks.js";
import type { Scene } from "./scene.js";

const MARGIN_LANES = 12; // lanes above and below the view that are requested ahead

// DisplayEvents are the calls of a Display to the parts of the timeline that handle input.
export interface DisplayEvents {
  // A drawing is about to begin: update scene.hover and scene.flash. Returns whether scene.flash goes on changing.
  drawing(): boolean;
  // What was under the pointer has moved.
  moved(): void;
  // Nothing has moved for a while.
  rested(): void;
  // A drawing is at rest and described.
  described(): void;
  // A label or a row of the listing was clicked.
  lane(index: number): void;
  group(key: string): void;
  calls(thread: number): void;
  listed(hit: Hit): void;
}

// Display draws the scene: overview, axis, labels, lanes, and their description in words. It draws what has changed, at
// most once an animation frame.
export class Display implements Drawing {
  readonly lanes = new LaneCanvas();
  readonly range: Range;
  readonly chart: Chart;
  readonly listing: Listing;
  readonly frames: Frames;
  readonly calls: CallLayer;
  readonly note = element("p", { class: "timeline-note", role: "note" });
  private readonly overview: OverviewStrip;
  private readonly labels: Labels;
  private waiting = false; // of the store, when data arrived last
  private arrows: readonly Arrows[] | null = null; // likewise

  constructor(
    private readonly root: HTMLElement,
    private readonly source: Source,
    private readonly scene: Scene,
    private readonly arrangement: Arrangement,
    text: HitText,
    private readonly events: DisplayEvents,
  ) {
    const { view, about, palette } = scene;
    this.range = new Range(view);
    this.overview = new OverviewStrip(source, view, about.duration, palette);
    this.labels = new Labels(
      about, (index) => events.lane(index), (group) => events.group(group), (thread) => events.calls(thread),
    );
    this.listing = new Listing(text, (hit) => events.listed(hit));
    this.chart = new Chart(this.labels.root, this.lanes.canvas, this.overview.root, () => this.measure());
    this.calls = new CallLayer(scene, this.lanes.canvas);
    this.lanes.canvas.after(this.calls.root);
    this.frames = new Frames(root, this);
  }

  // --- layout

  // arrange replaces the rows after a change of the arrangement.
  arrange(): void {
    this.layRows(this.chart.height);
    this.scene.groupTimes.request(this.scene.rows);
    this.measure(true);
  }

  // layRows makes new rows. The cursor stays in its thread.
  private layRows(height: number): void {
    const { scene } = this, thread = scene.rows.all[scene.cursor]?.thread;
    scene.rows = this.arrangement.rows(height);
    scene.cursor = thread ? scene.rows.of(thread) : -1;
    this.events.moved();
  }

  // restyle draws everything anew in the current theme, or in the light one.
  restyle(light = false): void {
    this.scene.palette = paletteOf(this.scene.about, this.root, light);
    this.scene.legend.draw(this.scene.palette);
    this.measure(true);
  }

  // measure adapts the drawing to the size of the view, if this has changed or `always`.
  measure(always = false): void {
    const { scene, chart } = this, { width, height } = chart.size();
    if (width <= 0 || height <= 0) return;
    if (this.arrangement.laneHeight(height) !== scene.rows.laneHeight) this.layRows(height);
    chart.setRows(scene.rows.height, height);
    if (always || width !== chart.width || height !== chart.height) {
      this.events.moved();
      this.lanes.resize(width, height, scene.palette);
      chart.resize(width, height, scene.palette);
      this.overview.draw(scene.palette);
    }
    scene.scroll = chart.scrollTop;
    this.invalidate();
  }

  // fit adapts the drawing to a new size before the frame is shown: a canvas of another size is empty, and observers of
  // the size run after the frame's animation callbacks.
  fit(): void {
    this.measure();
    if (this.frames.isScheduled) this.frames.drawNow();
  }

  // --- changes

  // move draws after a change of the view.
  move(): void {
    this.events.moved();
    this.list();
    this.frames.move();
  }

  // scrolled draws after the lanes were scrolled.
  scrolled(): void {
    if (this.scene.scroll === this.chart.scrollTop) return;
    this.scene.scroll = this.chart.scrollTop;
    this.move();
  }

  // invalidate draws all lanes anew.
  invalidate(): void {
    this.lanes.invalidate();
    this.list();
    this.frames.change();
  }

  // arrived draws the lanes for which data have arrived; without threads the data may concern all lanes.
  arrived(threads: readonly number[]): void {
    const { scene } = this, { store } = scene;
    if (threads.length > 0) this.lanes.invalidateRows(threads);
    const waiting = store.waiting(), arrows = store.arrows();
    if (waiting !== this.waiting || arrows !== this.arrows) this.lanes.invalidateVisible(scene);
    this.waiting = waiting;
    this.arrows = arrows;
    this.list();
    this.frames.change();
  }

  // showOverview requests the overview of the shown threads.
  showOverview(): Promise<void> {
    const { threads, hasAll } = this.arrangement;
    return this.overview.show(hasAll ? "all" : threads, this.scene.about.duration);
  }

  // setListed shows or hides the listing.
  setListed(on: boolean): void {
    this.listing.root.hidden = !on;
    this.measure();
    this.list();
  }

  private list(): void {
    const { view } = this.scene;
    this.listing.update(() => ({ ...this.lanes.listed(this.scene), from: view.from, to: view.to }));
  }

  close(): void {
    this.frames.close();
    this.listing.close();
  }

  // --- drawing

  draw(moving: boolean): boolean {
    const { scene, lanes, chart } = this, { view } = scene;
    if (chart.width <= 1) {
      this.frames.still();
      return false;
    }
    const [first, last] = lanes.visible(scene);
    this.request(first, last);
    const flashing = this.events.drawing();
    lanes.draw(scene, moving);
    this.labels.place(scene.rows, first, last, scene.scroll, scene.cursor);
    chart.drawAxis(view.from, lanes.perPixel(view), lanes.width, scene.palette);
    this.overview.place();
    this.calls.draw(first, last, lanes.width);
    return flashing || !lanes.done;
  }

  // describe updates the texts once nothing moves: laying out text is slow.
  describe(): boolean {
    if (this.chart.width <= 1) return true;
    this.overview.describe();
    this.range.show();
    this.calls.describe();
    this.remark();
    this.events.described();
    return this.lanes.done;
  }

  rest(): void {
    this.events.rested();
    this.lanes.rest(this.scene);
  }

  // request asks the store for the visible lanes, and for some above and below.
  private request(first: number, last: number): void {
    const { rows, store, view } = this.scene, threads: number[] = [];
    const add = (from: number, to: number) => {
      for (let index = Math.max(0, from); index <= to && index < rows.all.length; index++) {
        if (rows.all[index].thread !== 0) threads.push(rows.all[index].thread);
      }
    };
    add(first, last);
    add(last + 1, last + MARGIN_LANES);
    add(first - MARGIN_LANES, first - 1);
    store.request(threads, view.from, view.to, this.lanes.perPixel(view));
  }

  private remark(): void {
    const { scene, lanes, root, note } = this, loading = scene.store.waiting();
    const remarks = remarksOf(scene, {
      arrows: lanes.omitted, sums: lanes.hasSums(scene), served: this.source.served,
      threads: this.arrangement.threads.length,
    });
    const text = remarks.join(" ") + (loading ? " Loading …" : "");
    if (note.textContent !== text) note.textContent = text;
    if (root.hasAttribute("aria-busy") !== loading) root.toggleAttribute("aria-busy", loading);
  }
}
