import { button, element } from "../element.js";
import { clipped, count, counted, duration, moment } from "../format.js";
import type { About, Arrows, EventLink, PathDocument, Source } from "../source.js";
import { drawAxis } from "./axis.js";
import { Card } from "./card.js";
import { Details, type Selected } from "./details.js";
import { type Gestures, listenToPointer, listenToWheel } from "./gestures.js";
import { type Hit, Words } from "./hit.js";
import { type Commands, listenToKeys } from "./keys.js";
import { Labels } from "./labels.js";
import { LaneCanvas, type Scene } from "./lanes.js";
import { Legend } from "./legend.js";
import { Listing } from "./listing.js";
import { lookOf } from "./look.js";
import { OverviewStrip } from "./overview.js";
import { Range } from "./range.js";
import { COMPACT_HEIGHT, LANE_HEIGHT, Rows, TALL_HEIGHT } from "./rows.js";
import { type Store, WholeStore } from "./store.js";
import { atTime, laneWith, neighbour } from "./seek.js";
import { TileStore } from "./tiles.js";
import { View } from "./view.js";
import { valueOf } from "./window.js";

// Timeline is the thread visualizer: what each thread did, lane by lane, over time. It draws once a frame at most, what has changed.
//
// A window is a range of time; a selection is an interval, an instant, an arrow or a part of the critical path, with its details beside the lanes.

export { KEYS } from "./keys.js"; // for the help overlay: what can be pressed, and what it does
export { MOUSE } from "./gestures.js"; // the same for the pointer

// Options of a timeline.
export interface TimelineOptions {
  // The trace has grown: a live one is asked for each second. If there are new threads, show() says whether and where they are to be seen.
  onAbout?(about: About): void;
  // Something was selected; null: nothing is any more.
  onSelect?(selection: { thread: number; event: number; from: number; to: number } | null): void;
  // The visible window has changed, in nanoseconds.
  onWindow?(from: number, to: number): void;
  // The user asks for the help overlay.
  onHelp?(): void;
}

const FLASH = 1200; // milliseconds
const REST = 120; // milliseconds without movement after which all is drawn as it is to stay
const LIVE_EVERY = 1000; // milliseconds
const MARGIN_LANES = 12; // above and below the view, asked for ahead
const PAPER_WIDTH = 1030; // CSS pixels of a landscape sheet

export class Timeline {
  private readonly view: View;
  private readonly words: Words;
  private readonly legend: Legend;
  private readonly range: Range;
  private readonly overview: OverviewStrip;
  private readonly labels: Labels;
  private readonly lanes = new LaneCanvas();
  private readonly card = new Card();
  private readonly details: Details;
  private readonly listing: Listing;
  private readonly axis = element("canvas", { class: "timeline-axis", "aria-hidden": "true" });
  private readonly note = element("p", { class: "timeline-note", role: "note" });
  private readonly status = element("p", { class: "unseen", role: "status", "aria-live": "polite" });
  private readonly scroller = element("div", { class: "timeline-scroll", tabindex: -1 });
  private readonly spacer = element("div", { class: "timeline-spacer" });
  private readonly sheet = element("div", { class: "timeline-sheet" });
  private readonly chart = element("div", { class: "timeline-chart" });
  private readonly following = this.toggle("Follow the end", (on) => this.setFollow(on));
  private readonly ends = new AbortController();
  private readonly resized: ResizeObserver;
  private readonly scene: Scene;
  private readonly store: Store;
  private readonly collapsed = new Set<string>();
  private threads: number[] = [];
  private grouping = false;
  private compact = false;
  private follow = false;
  private listed = false;
  private frame = 0;
  private movedAt = 0; // when the view or the threads in it moved last
  private moving = false; // whether they have lately
  private restTimer = 0;
  private told: [from: number, to: number] = [0, 0]; // the window that others were told of last
  private unsettled = true; // whether something was drawn that has not been said in words
  private waited = false; // whether something was being waited for, when something came last
  private arrows: readonly Arrows[] | null = null; // those that there were then
  private flashUntil = 0;
  private pointer: { x: number; y: number; clientX: number; clientY: number } | null = null;
  private spoken = 0;
  private listTimer = 0;
  private liveTimer = 0;
  private wide = 1; // of the lanes, in CSS pixels, as measured last
  private high = 1;

  // root: an empty element that has a height.
  constructor(private readonly root: HTMLElement, private readonly source: Source, private about: About, private readonly options: TimelineOptions = {}) {
    const look = lookOf(about, root), whole = source.whole();
    this.view = new View(about.duration, () => this.move());
    this.words = new Words(about);
    this.legend = new Legend(about, () => this.spoil());
    this.range = new Range(this.view);
    this.overview = new OverviewStrip(source, this.view, about.duration, look);
    this.labels = new Labels(about, (index) => this.setCursor(index), (group) => this.toggleGroup(group));
    this.listing = new Listing(this.words, (hit) => this.jumpToHit(hit));
    this.details = new Details(about, source, this.words, {
      event: (thread, event) => void this.follows(thread, event), moment: (thread, time) => void this.goTo(thread, time),
      zoom: (from, to) => this.zoomTo(from, to), close: () => this.clear(),
    });
    this.store = whole ? new WholeStore(whole) : new TileStore(source, about.duration, (threads) => this.came(threads));
    this.scene = {
      about, rows: new Rows(about, [], false, this.collapsed, LANE_HEIGHT), view: this.view, look, store: this.store, legend: this.legend, path: null, scroll: 0,
      cursor: -1, hover: null, selected: null, flash: 0, range: null, groupTimes: new Map(),
    };
    this.build();
    this.resized = new ResizeObserver(() => this.fit());
    this.resized.observe(this.scroller);
    this.resized.observe(this.overview.root);
    this.listen();
    this.loadPath();
    if (about.live) this.liveTimer = window.setTimeout(() => void this.askAgain(), LIVE_EVERY);
  }

  // show lists threads by key, in this order. With grouping, each group has a header row with its threads below.
  show(threads: number[], grouping: boolean): void {
    this.threads = threads;
    this.grouping = grouping;
    this.arrange();
    void this.overview.show(threads.length === this.about.threads.key.length ? "all" : threads, this.about.duration).catch((problem) => this.fail(problem));
  }

  // setWindow looks at a range of time, as far as the trace has it; null is all of it.
  setWindow(window: [from: number, to: number] | null): void {
    if (!window || !this.view.show(...window)) this.view.whole();
  }

  // window is the visible range of time.
  window(): { from: number; to: number } {
    return { from: this.view.from, to: this.view.to };
  }

  // jump scrolls to a thread, and pans and zooms to a time if needed; it selects the event, or else what the thread did at the time. A collapsed group
  // is opened; a thread that is not shown only says so.
  jump(thread: number, event: number | null, from: number, to: number): void {
    if (!this.reveal(thread)) return this.say(`${this.words.thread(thread)} is not among the threads that are shown.`, true);
    this.bring(from, to);
    void (event ? this.selectEvent(thread, event, from, to) : this.selectAt(thread, from, to));
  }

  // redraw draws everything anew, after a change of theme or size.
  redraw(): void {
    this.scene.look = lookOf(this.about, this.root);
    this.legend.draw(this.scene.look);
    this.measure(true);
  }

  destroy(): void {
    this.ends.abort();
    this.resized.disconnect();
    cancelAnimationFrame(this.frame);
    for (const timer of [this.spoken, this.listTimer, this.liveTimer, this.restTimer]) clearTimeout(timer);
    this.view.close();
    this.store.close();
    this.card.root.remove();
    this.root.replaceChildren();
    this.root.classList.remove("timeline");
  }

  // --- building

  private build(): void {
    const tools = element("div", { class: "timeline-tools" }, this.range.root, element("span", { class: "gap" }),
      ...(this.about.live ? [this.following] : []),
      this.toggle("Compact", (on) => this.setCompact(on)), this.toggle("Table", (on) => this.setListed(on)));
    this.sheet.append(this.labels.root, this.divider(), this.lanes.canvas);
    this.spacer.append(this.sheet);
    this.scroller.append(this.spacer);
    this.chart.append(element("div", { class: "timeline-top" }, element("div", { class: "timeline-corner" }, "Threads"), element("div", { class: "timeline-strips" }, this.overview.root, this.axis)), this.scroller);
    this.root.classList.add("timeline");
    this.root.replaceChildren(tools, this.legend.root, this.note,
      element("div", { class: "timeline-main" }, element("div", { class: "timeline-left" }, this.chart, this.listing.root), this.details.root), this.status);
    document.body.append(this.card.root);
    this.lanes.canvas.setAttribute("aria-label", "Timeline: what each thread did. Arrow keys move; press question mark for all keys, or use the table.");
    this.legend.draw(this.scene.look);
  }

  private toggle(label: string, act: (on: boolean) => void): HTMLButtonElement {
    const made = button(label, () => {
      const on = made.getAttribute("aria-pressed") !== "true";
      made.setAttribute("aria-pressed", String(on));
      act(on);
    }, { "aria-pressed": "false", class: "timeline-toggle" });
    return made;
  }

  // divider lets the column of labels be made wider.
  private divider(): HTMLElement {
    const made = element("div", { class: "timeline-divider", role: "separator", "aria-orientation": "vertical", "aria-label": "Width of the names", tabindex: 0 });
    const width = () => this.labels.root.offsetWidth;
    const set = (pixels: number) => {
      const limited = Math.round(Math.max(60, Math.min(this.chart.clientWidth * 0.6, pixels)));
      this.chart.style.setProperty("--labels", `${limited}px`);
      made.setAttribute("aria-valuenow", String(limited));
      this.measure();
    };
    made.addEventListener("pointerdown", (event) => {
      const start = width() - event.clientX, stop = new AbortController();
      made.setPointerCapture(event.pointerId);
      made.addEventListener("pointermove", (moved) => set(start + moved.clientX), { signal: stop.signal });
      for (const name of ["pointerup", "pointercancel"]) made.addEventListener(name, () => stop.abort(), { signal: stop.signal });
    });
    made.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowLeft" ? -20 : event.key === "ArrowRight" ? 20 : 0;
      if (by !== 0) set(width() + by);
    });
    return made;
  }

  private listen(): void {
    const { signal } = this.ends, gestures = this.gestures();
    listenToWheel(this.lanes.canvas, gestures);
    listenToWheel(this.axis, gestures);
    listenToPointer(this.lanes.canvas, false, gestures);
    listenToPointer(this.axis, true, gestures);
    listenToKeys(this.lanes.canvas, this.commands());
    this.details.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      this.clear();
    });
    this.scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.lanes.canvas.addEventListener("focus", () => this.scene.cursor < 0 && this.lanes.canvas.matches(":focus-visible") && this.setCursor(this.lanes.visible(this.scene)[0]));
    addEventListener("beforeprint", () => this.print(true), { signal });
    addEventListener("afterprint", () => this.print(false), { signal });
  }

  private gestures(): Gestures {
    return {
      view: this.view,
      perPixel: () => this.lanes.perPixel(this.view),
      scrollBy: (pixels) => {
        if (pixels !== 0) this.scroller.scrollTop += pixels;
      },
      range: (range) => {
        this.scene.range = range;
        this.schedule();
      },
      point: (x, y, event) => {
        this.pointer = { x, y, clientX: event.clientX, clientY: event.clientY };
        this.schedule();
      },
      leave: () => this.unhover(),
      click: (x, y) => this.click(x, y),
      doubleClick: (x, y) => {
        const hit = this.lanes.hit(this.scene, x, y);
        if (hit) this.zoomTo(...this.words.range(hit));
      },
    };
  }

  private commands(): Commands {
    const { view } = this;
    return {
      pan: (share) => view.pan(share * view.length),
      zoom: (factor) => view.zoom(factor),
      edge: (end) => view.pan(end ? this.about.duration : -this.about.duration),
      whole: () => view.whole(),
      lane: (by) => this.setCursor(this.scene.cursor + by),
      page: (by) => this.setCursor(this.scene.cursor + by * Math.max(1, Math.floor(this.high / this.scene.rows.laneHeight) - 1)),
      step: (by) => void this.step(by),
      select: () => void this.selectAtCursor(),
      clear: () => this.clear(),
      back: () => view.back(),
      forward: () => view.forward(),
      help: () => this.options.onHelp?.(),
    };
  }

  // --- what is shown

  private arrange(): void {
    this.lay(this.high);
    this.askGroups();
    this.measure(true);
  }

  // lay makes the rows anew. The cursor stays in its thread.
  private lay(height: number): void {
    const { scene } = this, thread = scene.rows.all[scene.cursor]?.thread;
    scene.rows = new Rows(this.about, this.threads, this.grouping, this.collapsed, this.laneHeight(height));
    scene.cursor = thread ? scene.rows.of(thread) : -1;
    this.unhover();
  }

  // laneHeight is greater where there are few threads.
  private laneHeight(height: number): number {
    if (this.compact) return COMPACT_HEIGHT;
    return Math.max(LANE_HEIGHT, Math.min(TALL_HEIGHT, Math.floor((height - 8) / (this.threads.length + 1))));
  }

  private toggleGroup(group: string): void {
    if (!this.collapsed.delete(group)) this.collapsed.add(group);
    this.arrange();
    this.say("");
  }

  // askGroups asks for what the threads of collapsed groups did together.
  private askGroups(): void {
    for (const row of this.scene.rows.all) {
      if (row.thread !== 0 || !row.collapsed || this.scene.groupTimes.has(row.group)) continue;
      this.scene.groupTimes.set(row.group, { width: 1, times: [] });
      this.source.overview(row.members, 1600).then((overview) => {
        this.scene.groupTimes.set(row.group, overview);
        this.spoil();
      }, (problem) => this.fail(problem));
    }
  }

  private setCompact(on: boolean): void {
    const top = this.scene.rows.at(this.scene.scroll);
    this.compact = on;
    this.arrange();
    this.scroller.scrollTop = this.scene.rows.all[top]?.top ?? 0;
  }

  private setListed(on: boolean): void {
    this.listed = on;
    this.listing.root.hidden = !on;
    this.measure();
    this.list();
  }

  private list(): void {
    clearTimeout(this.listTimer);
    if (!this.listed) return;
    this.listTimer = window.setTimeout(() => {
      const { hits, lanes } = this.lanes.listed(this.scene);
      this.listing.show(hits, this.view.from, this.view.to, lanes);
    }, 200);
  }

  private loadPath(): void {
    this.source.path().then((path: PathDocument) => {
      this.scene.path = path;
      this.spoil();
    }, (problem) => this.fail(problem));
  }

  // --- live traces

  private async askAgain(): Promise<void> {
    try {
      const about = await this.source.about();
      if (this.ends.signal.aborted) return;
      this.grow(about);
    } catch (problem) {
      this.fail(problem);
    }
    if (this.about.live && !this.ends.signal.aborted) this.liveTimer = window.setTimeout(() => void this.askAgain(), LIVE_EVERY);
  }

  private grow(about: About): void {
    const longer = about.duration > this.about.duration || about.events > this.about.events || about.live !== this.about.live;
    const before = this.about.duration, ended = this.about.live && !about.live;
    Object.assign(this.about, about); // all parts look at the same one
    if (longer) {
      if (ended) this.store.ended(about.duration);
      else this.store.grown(about.duration);
      this.scene.groupTimes.clear();
      this.askGroups();
      if (this.view.to < before - 0.02 * this.view.length) this.setFollow(false); // somebody looks at something else now
      this.view.grow(about.duration, this.follow);
      void this.overview.show(this.threads.length === about.threads.key.length ? "all" : this.threads, about.duration).catch((problem) => this.fail(problem));
      this.spoil();
    }
    if (ended) this.endFollowing();
    this.options.onAbout?.(this.about);
  }

  // endFollowing shows what only a recording that has ended has, and takes away what only a live one needs.
  private endFollowing(): void {
    this.loadPath();
    this.setFollow(false);
    if (document.activeElement === this.following) this.lanes.canvas.focus({ preventScroll: true });
    this.following.remove();
  }

  private setFollow(on: boolean): void {
    this.follow = on;
    this.following.setAttribute("aria-pressed", String(on));
    if (on && !this.view.isWhole) this.view.pan(this.about.duration);
  }

  // --- drawing

  private scrolled(): void {
    if (this.scene.scroll === this.scroller.scrollTop) return;
    this.scene.scroll = this.scroller.scrollTop;
    this.move();
  }

  // move draws what has moved: in a hurry until it rests.
  private move(): void {
    this.unhover();
    this.list();
    this.movedAt = performance.now();
    if (!this.moving) this.restTimer = window.setTimeout(() => this.rest(), REST);
    this.moving = true;
    this.root.dataset.moving = "";
    this.schedule();
  }

  private rest(): void {
    const left = REST - (performance.now() - this.movedAt);
    if (left > 1) {
      this.restTimer = window.setTimeout(() => this.rest(), left);
      return;
    }
    this.moving = false;
    this.unsettled = true;
    this.tell();
    this.lanes.rest(this.scene);
    this.schedule();
  }

  // tell tells others of the window. They may take long over it: browsers are slow to change an address.
  private tell(): void {
    const { from, to } = this.view;
    if (this.told[0] === from && this.told[1] === to) return;
    this.told = [from, to];
    this.options.onWindow?.(from, to);
  }

  // came draws the lanes of which something has come; without threads it may be something about all.
  private came(threads: readonly number[]): void {
    if (threads.length > 0) this.lanes.spoilRows(threads);
    const waits = this.store.waiting(), arrows = this.store.arrows();
    if (waits !== this.waited || arrows !== this.arrows) this.lanes.spoilAll(this.scene);
    this.waited = waits;
    this.arrows = arrows;
    this.unsettled = true;
    this.list();
    this.schedule();
  }

  private spoil(): void {
    this.unsettled = true;
    this.lanes.spoil();
    this.list();
    this.schedule();
  }

  private schedule(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw());
  }

  // fit draws for another size at once: the observer is told of it when the frame's drawing is over, and a canvas of another size is empty.
  private fit(): void {
    this.measure();
    if (this.frame === 0) return;
    cancelAnimationFrame(this.frame);
    this.draw();
  }

  // measure finds out how much room there is.
  private measure(always = false): void {
    const height = this.scroller.clientHeight, width = this.scroller.clientWidth - this.labels.root.offsetWidth - 6;
    if (width <= 0 || height <= 0) return;
    if (this.laneHeight(height) !== this.scene.rows.laneHeight) this.lay(height);
    this.spacer.style.height = `${Math.max(height, this.scene.rows.height + 8)}px`;
    this.sheet.style.height = `${height}px`;
    if (always || width !== this.wide || height !== this.high) {
      this.wide = width;
      this.high = height;
      this.unhover();
      this.lanes.resize(width, height, this.scene.look);
      this.axis.style.width = this.overview.root.style.width = `${width}px`;
      this.axis.width = Math.round(width * devicePixelRatio);
      this.axis.height = Math.round(24 * devicePixelRatio);
      const context = this.axis.getContext("2d", { alpha: false })!;
      context.fillStyle = this.scene.look.css.background;
      context.fillRect(0, 0, this.axis.width, this.axis.height);
      this.overview.draw(this.scene.look);
    }
    this.scene.scroll = this.scroller.scrollTop;
    this.spoil();
  }

  private draw(): void {
    this.frame = 0;
    const { scene, lanes, view } = this;
    if (this.wide <= 1) return void delete this.root.dataset.moving;
    const [first, last] = lanes.visible(scene);
    this.want(first, last);
    this.hover();
    const left = this.flashUntil - performance.now();
    scene.flash = Math.max(0, Math.min(1, left / FLASH));
    lanes.draw(scene, this.moving);
    this.labels.place(this.about, scene.rows, first, last, scene.scroll, scene.cursor);
    const context = this.axis.getContext("2d", { alpha: false })!;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    drawAxis(context, view.from, lanes.perPixel(view), lanes.width, 24, scene.look);
    this.overview.place();
    if (!this.moving && this.unsettled) this.settle();
    if (left > 0 || !lanes.done) this.schedule();
  }

  // settle says in words what is drawn, when nothing moves any more: words take long to be laid out.
  private settle(): void {
    this.overview.say();
    this.range.show();
    this.remark();
    this.speakLater();
    if (!this.lanes.done) return;
    this.unsettled = false;
    delete this.root.dataset.moving;
  }

  private want(first: number, last: number): void {
    const { rows } = this.scene, threads: number[] = [];
    const add = (from: number, to: number) => {
      for (let index = Math.max(0, from); index <= to && index < rows.all.length; index++) {
        if (rows.all[index].thread !== 0) threads.push(rows.all[index].thread);
      }
    };
    add(first, last);
    add(last + 1, last + MARGIN_LANES);
    add(first - MARGIN_LANES, first - 1);
    this.store.want(threads, this.view.from, this.view.to, this.lanes.perPixel(this.view));
  }

  // remark says what the picture leaves out.
  private remark(): void {
    const remarks: string[] = [], left = this.store.omitted(), omitted = this.lanes.omitted + (this.source.served ? left : 0);
    if (this.store.problem()) remarks.push(this.store.problem());
    if (omitted > 0) remarks.push(`${count(omitted)} more arrows are not drawn, those with the shortest waits: zoom in.`);
    if (!this.source.served && left > 0) remarks.push(`This page leaves out ${count(left)} arrows of the trace; trcx serve has them.`);
    if (this.lanes.mixes(this.scene)) remarks.push(this.source.served ? "Short intervals are summed up: their states share the height of the lane. Click to zoom in."
      : `Intervals shorter than ${duration(this.about.resolution)} are there only in sums; trcx serve has them.`);
    if (this.threads.length === 0) remarks.push("No threads are shown.");
    const text = remarks.join(" ") + (this.store.waiting() ? " Loading …" : "");
    if (this.note.textContent !== text) this.note.textContent = text;
    if (this.root.hasAttribute("aria-busy") !== this.store.waiting()) this.root.toggleAttribute("aria-busy", this.store.waiting());
  }

  // --- pointing and selecting

  private hover(): void {
    const { pointer } = this;
    if (!pointer) return;
    this.pointer = null;
    const hit = this.lanes.hit(this.scene, pointer.x, pointer.y), same = hit !== null && sameHit(hit, this.scene.hover);
    this.lanes.canvas.classList.toggle("on", hit !== null);
    this.scene.hover = hit;
    if (!hit) return this.card.hide();
    const hint = hit.kind === "mix" && this.source.served ? "Click to zoom in." : "";
    if (same) this.card.move(pointer.clientX, pointer.clientY);
    else this.card.show(hit, this.words, hint, pointer.clientX, pointer.clientY);
  }

  private unhover(): void {
    this.pointer = null;
    this.card.hide();
    if (!this.scene.hover) return;
    this.scene.hover = null;
    this.schedule();
  }

  private click(x: number, y: number): void {
    this.lanes.canvas.focus({ preventScroll: true });
    const row = this.scene.rows.at(y + this.scene.scroll), hit = this.lanes.hit(this.scene, x, y);
    if (row >= 0 && y + this.scene.scroll < this.scene.rows.height) this.setCursor(row);
    if (!hit) return this.clear();
    if (hit.kind === "mix" && this.source.served) return this.zoomTo(...this.words.range(hit));
    this.select(hit);
  }

  private select(hit: Hit): void {
    const [from, to] = this.words.range(hit), selected: Selected = { hit, thread: hit.thread, event: this.words.event(hit), from, to };
    if (hit.kind === "arrow") selected.from = selected.to;
    this.unsettled = true;
    this.scene.selected = selected;
    this.options.onSelect?.({ thread: hit.thread, event: selected.event, from, to });
    const narrow = this.details.root.hidden;
    void this.details.show(selected, () => this.ending(selected));
    if (narrow) this.measure();
    this.schedule();
  }

  private clear(): void {
    if (!this.scene.selected) return;
    this.unsettled = true;
    this.scene.selected = null;
    this.details.hide();
    this.options.onSelect?.(null);
    this.measure();
    this.lanes.canvas.focus({ preventScroll: true });
  }

  // ending is what let a thread go on at the end of an interval.
  private async ending(selected: Selected): Promise<EventLink[]> {
    const lane = await laneWith(this.source, selected.thread, selected.to);
    const next = lane && atTime(lane, selected.to);
    const event = next?.kind === "span" ? valueOf(next.lane.spans.event, next.row) : 0;
    return event && event !== selected.event ? (await this.source.detail(selected.thread, event)).causes : [];
  }

  private async follows(thread: number, event: number): Promise<void> {
    try {
      const detail = await this.source.detail(thread, event);
      this.jump(thread, event, detail.time, detail.time + detail.length);
    } catch (problem) {
      this.fail(problem);
    }
  }

  private async goTo(thread: number, time: number): Promise<void> {
    this.jump(thread, null, time, time);
  }

  private jumpToHit(hit: Hit): void {
    const [from, to] = this.words.range(hit);
    if (!this.reveal(hit.thread)) return;
    if (hit.kind === "mix" && this.source.served) return this.zoomTo(from, to);
    this.bring(from, to);
    this.flash(hit);
  }

  private flash(hit: Hit): void {
    this.select(hit);
    this.flashUntil = performance.now() + (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : FLASH);
  }

  private async selectEvent(thread: number, event: number, from: number, to: number): Promise<void> {
    try {
      const lane = await laneWith(this.source, thread, from);
      const spans = lane?.lane.spans.event?.indexOf(event) ?? -1, instants = lane?.lane.instants.event?.indexOf(event) ?? -1;
      if (lane && spans >= 0) this.flash({ kind: "span", thread, lane: lane.lane, places: lane.places, row: spans });
      else if (lane && instants >= 0) this.flash({ kind: "instant", thread, lane: lane.lane, places: lane.places, row: instants });
      else await this.selectAt(thread, from, to);
    } catch (problem) {
      this.fail(problem);
    }
  }

  private async selectAt(thread: number, from: number, to: number): Promise<void> {
    try {
      const lane = await laneWith(this.source, thread, from), hit = lane && atTime(lane, from === to ? from : from + (to - from) / 2);
      if (hit) this.flash(hit);
    } catch (problem) {
      this.fail(problem);
    }
  }

  // --- moving

  // reveal scrolls to the lane of a thread; it returns whether there is one.
  private reveal(thread: number): boolean {
    let index = this.scene.rows.of(thread);
    if (index < 0) return false;
    if (this.scene.rows.all[index].thread !== thread) {
      this.toggleGroup(this.scene.rows.all[index].group);
      index = this.scene.rows.of(thread);
    }
    this.setCursor(index, true);
    return true;
  }

  private setCursor(index: number, centred = false): void {
    const { rows } = this.scene, row = rows.all[Math.max(0, Math.min(rows.all.length - 1, index))];
    if (!row) return;
    this.scene.cursor = Math.max(0, Math.min(rows.all.length - 1, index));
    const top = this.scroller.scrollTop, outside = row.top < top || row.top + row.height > top + this.high;
    if (outside && centred) this.scroller.scrollTop = row.top - this.high / 2;
    else if (row.top < top) this.scroller.scrollTop = row.top;
    else if (row.top + row.height > top + this.high) this.scroller.scrollTop = row.top + row.height - this.high;
    this.scene.scroll = this.scroller.scrollTop;
    this.spoil();
  }

  // bring pans to a time that is not in the view, and zooms if it would be too long or too short to be seen.
  private bring(from: number, to: number): void {
    const { view } = this, pixels = ((to - from) / view.length) * this.wide;
    let length = view.length;
    if (to - from > 0.9 * view.length) length = (to - from) * 1.3;
    else if (to > from && pixels < 12) length = (to - from) * Math.max(2, this.wide / 60);
    const inside = from >= view.from + 0.05 * length && to <= view.to - 0.05 * length;
    if (length !== view.length || !inside) view.set((from + to - length) / 2, (from + to + length) / 2);
  }

  private zoomTo(from: number, to: number): void {
    const margin = 0.08 * (to - from);
    this.view.set(from - margin, to + margin);
  }

  private threadAtCursor(): number {
    return this.scene.rows.all[this.scene.cursor]?.thread ?? 0;
  }

  private timeAtCursor(): number {
    const { selected } = this.scene, { view } = this;
    const inView = selected && selected.to >= view.from && selected.from <= view.to && selected.thread === this.threadAtCursor();
    return inView ? selected.from : (view.from + view.to) / 2;
  }

  private async selectAtCursor(): Promise<void> {
    const { selected } = this.scene, thread = this.threadAtCursor();
    if (selected && selected.thread === thread && !this.details.root.hidden) return this.details.root.focus();
    const row = this.scene.rows.all[this.scene.cursor];
    if (row && thread === 0) return this.toggleGroup(row.group);
    if (thread !== 0) await this.selectNear(thread, this.timeAtCursor());
  }

  // selectNear selects what a thread did at a time, else what is nearest to it in the lane.
  private async selectNear(thread: number, time: number): Promise<void> {
    try {
      const lane = await laneWith(this.source, thread, time), hit = (lane && atTime(lane, time)) ?? (await this.nearestTo(thread, time));
      if (!hit) return this.say("There is nothing in this lane.", true);
      this.bring(...this.words.range(hit));
      this.flash(hit);
    } catch (problem) {
      this.fail(problem);
    }
  }

  private async nearestTo(thread: number, time: number): Promise<Hit | null> {
    const { source, about, words } = this;
    const [before, after] = await Promise.all([neighbour(source, thread, time, -1, about.duration), neighbour(source, thread, time, 1, about.duration)]);
    if (!before || !after) return before ?? after;
    return time - words.range(before)[1] <= words.range(after)[0] - time ? before : after;
  }

  // step selects the next event in the lane of the cursor.
  private async step(by: number): Promise<void> {
    const thread = this.threadAtCursor();
    if (thread === 0) return;
    try {
      const hit = await neighbour(this.source, thread, this.timeAtCursor(), by, this.about.duration);
      if (!hit) return this.say(by > 0 ? "No event comes after it in this lane." : "No event comes before it in this lane.", true);
      this.bring(...this.words.range(hit));
      this.flash(hit);
    } catch (problem) {
      this.fail(problem);
    }
  }

  // --- words

  private fail(problem: unknown): void {
    if (this.ends.signal.aborted) return;
    this.say(problem instanceof Error ? problem.message : String(problem), true);
  }

  // say says something at once; `seen`: also to those who see.
  private say(text: string, seen = false): void {
    clearTimeout(this.spoken);
    this.spoken = 0;
    this.status.textContent = text;
    this.status.classList.toggle("unseen", !seen);
    this.status.classList.toggle("timeline-said", seen);
    if (seen) this.spoken = window.setTimeout(() => this.say(""), 6000);
  }

  private speakLater(): void {
    if (this.status.classList.contains("timeline-said")) return;
    clearTimeout(this.spoken);
    this.spoken = window.setTimeout(() => this.speak(), 500);
  }

  private speak(): void {
    const { view } = this, { rows, selected, cursor } = this.scene, row = rows.all[cursor];
    const precision = view.length / 1000;
    const parts = [`From ${moment(view.from, precision)} to ${moment(view.to, precision)}, ${counted(this.threads.length, "thread")}.`];
    if (row) parts.push(row.thread ? `Lane of ${clipped(this.words.thread(row.thread), 80)}.` : `Group ${clipped(row.label, 80)}.`);
    if (selected) parts.push(`Selected: ${this.words.title(selected.hit)}, ${clipped(this.words.thread(selected.thread), 80)}, at ${moment(selected.from)}${selected.to > selected.from ? `, ${duration(selected.to - selected.from)}` : ""}.`);
    const text = parts.join(" ");
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  // print draws for paper: light, and as wide as a sheet.
  private print(printing: boolean): void {
    this.root.classList.toggle("printing", printing);
    this.root.style.width = printing ? `${PAPER_WIDTH}px` : "";
    this.scene.look = lookOf(this.about, this.root, printing);
    this.legend.draw(this.scene.look);
    this.measure(true);
    cancelAnimationFrame(this.frame);
    this.draw();
  }
}

function sameHit(a: Hit, b: Hit | null): boolean {
  if (!b || a.kind !== b.kind || a.thread !== b.thread) return false;
  if (a.kind === "arrow") return b.kind === "arrow" && a.arrow === b.arrow;
  return a.kind === "dead" || (b.kind !== "arrow" && b.kind !== "dead" && a.lane === b.lane && a.row === b.row);
}
