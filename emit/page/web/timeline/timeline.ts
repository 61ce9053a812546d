import { element, toggleButton } from "../element.js";
import { clipped, counted, duration, moment } from "../format.js";
import type { ThreadCalls } from "../methods/calls.js";
import type { About, Source } from "../source.js";
import { Arrangement } from "./arrangement.js";
import { Cursor } from "./cursor.js";
import type { SpanRow } from "./details.js";
import { Display } from "./display.js";
import { type Gestures, listenToPointer, listenToWheel } from "./gestures.js";
import { GroupTimes } from "./groups.js";
import { HitText } from "./hit.js";
import { Hover } from "./hover.js";
import { type Commands, listenToKeys } from "./keys.js";
import { Legend } from "./legend.js";
import { LiveTrace } from "./live.js";
import { paletteOf } from "./palette.js";
import type { Scene } from "./scene.js";
import type { Pauses } from "./pauses.js";
import { Selection } from "./selection.js";
import { Status } from "./status.js";
import { WholeStore } from "./store.js";
import { TileStore } from "./tiles.js";
import { View } from "./view.js";

const LOW = 216; // CSS pixels of calls that are unfolded at first

// TimelineOptions are calls of a timeline to the page.
export interface TimelineOptions {
  // A live trace was asked for its growth. New threads are shown by show().
  onAbout?(about: About): void;
  // The visible range of time has changed, in nanoseconds.
  onWindow?(from: number, to: number): void;
  // The row of a span in the tables is wanted.
  onRow?(row: SpanRow): void;
  // The help overlay is wanted.
  onHelp?(): void;
}

const PAPER_WIDTH = 1030; // CSS pixels of a landscape sheet

// Timeline is the thread visualizer: the states and interactions of each thread over time, a lane a thread.
export class Timeline {
  private readonly scene: Scene;
  private readonly text: HitText;
  private readonly status = new Status();
  private readonly arrangement: Arrangement;
  private readonly display: Display;
  private readonly cursor: Cursor;
  private readonly hover: Hover;
  private readonly selection: Selection;
  private readonly live: LiveTrace;
  private readonly closing = new AbortController();
  private reported: [from: number, to: number] = [0, 0]; // the range passed to onWindow last

  // root: an empty element that has a height.
  constructor(
    private readonly root: HTMLElement,
    private readonly source: Source,
    about: About,
    private readonly options: TimelineOptions = {},
  ) {
    const fail = (problem: unknown) => this.status.fail(problem), invalidate = () => this.display.invalidate();
    this.arrangement = new Arrangement(about);
    this.scene = this.sceneOf(about, invalidate, fail);
    this.text = new HitText(about);
    this.display = new Display(root, source, this.scene, this.arrangement, this.text, {
      drawing: () => this.drawing(),
      moved: () => this.unhover(),
      rested: () => this.report(),
      described: () => this.describe(),
      lane: (index) => this.cursor.set(index),
      group: (key) => this.toggleGroup(key),
      calls: (thread) => this.toggleCalls(thread),
      listed: (hit) => this.selection.jumpToHit(hit),
    });
    this.cursor = new Cursor(this.scene, this.display.chart, (group) => this.toggleGroup(group), invalidate);
    this.hover = new Hover(this.scene, this.display.lanes, this.text, source.served);
    this.selection = new Selection(this.scene, source, this.display, this.cursor, this.text, this.status, (row) =>
      options.onRow?.(row),
    );
    this.live = new LiveTrace(source, about, this.scene.view, {
      grown: (before, ended) => this.grow(before, ended),
      ended: () => this.end(),
      updated: () => options.onAbout?.(about),
      failed: fail,
    });
    this.build();
    this.listen();
    this.loadPath();
  }

  // show lists threads by key, in this order. With grouping, each thread group has a header row above its threads.
  show(threads: number[], grouping: boolean): void {
    this.arrangement.threads = threads;
    this.arrangement.grouping = grouping;
    this.display.arrange();
    this.showOverview();
  }

  // setWindow shows a range of time, as far as it is in the trace; null is the whole trace.
  setWindow(window: [from: number, to: number] | null): void {
    if (!window || !this.scene.view.show(...window)) this.scene.view.whole();
  }

  // jump scrolls to a thread, moves the view to a time if necessary, and selects the event, or without one what the
  // thread did at that time. A collapsed group is opened; of a thread that is not shown there is only a notice.
  jump(thread: number, event: number | null, from: number, to: number): void {
    this.selection.jump(thread, event, from, to);
  }

  // move calls a function that moves the root to another parent, and keeps what is scrolled to.
  move(to: () => void): void {
    const top = this.display.chart.scrollTop;
    to();
    this.display.chart.scrollTo(top);
  }

  // redraw draws everything anew, after a change of theme or size.
  redraw(): void {
    this.display.restyle();
  }

  destroy(): void {
    this.closing.abort();
    this.display.close();
    this.live.close();
    this.status.close();
    this.scene.view.close();
    this.scene.store.close();
    this.hover.close();
    this.root.replaceChildren();
    this.root.classList.remove("timeline");
  }

  // --- construction

  private sceneOf(about: About, invalidate: () => void, fail: (problem: unknown) => void): Scene {
    const { source } = this, whole = source.whole(), view = new View(about.duration, () => this.display.move());
    const arrived = (threads: readonly number[]) => this.display.arrived(threads);
    return {
      about, view, legend: new Legend(about, invalidate), groupTimes: new GroupTimes(source, invalidate, fail),
      store: whole ? new WholeStore(whole) : new TileStore(source, about.duration, arrived),
      rows: this.arrangement.rows(0), palette: paletteOf(about, this.root), path: null, pauses: null, scroll: 0, cursor: -1,
      hover: null, selected: null, flash: 0, range: null,
    };
  }

  private build(): void {
    const { display, root, scene } = this, { legend, about } = scene, { canvas } = display.lanes;
    const tools = element("div", { class: "timeline-tools" }, display.range.root, element("span", { class: "gap" }),
      ...(about.live ? [this.live.button] : []),
      toggleButton("Compact", (on) => this.setCompact(on)), toggleButton("Table", (on) => display.setListed(on)));
    const left = element("div", { class: "timeline-left" }, display.chart.root, display.listing.root);
    const main = element("div", { class: "timeline-main" }, left, this.selection.details.root);
    root.classList.add("timeline");
    root.replaceChildren(tools, legend.root, display.note, main, this.status.root);
    canvas.setAttribute(
      "aria-label",
      "Timeline: what each thread did. Arrow keys move; press question mark for all keys, or use the table.",
    );
    legend.draw(scene.palette);
  }

  private listen(): void {
    const { signal } = this.closing, { display, cursor, scene } = this, { chart, lanes } = display;
    const gestures = this.gestures(), disconnect = chart.observe(() => display.fit());
    signal.addEventListener("abort", disconnect);
    for (const target of [lanes.canvas, chart.axis]) {
      listenToWheel(target, target === chart.axis, gestures);
      listenToPointer(target, target === chart.axis, gestures);
    }
    listenToKeys(lanes.canvas, this.commands());
    chart.onScroll(() => display.scrolled());
    lanes.canvas.addEventListener("focus", () => {
      if (scene.cursor < 0 && lanes.canvas.matches(":focus-visible")) cursor.set(lanes.visible(scene)[0]);
    });
    addEventListener("beforeprint", () => this.print(true), { signal });
    addEventListener("afterprint", () => this.print(false), { signal });
  }

  private gestures(): Gestures {
    const { scene, display, hover, selection } = this, { view } = scene, { chart, lanes, frames } = display;
    return {
      view,
      perPixel: () => lanes.perPixel(view),
      scrollBy: (pixels) => {
        const top = chart.scrollTop;
        if (pixels !== 0) chart.scrollTo(top + pixels);
        return chart.scrollTop !== top;
      },
      range: (range) => {
        scene.range = range;
        frames.schedule();
      },
      point: (x, y, event) => {
        hover.point(x, y, event);
        frames.schedule();
      },
      leave: () => this.unhover(),
      click: (x, y) => selection.click(x, y),
      doubleClick: (x, y) => selection.zoomInto(x, y),
    };
  }

  private commands(): Commands {
    const { cursor, selection } = this, { view, about } = this.scene;
    return {
      pan: (share) => view.pan(share * view.length),
      zoom: (factor) => view.zoom(factor),
      edge: (end) => view.pan(end ? about.duration : -about.duration),
      whole: () => view.whole(),
      lane: (by) => cursor.moveBy(by),
      page: (by) => cursor.movePages(by),
      step: (by) => void selection.step(by),
      select: () => void selection.selectAtCursor((group) => this.toggleGroup(group)),
      clear: () => selection.clear(),
      back: () => view.back(),
      forward: () => view.forward(),
      help: () => this.options.onHelp?.(),
    };
  }

  // --- content

  private toggleGroup(group: string): void {
    this.arrangement.toggleGroup(group);
    this.display.arrange();
    this.status.clear();
  }

  private setCompact(on: boolean): void {
    const { scene, display, arrangement } = this, top = scene.rows.at(scene.scroll);
    arrangement.compact = on;
    display.arrange();
    display.chart.scrollTo(scene.rows.all[top]?.top ?? 0);
  }

  private loadPath(): void {
    this.source.path().then((path) => {
      this.scene.path = path;
      this.display.invalidate();
    }, (problem) => this.status.fail(problem));
  }

  // showPauses draws pauses of the JVM across all lanes.
  showPauses(pauses: Pauses): void {
    const { scene, display } = this;
    if (!pauses.isEmpty) scene.legend.addPauses(scene.palette);
    scene.pauses = pauses;
    display.invalidate();
  }

  // showCalls draws calls below the lanes of their threads that are unfolded: the first one, unless its calls would
  // hide the other lanes, and with the button all.
  showCalls(threads: readonly ThreadCalls[]): void {
    const { arrangement, display, scene } = this, { calls, unfolded } = arrangement, { key } = scene.about.threads;
    display.calls.set(threads);
    key.forEach((thread, place) => {
      const height = display.calls.height(place);
      if (height > 0) calls.set(thread, height);
    });
    const first = arrangement.threads.find((thread) => calls.has(thread));
    if (first !== undefined && calls.get(first)! <= LOW) unfolded.add(first);
    const button = toggleButton("Calls", (on) => {
      unfolded.clear();
      if (on) for (const thread of calls.keys()) unfolded.add(thread);
      display.arrange();
    });
    this.root.querySelector(".timeline-tools .gap")?.after(button);
    display.arrange();
  }

  private toggleCalls(thread: number): void {
    this.arrangement.toggleCalls(thread);
    this.display.arrange();
  }

  private showOverview(): void {
    this.display.showOverview().catch((problem) => this.status.fail(problem));
  }

  // --- live traces

  private grow(before: number, ended: boolean): void {
    const { store, groupTimes, rows, about } = this.scene;
    if (ended) store.end(about.duration);
    else store.grow(about.duration);
    groupTimes.clear();
    groupTimes.request(rows);
    this.live.growView(before);
    this.showOverview();
    this.display.invalidate();
  }

  // end shows the critical path, which only a complete recording has, and removes the button that follows the end.
  private end(): void {
    const { button } = this.live;
    this.loadPath();
    this.live.setFollow(false);
    if (document.activeElement === button) this.display.lanes.canvas.focus({ preventScroll: true });
    button.remove();
  }

  // --- drawing

  private drawing(): boolean {
    this.hover.update();
    return this.selection.updateFlash();
  }

  private unhover(): void {
    if (this.hover.clear()) this.display.frames.schedule();
  }

  // report reports the visible range, once it rests: browsers are slow to change an address.
  private report(): void {
    const { from, to } = this.scene.view;
    if (this.reported[0] === from && this.reported[1] === to) return;
    this.reported = [from, to];
    this.options.onWindow?.(from, to);
  }

  // describe lets assistive technology read out the view, the cursor and the selection.
  private describe(): void {
    this.status.describeLater(() => {
      const { view, rows, selected, cursor } = this.scene, { text, arrangement } = this, row = rows.all[cursor];
      const precision = view.length / 1000,
        range = `From ${moment(view.from, precision)} to ${moment(view.to, precision)}`;
      const parts = [`${range}, ${counted(arrangement.threads.length, "thread")}.`];
      if (row)
        parts.push(
          row.thread ? `Lane of ${clipped(text.thread(row.thread), 80)}.` : `Group ${clipped(row.label, 80)}.`,
        );
      if (selected) {
        const { hit, thread, from, to } = selected, length = to > from ? `, ${duration(to - from)}` : "";
        parts.push(`Selected: ${text.title(hit)}, ${clipped(text.thread(thread), 80)}, at ${moment(from)}${length}.`);
      }
      return parts.join(" ");
    });
  }

  // print draws for paper: in the light theme, and as wide as a sheet.
  private print(printing: boolean): void {
    this.root.classList.toggle("printing", printing);
    this.root.style.width = printing ? `${PAPER_WIDTH}px` : "";
    this.display.restyle(printing);
    this.display.frames.drawNow();
  }
}
