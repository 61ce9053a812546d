import { button, checkbox, Choice, element, named, replace } from "../element.js";
import { caller, callerAt, className, counted, messageOf, moment } from "../format.js";
import { type Jumps, keysOf } from "../finder.js";
import { processesOf } from "../processes.js";
import { section } from "../section.js";
import {
  type About, type SiteStatistics, type Source, type Statistics, type ThreadName, BLOCKED, DEADLOCKED, RUNNING,
} from "../source.js";
import type { SpanRow } from "../timeline/details.js";
import { type Column, Table, type TableOptions } from "../table/table.js";
import {
  classColumns, type ClassRow, holderColumns, type HolderRow, monitorColumns, type MonitorRow, ownerColumns,
  type OwnerRow, pairColumns, type PairRow, siteColumns, siteText, threadColumns, type ThreadRow, totalColumns,
  type TotalRow,
} from "./columns.js";
import { type Kind, KINDS, PARTS } from "./kinds.js";

export interface StatisticsOptions {
  // The threads that this page shows.
  threads: () => number[] | "all";
  jumps: Jumps;
  // The window of the timeline.
  window: () => { from: number; to: number };
}

// StatisticsTab has tables of blocks and waits: who, for how long, at what and where. Selecting threads narrows all
// tables below to them; selecting a class narrows callers and monitors to it.
export class StatisticsTab {
  private readonly threads: Table<ThreadRow>;
  private readonly totals: Table<TotalRow>;
  private readonly classes: Table<ClassRow>;
  private readonly sites: Table<SiteStatistics>;
  private readonly holders: Table<HolderRow>;
  private readonly monitors: Table<MonitorRow>;
  private readonly owners: Table<OwnerRow>;
  private readonly pairs: Table<PairRow>;
  private readonly totalsTitle = element("h2", {}, "Totals");
  private readonly classNote = element("p", { class: "section-note", role: "status" });
  private readonly state = element("p", { class: "panel-state", role: "status" });
  private readonly windowText = element("span", { class: "window-text" });
  private readonly content = element("div", { class: "statistics-content" });
  private kind: Kind = "blocked";
  private windowOnly = false;
  private asked = ""; // the current or pending request, as JSON
  private question = 0; // answers to earlier questions are ignored
  private asking = new AbortController(); // aborts the current request
  private sought: SpanRow | null = null; // the row to show as soon as the tables are there
  private every: Statistics | null = null; // of all threads
  private some: Statistics | null = null; // of the selected ones

  constructor(
    private readonly root: HTMLElement, private readonly source: Source, private about: About,
    private readonly options: StatisticsOptions,
  ) {
    this.threads = table({
      name: "threads", label: "Threads and how long they did not run", columns: threadColumns([], this.kind, null),
      key: threadKey, sort: "blocked", select: "many",
      selected: () => void this.narrow(),
      show: (row) =>
        options.jumps.seek({ threads: [row.threadKey] }, { threads: [row.threadKey], states: [RUNNING] }),
      unit: ["thread", "threads"], empty: "No thread was blocked or waited here.",
    });
    this.totals = table({
      name: "totals", label: "Totals by kind of time", columns: totalColumns([]),
      key: (row) => row.look.kind,
      sort: "kind", ascending: true, select: "one", unit: ["kind", "kinds"], search: false,
      show: (row) => options.jumps.seek({ states: row.look.states, threads: this.chosenThreads() }),
    });
    this.classes = table({
      name: "classes", label: "Classes of monitors", columns: classColumns([], this.kind),
      key: (row) => row.class,
      sort: "blocked", select: "one",
      selected: () => this.narrowToClass(),
      show: (row) => options.jumps.seek({ className: row.class }),
      unit: ["class", "classes"], empty: "No thread was blocked or waited at a monitor here.",
    });
    this.sites = table({
      name: "sites", label: "Blocks and waits by caller", columns: siteColumns([], this.kind), key: siteKey,
      sort: "blocked", select: "one",
      selected: () => this.showHolders(),
      show: (row) => options.jumps.seek({ className: row.monitorClass, place: callerAt(row) }),
      accept: (row) => this.ofClass(row.monitorClass),
      unit: ["caller", "callers"], empty: "No thread was blocked or waited here.",
    });
    this.holders = table({
      name: "holders", label: "Where the holders were", columns: holderColumns(),
      key: (row) => siteKey(row.site) + "\n" + siteText(row),
      sort: "total", select: "one", unit: ["place", "places"], empty: "No holder is known.",
      show: ({ site, ...row }) => {
        const at = { className: site.monitorClass, place: callerAt(site) };
        options.jumps.seek({ ...at, otherPlace: callerAt({ ...row, in: undefined }) }, at);
      },
    });
    this.monitors = table({
      name: "monitors", label: "Monitors", columns: monitorColumns([], this.kind, null), key: monitorKey,
      sort: "blocked", select: "one",
      selected: () => this.showOwners(),
      show: (row) => options.jumps.seek({ className: row.class, object: row.objectId }),
      accept: (row) => this.ofClass(row.class),
      unit: ["monitor", "monitors"], empty: "No thread was blocked or waited at a monitor here.",
    });
    this.owners = table({
      name: "owners", label: "Owners of monitors", columns: ownerColumns(null),
      key: (row) => monitorKey(row.monitor) + "\n" + nameKey(row),
      sort: "total", select: "one", unit: ["owner", "owners"], empty: "No owner is known.",
      show: (row) => {
        const at = { className: row.monitor.class, object: row.monitor.objectId };
        options.jumps.seek({ ...at, others: keysOf(this.about, row) }, at);
      },
    });
    this.pairs = table({
      name: "pairs", label: "Who held the monitor when a thread was blocked", columns: pairColumns(null),
      key: (row) => nameKey(row.waiter) + "\n" + nameKey(row.owner),
      sort: "total", select: "one", unit: ["pair", "pairs"],
      empty: "No thread is known to have blocked another one.",
      show: ({ waiter, owner }) => {
        const of = { threads: keysOf(this.about, waiter), states: [BLOCKED, DEADLOCKED] };
        options.jumps.seek({ ...of, others: keysOf(this.about, owner) }, of);
      },
    });
    this.content.hidden = true;
    this.content.append(
      section(
        "Threads",
        "Select threads to see only theirs below: click, Ctrl or Shift and click, or the space bar.",
        this.threads,
      ),
      titled(this.totalsTitle, this.totals),
      section(
        "Classes of monitors", "Select a class to see only its callers and monitors.", this.classes, this.classNote,
      ),
      section("Blocks and waits by caller", "Select a caller to see where the holders were.", this.sites),
      section("Where the holders were", "", this.holders),
      section("Monitors", "Select a monitor to see who owned it.", this.monitors),
      section("Owners of monitors", OWNERS, this.owners),
      section("Who held the monitor when a thread was blocked", "", this.pairs));
    root.classList.add("statistics");
    root.append(this.tools(), this.state, this.content);
    this.colour();
  }

  // open updates the tables. It requests data only if the threads, the window or the trace have changed.
  open(): void {
    const window = this.options.window();
    const precision = (window.to - window.from) / 1000;
    this.windowText.textContent = `${moment(window.from, precision)} – ${moment(window.to, precision)}`;
    const question = JSON.stringify([
      this.options.threads(), this.windowOnly ? [window.from, window.to] : null, this.about.events,
    ]);
    if (question === this.asked) return;
    this.asked = question;
    void this.load();
  }

  // reveal selects a span's row in its table, which then shows all threads.
  reveal(row: SpanRow): void {
    this.sought = row;
    const narrowed = this.threads.selection.size > 0;
    for (const table of [this.threads, this.classes, this.sites, this.monitors]) table.select([]);
    if (narrowed) void this.narrow();
    else if (!this.root.hasAttribute("aria-busy")) this.narrowToClass();
    this.revealSought();
  }

  // revealSought selects the row as soon as the tables are up to date.
  private revealSought(): void {
    const row = this.sought;
    if (!row || !this.some || this.root.hasAttribute("aria-busy")) return;
    this.sought = null;
    const site = row.place && this.some.sites.find((s) => callerAt(s) === caller(row.place!) && isOf(s, row));
    const shown =
      (row.thread !== undefined && this.threads.showRow(String(row.thread))) ||
      (site && this.sites.showRow(siteKey(site))) ||
      (row.monitor && this.monitors.showRow(JSON.stringify([row.monitor[1], row.monitor[0], row.monitor[2]])));
    if (!shown) this.state.textContent = "The tables have no row of this: the row is left out, or in sums only.";
  }

  // grown updates the tab when the trace has grown. open() requests new figures.
  grown(about: About): void {
    this.about = about;
  }

  print(printing: boolean): void {
    for (const printed of [
      this.threads, this.totals, this.classes, this.sites, this.holders, this.monitors, this.owners, this.pairs,
    ])
      printed.print(printing);
  }

  private tools(): HTMLElement {
    const kinds = new Choice<Kind>(
      "Details of",
      KINDS.map((look) => [look.kind, look.time] as const),
      this.kind,
      (kind) => {
        this.kind = kind;
        this.colour();
        this.show();
        for (const sorted of [this.threads, this.classes, this.sites, this.monitors]) sorted.sortByColumn(kind);
      },
    );
    const restrict = checkbox("Only the timeline's window", false, (checked) => {
      this.windowOnly = checked;
      this.open();
    });
    return element(
      "div", { class: "panel-tools" },
      element("span", { class: "tool-label", "aria-hidden": "true" }, "Details of"),
      kinds.root,
      element("span", { class: "window-choice" }, restrict.root, this.windowText),
      button("Clear selection", () => this.clear()),
    );
  }

  private colour(): void {
    const look = KINDS.find((l) => l.kind === this.kind) ?? KINDS[0]!;
    this.root.style.setProperty("--kind", `var(--state-${look.state})`);
  }

  private clear(): void {
    this.threads.select([]);
    this.classes.select([]);
    this.sites.select([]);
    this.monitors.select([]);
    void this.narrow();
  }

  private async load(): Promise<void> {
    const question = ++this.question;
    this.asking.abort();
    this.asking = new AbortController();
    const signal = this.asking.signal;
    this.state.textContent = this.every ? "" : "Counting …";
    this.root.setAttribute("aria-busy", "true");
    try {
      const [from, to] = this.range();
      const every = await this.source.statistics(this.options.threads(), from, to, signal);
      if (question !== this.question) return;
      this.every = every;
      this.threads.setRows(every.threads);
      const keys = this.selectedThreads();
      const some = keys.length > 0 ? await this.source.statistics(keys, from, to, signal) : every;
      if (question !== this.question) return;
      this.some = some;
      this.content.hidden = false;
      this.state.textContent = limitsOf(every);
      this.state.classList.remove("failed");
      this.show();
    } catch (failure) {
      if (question === this.question) this.fail(failure);
    } finally {
      if (question === this.question) this.root.removeAttribute("aria-busy");
      this.revealSought();
    }
  }

  private fail(failure: unknown): void {
    this.asked = "";
    this.state.textContent = `The statistics cannot be shown: ${messageOf(failure)}`;
    this.state.classList.add("failed");
  }

  // narrow shows the selected threads, or all if none is selected.
  private narrow(): Promise<void> {
    return this.load();
  }

  private range(): [number?, number?] {
    if (!this.windowOnly) return [];
    const { from, to } = this.options.window();
    return [Math.floor(from), Math.ceil(to)];
  }

  // chosenThreads returns the selected threads, or undefined.
  private chosenThreads(): number[] | undefined {
    const keys = this.selectedThreads();
    return keys.length > 0 ? keys : undefined;
  }

  private selectedThreads(): number[] {
    const allowed = this.options.threads();
    const within = allowed === "all" ? null : new Set(allowed);
    return [...this.threads.selection].map(Number).filter((key) => !within || within.has(key));
  }

  private show(): void {
    if (!this.every || !this.some) return;
    const { every, some, kind } = this, processes = processesOf(this.about);
    this.threads.setColumns(threadColumns(every.threads, kind, processes));
    this.totalsTitle.textContent = this.totalsText();
    const totals = KINDS.map((look) => ({ look, distribution: some.all[look.kind] }))
      .filter(({ look, distribution }) => !PARTS.includes(look.kind) || distribution.count > 0);
    put(this.totals, totalColumns(totals), totals);
    put(this.classes, classColumns(some.classes, kind), some.classes);
    put(this.sites, siteColumns(some.sites, kind), some.sites);
    put(this.monitors, monitorColumns(some.monitors, kind, processes), some.monitors);
    this.owners.setColumns(ownerColumns(processes));
    put(this.pairs, pairColumns(processes), some.pairs);
    this.narrowToClass();
  }

  private totalsText(): string {
    const chosen = this.threads.selection.size;
    return chosen > 0
      ? `Totals of ${counted(chosen, "selected thread")}`
      : `Totals of all ${counted(threadsOf(this.every), "thread")}`;
  }

  private ofClass(name: string): boolean {
    return this.classes.selection.size === 0 || this.classes.selection.has(name);
  }

  private narrowToClass(): void {
    const [chosen] = this.classes.selection;
    replace(
      this.classNote,
      ...(chosen === undefined
        ? []
        : ["Callers and monitors below: only of ", named(className(chosen) || "(unknown class)"), "."]),
    );
    this.sites.refresh();
    this.monitors.refresh();
    this.showHolders();
    this.showOwners();
  }

  private showHolders(): void {
    const rows = chosenOrAll(this.sites, siteKey);
    this.holders.setRows(rows.flatMap((site) => site.holders.map((holder) => ({ ...holder, site }))));
  }

  private showOwners(): void {
    const rows = chosenOrAll(this.monitors, monitorKey);
    this.owners.setRows(rows.flatMap((monitor) => monitor.owners.map((owner) => ({ ...owner, monitor }))));
  }
}

function table<Row>(options: TableOptions<Row>): Table<Row> {
  return new Table<Row>({ ...options, name: `statistics.${options.name}` });
}

function put<Row>(shown: Table<Row>, columns: Column<Row>[], rows: Row[]): void {
  shown.setColumns(columns, rows);
}

function chosenOrAll<Row>(shown: Table<Row>, key: (row: Row) => string): Row[] {
  const chosen = shown.rowsInSight.filter((row) => shown.selection.has(key(row)));
  return chosen.length > 0 ? chosen : [...shown.rowsInSight];
}

function threadKey(row: ThreadRow): string {
  return String(row.threadKey);
}

function threadsOf(every: Statistics | null): number {
  return (every?.threads.length ?? 0) + (every?.omitted?.["threads"] ?? 0) + (every?.hidden?.["threads"]?.rows ?? 0);
}

// limitsOf returns sentences on the omissions of the tables.
function limitsOf(every: Statistics): string {
  const texts = every.incomplete
    ? [
        "Short intervals are in this page only in sums, so these figures are of the longer ones. " +
          "trcx serve has them all.",
      ]
    : [];
  const left = Object.entries(every.omitted ?? {}).map(([table, rows]) => `${table}: ${rows.toLocaleString("en")}`);
  if (left.length > 0)
    texts.push(
      `Tables have the rows with the most time; left out are ${left.join(", ")}. ` +
        "trcx stats TRACE --top 0 has them all.",
    );
  return texts.join(" ");
}

// isOf reports whether a site belongs to the span's monitor.
function isOf(site: SiteStatistics, row: SpanRow): boolean {
  return site.monitorClass === (row.monitor?.[1] ?? "");
}

function siteKey(row: SiteStatistics): string {
  return JSON.stringify([
    row.class, row.method, row.file, row.line, row.in, row.outer, row.monitorClass, row.joined.count > 0,
    row.slept.count > 0,
  ]);
}

function monitorKey(row: MonitorRow): string {
  return JSON.stringify([row.class, row.objectId, row.session ?? 0]);
}

function nameKey(thread: ThreadName): string {
  return JSON.stringify([thread.threadId, thread.name, thread.session ?? 0]);
}

// OWNERS is the hint on the owners' table: a part of a trace has no changes of owners.
const OWNERS = "In a part of the time or of the threads: who held the monitor when a thread was blocked.";

function titled(title: HTMLElement, shown: { root: HTMLElement; tools: HTMLElement }): HTMLElement {
  shown.tools.remove(); // five kinds need neither a search nor a count
  return element("section", { class: "section" }, element("div", { class: "section-head" }, title), shown.root);
}
