import { type Place, writeAddress } from "./address.js";
import { ContentionTab } from "./contention/contention.js";
import type { Part } from "./contention/worst.js";
import { button, checkbox, element, named, replace, tooltip } from "./element.js";
import { Filter } from "./filter/filter.js";
import { type Found, type Jumps, longestSpan, shortest, type Sought } from "./finder.js";
import { count, counted, duration, messageOf, nameSynchronizers } from "./format.js";
import { collectionRows } from "./heap/columns.js";
import { HeapTab } from "./heap/heap.js";
import { Help } from "./help.js";
import { threadCalls } from "./methods/calls.js";
import type { MethodsDocument } from "./methods/document.js";
import { MethodsTab } from "./methods/methods.js";
import { PathTab } from "./path/path.js";
import type { About, Source } from "./source.js";
import { StatisticsTab } from "./statistics/statistics.js";
import { factsOf, Summary } from "./summary.js";
import { Tabs } from "./tabs.js";
import { ThemeSwitch } from "./theme.js";
import { Pauses } from "./timeline/pauses.js";
import { byInterest } from "./timeline/rows.js";
import { Timeline } from "./timeline/timeline.js";

const CONTENTION = "contention", TIMELINE = "timeline", STATISTICS = "statistics", PATH = "path", METHODS = "methods",
  HEAP = "heap";
const TABS: readonly (readonly [id: string, label: string])[] = [
  [CONTENTION, "Contention"], [TIMELINE, "Thread visualizer"], [STATISTICS, "Monitor statistics"],
  [PATH, "Critical path"], [METHODS, "Methods"], [HEAP, "Heap"],
];
const LIVE_TABLES_EVERY = 5000; // milliseconds between updates of the tables of a live trace

// firstTab returns the tab to show first. If no thread waits, as in a heap dump or a trace of calls, it is the heap's
// or the methods' tab.
function firstTab({ heap, methods, threads }: About): string {
  const waits = threads.times.some(([, ...waiting]) => waiting.some((time) => time > 0));
  return waits ? CONTENTION : heap ? HEAP : methods ? METHODS : CONTENTION;
}

// Page shows one trace: a header with the verdicts, the tabs, and the dialogs.
export class Page {
  private readonly theme: ThemeSwitch;
  private readonly summary = new Summary();
  private readonly facts = element("ul", { class: "facts", "aria-label": "The trace" });
  private readonly live = element("span", { class: "live", role: "status" });
  private readonly shownCount = element("span", { class: "shown-count", role: "status" });
  private readonly everyThread = button("Show all", () => this.showOnly(this.about.threads.key), {
    class: "link", title: "show all threads", hidden: true,
  });
  private readonly search = element("input", {
    type: "search", class: "timeline-search", placeholder: "Find thread, class, place …",
    "aria-label": "Find in the timeline: a thread, class, monitor or place", spellcheck: "false",
  });

  private readonly views: typeof TABS; // the tabs for which the trace has data
  private readonly panels = new Map(TABS.map(([id]) => [id, element("section", { class: "panel" })]));
  private readonly tabs: Tabs;
  private readonly stage = element("div", { class: "timeline-stage" }); // of the timeline
  private readonly timeline: Timeline;
  private readonly contention: ContentionTab;
  private readonly statistics: StatisticsTab;
  private readonly path: PathTab;
  private readonly heap: HeapTab;
  private readonly methods: MethodsTab;
  private readonly filter = new Filter((keys) => this.showOnly(keys));
  private readonly help = new Help();
  private readonly grouping = checkbox("Group threads", false, () => this.showThreads(), {
    title: "by thread group (key g)",
  });
  private readonly closing = new AbortController(); // of the listeners of the window
  private chosen: Set<number> | null = null; // keys; null: all threads, also new ones
  private window: { from: number; to: number };
  private loaded: Promise<MethodsDocument> | null = null;
  private threadsSeen = 0; // number of threads when they were last shown
  private tablesShown = 0; // time of the last update of the tables

  // trace is the index of the trace in About.traces.
  readonly trace: number;

  // other opens a place in another trace.
  constructor(
    private readonly root: HTMLElement, private readonly source: Source, private about: About, at: Place,
    private readonly other: (place: Place) => void,
  ) {
    this.trace = at.trace;
    this.window = { from: 0, to: about.duration };
    this.theme = new ThemeSwitch(() => this.repaint());
    this.views = TABS.filter(([id]) => (id !== HEAP || about.heap) && (id !== METHODS || about.methods));
    this.tabs = new Tabs("Views", this.views.map(([id, label]) => ({ id, label, panel: this.panel(id) })), (id) =>
      this.tabShown(id),
    );
    this.build();
    this.colour();
    this.listen(); // before the timeline does, which draws for paper once the page has that layout
    this.panel(TIMELINE).classList.add("timeline-panel");
    this.panel(TIMELINE).append(this.stage);
    this.timeline = new Timeline(this.stage, source, about, {
      onAbout: (grown) => this.grown(grown),
      onWindow: (from, to) => this.windowMoved(from, to),
      onHelp: () => this.help.open(),
      onRow: (row) => {
        this.tabs.show(STATISTICS);
        this.statistics.reveal(row);
      },
    });
    const jumps: Jumps = {
      to: (thread, from, to) => this.jump(thread, null, from, to),
      seek: (...sought) => void this.find(...sought),
    };
    this.statistics = new StatisticsTab(this.panel(STATISTICS), source, about, {
      threads: () => this.threads(),
      window: () => this.window,
      jumps,
    });
    this.path = new PathTab(this.panel(PATH), source, about, jumps);
    this.contention = new ContentionTab(this.panel(CONTENTION), source, about, jumps, (part) => this.showPart(part));
    this.heap = new HeapTab(this.panel(HEAP), source, about, (from, to) => this.showPart({ window: [from, to], thread: null }));
    this.methods = new MethodsTab(this.panel(METHODS), about, () => this.loadMethods());
    if (about.heap) void this.showPauses();
    void this.showCalls();
    this.say();
    this.showThreads();
    this.goTo(at);
  }

  destroy(): void {
    this.closing.abort();
    this.timeline.destroy();
    this.filter.destroy();
    this.help.destroy();
    this.root.replaceChildren();
  }

  // --- around the tabs

  private build(): void {
    const tools = element("div", { class: "view-tools" },
      this.search, this.shownCount, this.everyThread,
      button("Choose threads …", () => this.openFilter(), { title: "which threads are shown (key f)" }),
      this.grouping.root,
    );
    replace(
      this.root,
      element(
        "header", { class: "top" },
        element(
          "div", { class: "brand" }, element("span", { class: "product" }, "trcx"), this.traceChoice(), this.live,
        ),
        this.facts,
        element(
          "div", { class: "top-tools" }, this.theme.root,
          button("?", () => this.help.open(), {
            class: "quiet round", "aria-label": "Help: keys and pointer", title: "keys and pointer (key ?)",
          }),
        ),
      ),
      this.summary.root,
      element("nav", { class: "bar", "aria-label": "Views and threads" }, this.tabs.list, tools),
      element("main", {}, ...this.printed()));
  }

  // printed returns the panels, each with a heading that only paper shows.
  private printed(): HTMLElement[] {
    return this.views.map(([id, label]) => {
      this.panel(id).append(element("h2", { class: "paper-only" }, label));
      return this.panel(id);
    });
  }

  private panel(id: string): HTMLElement {
    return this.panels.get(id)!;
  }

  private traceChoice(): HTMLElement {
    if (this.about.traces.length < 2)
      return element("h1", { title: tooltip(this.about.name) }, named(fileOf(this.about.name)));
    const choice = element(
      "select", { "aria-label": "Trace", class: "trace-choice" },
      ...this.about.traces.map((name, i) => element("option", { value: i }, name.slice(0, 200))),
    );
    choice.value = String(this.trace);
    choice.addEventListener("change", () =>
      this.other({ tab: this.tabs.shownTab, trace: Number(choice.value), window: null }),
    );
    return element("h1", {}, choice);
  }

  // isChoosing reports whether the focus is in the choice of the trace. choose moves it there.
  get isChoosing(): boolean {
    return document.activeElement?.matches(".trace-choice") ?? false;
  }

  choose(): void {
    this.root.querySelector<HTMLElement>(".trace-choice")?.focus();
  }

  private say(): void {
    nameSynchronizers(this.about);
    if (this.about.traces.length > 1) document.title = `${this.about.name.slice(0, 120)} · trcx`;
    this.summary.show(this.about);
    replace(
      this.facts,
      ...factsOf(this.about).map((fact) => element("li", {}, fact)),
      this.about.truncated && element("li", { class: "warned" }, "cut off: the trace ends early"),
    );
    replace(
      this.live,
      ...(this.about.live ? [element("span", { class: "live-dot", "aria-hidden": "true" }), "live"] : []),
    );
    this.live.hidden = !this.about.live;
  }

  // colour sets the colours of states and interactions for the style sheet.
  private colour(): void {
    const dark = document.documentElement.dataset.theme === "dark";
    const style = document.documentElement.style;
    this.about.states.forEach((look, i) => style.setProperty(`--state-${i}`, dark ? look.dark : look.light));
    this.about.interactions.forEach((look, i) =>
      style.setProperty(`--interaction-${i}`, dark ? look.dark : look.light),
    );
  }

  private repaint(): void {
    this.colour();
    this.timeline.redraw();
  }

  // --- threads

  private threads(): number[] | "all" {
    return this.chosen ? [...this.chosen] : "all";
  }

  private shownKeys(): number[] {
    const { chosen } = this;
    return chosen ? this.about.threads.key.filter((key) => chosen.has(key)) : this.about.threads.key;
  }

  private openFilter(): void {
    this.filter.open(this.about, new Set(this.shownKeys()));
  }

  private showOnly(keys: number[]): void {
    this.chosen = keys.length === this.about.threads.key.length ? null : new Set(keys);
    this.showThreads();
    this.refresh();
  }

  private showThreads(): void {
    const keys = this.shownKeys();
    const { key, omitted } = this.about.threads, all = key.length + omitted;
    this.threadsSeen = key.length;
    this.shownCount.textContent =
      keys.length === all ? `All ${counted(all, "thread")}` : `${count(keys.length)} of ${counted(all, "thread")}`;
    this.everyThread.hidden = this.chosen === null;
    this.timeline.show(byInterest(this.about, keys), this.grouping.input.checked);
  }

  // --- tabs and places

  private tabShown(id: string): void {
    this.root.dataset.tab = id;
    this.placeTimeline(id === CONTENTION ? this.contention.lanes : this.panel(TIMELINE));
    if (id === TIMELINE) this.timeline.redraw();
    this.refresh();
    this.remember();
  }

  // placeTimeline moves the timeline, which is on two tabs: below the monitors, and on its own.
  private placeTimeline(place: HTMLElement): void {
    if (this.stage.parentElement !== place) this.timeline.move(() => place.append(this.stage));
  }

  // refresh updates the visible tab.
  private refresh(): void {
    this.tablesShown = Date.now();
    if (this.tabs.shownTab === CONTENTION) this.contention.update();
    if (this.tabs.shownTab === STATISTICS) this.statistics.open();
    if (this.tabs.shownTab === PATH) this.path.open();
    if (this.tabs.shownTab === METHODS) this.methods.open();
    if (this.tabs.shownTab === HEAP) this.heap.update();
  }

  private windowMoved(from: number, to: number): void {
    this.window = { from, to };
    if (this.root.dataset.tab) this.remember(); // not before the address was read
  }

  // goTo shows an address's place in this trace; if it has no time, the time that the page is about.
  goTo(place: Place): void {
    const { from, to } = this.about;
    this.tabs.show(place.tab || firstTab(this.about));
    this.timeline.setWindow(place.window ?? [from, to]);
  }

  // showPart shows only a part of the trace in the timeline.
  private showPart({ window, thread }: Part): void {
    this.showOnly(thread === null ? this.about.threads.key : [thread]);
    this.tabs.show(TIMELINE);
    this.timeline.setWindow(window);
  }

  // showPauses shows the pauses of garbage collections in the timeline.
  private async showPauses(): Promise<void> {
    const heap = await this.source.heap().catch(() => null); // the Heap tab says why
    if (heap) this.timeline.showPauses(new Pauses(collectionRows(heap.allocations.collections)));
  }

  private loadMethods(): Promise<MethodsDocument> {
    return (this.loaded ??= this.source.methods());
  }

  // showCalls shows single calls in the timeline, once the trace is complete.
  private async showCalls(): Promise<void> {
    if (!this.about.methods || this.about.live || this.loaded) return;
    const { calls } = await this.loadMethods().catch(() => ({ calls: undefined })); // the Methods tab says why
    if (calls) this.timeline.showCalls(threadCalls(calls));
  }

  private remember(): void {
    const whole = this.window.from <= 0 && this.window.to >= this.about.duration;
    writeAddress({
      tab: this.tabs.shownTab, trace: this.trace, window: whole ? null : [this.window.from, this.window.to],
    });
  }

  private jump(thread: number, event: number | null, from: number, to: number): void {
    if (this.chosen && !this.chosen.has(thread)) {
      this.chosen.add(thread);
      this.showThreads();
    }
    this.tabs.show(TIMELINE);
    this.timeline.jump(thread, event, from, to);
  }

  // find shows, in the timeline, the longest span for the first choice that any span fits.
  private async find(...choices: Sought[]): Promise<void> {
    try {
      let found: Found | null = null;
      for (const sought of choices) found ??= await longestSpan(this.source, this.about, this.threads(), sought);
      found ??= this.lifeOf(choices[0]?.threads);
      if (found) this.jump(found.thread, found.event, found.from, found.to);
      this.search.setCustomValidity(found ? "" : this.nothing());
      this.search.setAttribute("aria-invalid", String(!found));
      if (!found) this.search.reportValidity();
    } catch (failure) {
      this.search.setCustomValidity(messageOf(failure));
      this.search.reportValidity();
    }
  }

  private nothing(): string {
    return this.source.served
      ? `No wait of ${duration(shortest(this.about, this.shownKeys().length))} or longer that is shown has this.`
      : "Nothing that is shown has this.";
  }

  // lifeOf returns the time from begin to end of a thread, or null for several threads.
  private lifeOf(threads: readonly number[] = []): Found | null {
    const { key, born, died } = this.about.threads, at = threads.length === 1 ? key.indexOf(threads[0]!) : -1;
    if (at < 0) return null;
    const end = died[at]! < 0 ? this.about.duration : died[at]!;
    return { thread: key[at]!, event: null, from: born[at]!, to: Math.max(end, born[at]!) };
  }

  private grown(about: About): void {
    this.about = about;
    this.say();
    this.contention.grown(about);
    this.statistics.grown(about);
    this.path.grown(about);
    this.heap.grown(about);
    this.methods.grown(about);
    void this.showCalls();
    if (about.threads.key.length !== this.threadsSeen) this.showThreads();
    if (!about.live || Date.now() - this.tablesShown >= LIVE_TABLES_EVERY) this.refresh();
  }

  // --- keys and paper

  private listen(): void {
    const { signal } = this.closing;
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    this.search.addEventListener("keydown", (event) => {
      const text = this.search.value.trim().toLowerCase();
      this.search.setCustomValidity("");
      if (event.key === "Enter" && text !== "") void this.find({ text });
    });
    addEventListener("beforeprint", () => this.print(true), { signal });
    addEventListener("afterprint", () => this.print(false), { signal });
  }

  private key(event: KeyboardEvent): void {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.defaultPrevented ||
      isTyping(event.target) ||
      document.querySelector("dialog[open]")
    )
      return;
    const number = "123456".indexOf(event.key);
    if (number >= 0 && event.key.length === 1) this.tabs.showNumber(number);
    else if (event.key === "?") this.help.open();
    else if (event.key === "/") this.search.focus();
    else if (event.key === "f") this.openFilter();
    else if (event.key === "g") this.grouping.input.click();
    else return;
    event.preventDefault();
  }

  private print(printing: boolean): void {
    if (printing) {
      this.contention.update();
      this.statistics.open();
      this.path.open();
      if (this.about.methods) this.methods.open();
      if (this.about.heap) this.heap.update();
    }
    if (printing) this.placeTimeline(this.panel(TIMELINE));
    else if (this.tabs.shownTab === CONTENTION) this.placeTimeline(this.contention.lanes);
    this.root.classList.toggle("printing", printing); // shows all panels, so that the timeline has a width to draw on
    this.theme.print(printing);
    this.contention.print(printing);
    this.statistics.print(printing);
    this.path.print(printing);
    this.heap.print(printing);
    this.methods.print(printing);
  }
}

// fileOf returns the last part of a path. The tooltip has all of it.
function fileOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1) || path;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type))
  );
}
