import { button, element, named } from "../element.js";
import { count } from "../format.js";
import { processesOf } from "../processes.js";
import {
  type About, BLOCKED, DEADLOCKED, IN_IO, JOINING, PARKED, RUNNING, SLEEPING, TIMED_WAITING, WAITING,
} from "../source.js";
import { countColumn, durationColumn, textColumn } from "../table/cells.js";
import { type Column, Table } from "../table/table.js";
import { globFits, isGlob } from "./glob.js";

interface Row {
  key: number;
  name: string;
  id: string;
  group: string;
  process: string;
  times: number[];
  path: number;
}

// Filter is the dialog for choosing the threads to show. It can be opened any number of times.
export class Filter {
  private readonly dialog = element("dialog", { class: "filter", "aria-labelledby": "filter-title" });
  private readonly table: Table<Row>;
  private readonly pattern = element("input", {
    type: "search", "aria-label": "Search threads", placeholder: "Search, or a pattern such as worker-*",
    spellcheck: "false", class: "filter-search",
  });
  private readonly count = element("span", { role: "status", class: "filter-count" });
  private readonly apply: HTMLButtonElement;
  private rows: Row[] = [];

  // applied gets the keys of the chosen threads, in the trace's order.
  constructor(private readonly applied: (keys: number[]) => void) {
    this.table = new Table<Row>({
      name: "filter", label: "Threads", columns: columnsOf(false),
      key: (row) => String(row.key),
      sort: "key", ascending: true, select: "checks", search: false, unit: ["thread", "threads"],
      accept: (row) => this.accepts(row),
      selected: () => this.say(),
    });
    this.apply = button("Apply", () => this.done(), { class: "primary" });
    this.pattern.addEventListener("input", () => {
      this.table.refresh();
      this.say();
    });
    this.pattern.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.done();
    });
    this.dialog.append(this.head(), this.tools(), this.table.root, this.foot());
    document.body.append(this.dialog);
  }

  // open shows the dialog, with these threads chosen.
  open(about: About, shown: ReadonlySet<number>): void {
    this.rows = rowsOf(about);
    this.pattern.value = "";
    this.table.setColumns(columnsOf(about.sessions.length > 1));
    this.table.select([...shown].map(String));
    this.table.setRows(this.rows);
    this.say();
    this.dialog.showModal();
    this.pattern.focus();
  }

  destroy(): void {
    this.dialog.remove();
  }

  private head(): HTMLElement {
    return element(
      "div", { class: "dialog-head" }, element("h2", { id: "filter-title" }, "Threads to show"),
      button("✕", () => this.dialog.close(), { class: "quiet", "aria-label": "Close" }),
    );
  }

  private tools(): HTMLElement {
    return element("div", { class: "dialog-tools" },
      this.pattern,
      button("Select all", () => this.choose(() => true), { title: "choose every thread that the search finds" }),
      button("Select none", () => this.choose(() => false), { title: "choose none of those that the search finds" }),
      button("Invert", () => this.choose((key) => !this.table.selection.has(key)), {
        title: "of those that the search finds",
      }),
      button("Only these", () => this.onlyFound(), { title: "choose what the search finds, and nothing else" }),
    );
  }

  private foot(): HTMLElement {
    return element(
      "div", { class: "dialog-foot" }, this.count,
      button("Cancel", () => this.dialog.close()),
      this.apply,
    );
  }

  // A pattern must match a whole name, id or group; any other text is searched within them.
  private accepts(row: Row): boolean {
    const wanted = this.pattern.value.trim().toLowerCase();
    if (wanted === "") return true;
    const fits = isGlob(wanted)
      ? (text: string) => globFits(wanted, text)
      : (text: string) => text.toLowerCase().includes(wanted);
    return fits(row.name) || fits(row.id) || fits(row.group);
  }

  private choose(wanted: (key: string) => boolean): void {
    const chosen = new Set(this.table.selection);
    for (const row of this.table.rowsInSight) {
      const key = String(row.key);
      if (wanted(key)) chosen.add(key);
      else chosen.delete(key);
    }
    this.table.select(chosen);
    this.say();
  }

  private onlyFound(): void {
    this.table.select(this.table.rowsInSight.map((row) => String(row.key)));
    this.say();
  }

  private say(): void {
    const chosen = this.table.selection.size;
    this.count.textContent =
      chosen === 0
        ? "Choose at least one thread."
        : `${count(chosen)} of ${count(this.rows.length)} threads will be shown.`;
    this.apply.disabled = chosen === 0;
  }

  private done(): void {
    if (this.apply.disabled) return;
    this.dialog.close();
    this.applied(this.rows.filter((row) => this.table.selection.has(String(row.key))).map((row) => row.key));
  }
}

function rowsOf(about: About): Row[] {
  const t = about.threads;
  const processes = processesOf(about);
  return t.key.map((key, i) => ({
    key, name: t.name[i], id: t.id[i], group: t.group[i], process: processes?.get(t.session[i]) ?? "",
    times: t.times[i], path: t.path[i] ?? 0,
  }));
}

function columnsOf(processes: boolean): Column<Row>[] {
  const time = (state: number, label: string, ...also: number[]) =>
    durationColumn<Row>(
      `state-${state}`, label,
      (row) => also.reduce((sum, other) => sum + row.times[other], row.times[state]),
    );
  return [
    {
      ...textColumn<Row>("name", "Thread", 200, (row) => row.name || "(no name)"),
      grows: true,
      cell: (row) => named(row.name || "(no name)"),
    },
    { ...textColumn<Row>("id", "Id", 64, (row) => row.id), number: true, order: (row) => Number(row.id) || row.id },
    textColumn<Row>("group", "Group", 130, (row) => row.group),
    ...(processes ? [textColumn<Row>("process", "Process", 110, (row) => row.process)] : []),
    time(RUNNING, "RUNNABLE"), time(WAITING, "Waited", TIMED_WAITING, PARKED, IN_IO), time(BLOCKED, "BLOCKED"),
    time(JOINING, "JOINING"),
    time(SLEEPING, "SLEEPING"), time(DEADLOCKED, "DEADLOCKED"),
    durationColumn<Row>("path", "On path", (row) => row.path, "time of the critical path that runs through the thread"),
    {
      ...countColumn<Row>("key", "No.", (row) => row.key, "the thread's number, in the order of the trace"),
      width: 52,
    },
  ];
}
