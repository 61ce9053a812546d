import { button, element, named, replace, tooltip } from "../element.js";
import { count, counted } from "../format.js";
import type { Column } from "./column.js";
import { SCALE, TableHead } from "./head.js";
import { RowSelection } from "./selection.js";

export type { Column };

// Table can be sorted by any column, has a search and columns of adjustable width, and makes only the visible rows, so
// that ten thousand rows are fast. It reads no layout while it changes; sizes come from an observer.

export interface TableOptions<Row> {
  // The key of the widths in the browser's storage.
  name: string;
  // The accessible name of the table.
  label: string;
  columns: Column<Row>[];
  // Unique among the rows, and stable when new rows come.
  key: (row: Row) => string;
  sort: string;
  ascending?: boolean;
  // none: rows are only read. one, many: rows can be selected. checks: like many, with a box in each row.
  select?: "none" | "one" | "many" | "checks";
  selected?: (keys: ReadonlySet<string>) => void;
  // Enter or a double click on a row.
  open?: (row: Row) => void;
  // A button in the first column shows the row in the timeline.
  show?: (row: Row) => void;
  // Filters beyond the search.
  accept?: (row: Row) => boolean;
  // The text of a table without rows.
  empty?: string;
  search?: boolean;
  // The word for a row, singular and plural.
  unit: [string, string];
}

const ROW_HEIGHT = 28 * SCALE; // as in table.css
const SPARE_ROWS = 12; // made above and below the visible ones
const SMALL = 120; // rows of a table that is made as a whole
const PRINTED = 100; // rows on paper

export class Table<Row> {
  readonly root: HTMLElement;
  // The search box and the number of rows. They are above the table, unless the caller moves them.
  readonly tools: HTMLElement;
  private readonly body = element("tbody");
  private readonly grid: HTMLTableElement;
  private readonly head: TableHead<Row>;
  private readonly scroller: HTMLElement;
  private readonly count = element("span", { class: "table-count" });
  private readonly chosen: RowSelection<Row>;
  private all: Row[] = [];
  private sight: Row[] = []; // sorted, and only those that the search finds
  private query = "";
  private made: [from: number, to: number] = [0, 0];
  private visible: [top: number, height: number] = [0, 0]; // of the scroller, in pixels, as last observed
  private printing = false;

  constructor(private readonly options: TableOptions<Row>) {
    this.grid = element("table", this.gridAttributes(), this.body);
    this.chosen = new RowSelection(!this.multiple, options.key, () => this.sight);
    const order = { by: options.sort, descending: !options.ascending };
    this.head = new TableHead(this.grid, options.name, options.columns, order, () => this.arrange());
    this.tools = this.makeTools();
    this.scroller = element(
      "div",
      { class: "table-scroller", tabindex: this.selectable ? -1 : 0, role: "group", "aria-label": options.label },
      this.grid,
    );
    this.root = element("div", { class: "table" }, this.tools, this.scroller);
    this.scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.body.addEventListener("click", (event) => this.clicked(event));
    this.body.addEventListener("dblclick", (event) => this.opened(event.target));
    this.body.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.resized()).observe(this.scroller);
  }

  // setRows replaces the rows. Rows with the same keys stay selected.
  setRows(rows: Row[]): void {
    this.all = rows;
    if (this.chosen.keys.size > 0) this.chosen.dropMissing(rows);
    this.arrange();
  }

  // setColumns replaces the columns, and the rows if given.
  setColumns(columns: Column<Row>[], rows?: Row[]): void {
    this.head.setColumns(columns);
    this.setRows(rows ?? this.all);
  }

  // sortByColumn sorts by a column, the greatest first, if the table has it.
  sortByColumn(id: string): void {
    this.head.sortByColumn(id);
  }

  get rowsInSight(): readonly Row[] {
    return this.sight;
  }

  get selection(): ReadonlySet<string> {
    return this.chosen.keys;
  }

  // select selects these rows and no others, without a call of options.selected.
  select(keys: Iterable<string>): void {
    this.chosen.set(keys);
    this.mark();
  }

  // showRow selects a row, brings it into view and focuses it. It ends a search that hides the row, and reports whether
  // the table has it.
  showRow(key: string): boolean {
    const found = () => this.sight.findIndex((row) => this.options.key(row) === key);
    if (found() < 0 && this.query !== "") this.search("");
    const at = found();
    if (at < 0) return false;
    this.root.scrollIntoView({ block: "nearest" });
    this.chosen.set([]);
    this.act(() => this.chosen.only(at));
    this.focus(at);
    return true;
  }

  // refresh filters the rows again.
  refresh(): void {
    this.arrange();
  }

  // print makes many rows at once for paper, or goes back to the visible ones.
  print(printing: boolean): void {
    this.printing = printing;
    this.root.classList.toggle("printing", printing);
    this.fill();
  }

  private get selectable(): boolean {
    return (this.options.select ?? "none") !== "none";
  }

  private get multiple(): boolean {
    return this.options.select === "many" || this.options.select === "checks";
  }

  private gridAttributes(): Record<string, string | undefined> {
    if (!this.selectable) return { "aria-label": this.options.label };
    return {
      role: "grid", "aria-label": this.options.label, "aria-multiselectable": this.multiple ? "true" : undefined,
    };
  }

  private makeTools(): HTMLElement {
    const tools = element("div", { class: "table-tools" }, this.count);
    if (this.options.search === false) return tools;
    const input = element("input", {
      type: "search", class: "table-search", placeholder: "Search", "aria-label": `Search: ${this.options.label}`,
      spellcheck: "false",
    });
    input.addEventListener("input", () => this.search(input.value));
    tools.prepend(input);
    return tools;
  }

  private search(text: string): void {
    const input = this.tools.querySelector("input");
    if (input && input.value !== text) input.value = text;
    this.query = text.toLowerCase();
    this.arrange();
  }

  private resized(): void {
    this.head.fit(this.scroller.clientWidth);
    this.scrolled();
  }

  private scrolled(): void {
    this.visible = [this.scroller.scrollTop, this.scroller.clientHeight];
    this.follow();
  }

  // --- rows

  private arrange(): void {
    const { accept } = this.options, { chosen } = this;
    this.sight = this.head.inOrder(this.all.filter((row) => (!accept || accept(row)) && this.found(row)));
    chosen.at = Math.max(0, Math.min(chosen.at, this.sight.length - 1));
    this.say();
    this.fill();
  }

  private found(row: Row): boolean {
    return this.query === "" || this.head.all.some((column) => column.text(row).toLowerCase().includes(this.query));
  }

  private say(): void {
    const [one, many] = this.options.unit, { size } = this.chosen.keys;
    const total = counted(this.all.length, one, many);
    const shown = this.sight.length === this.all.length ? total : `${count(this.sight.length)} of ${total}`;
    this.count.textContent = shown + (this.multiple && size > 0 ? `, ${count(size)} selected` : "");
  }

  // follow makes the rows that have become visible.
  private follow(): void {
    const [from, to] = this.wanted();
    if (from < this.made[0] || to > this.made[1]) this.fill();
  }

  private wanted(): [number, number] {
    const length = this.sight.length;
    if (this.printing) return [0, Math.min(length, PRINTED)];
    if (length <= SMALL) return [0, length];
    const [top, height] = this.visible, first = Math.floor(top / ROW_HEIGHT);
    const last = first + Math.ceil(height / ROW_HEIGHT) + 1;
    return [Math.max(0, Math.min(first, length - 1)), Math.min(length, last)];
  }

  private fill(): void {
    const [first, last] = this.wanted();
    const whole = this.printing || this.sight.length <= SMALL;
    const from = whole ? first : Math.max(0, first - SPARE_ROWS);
    const to = whole ? last : Math.min(this.sight.length, last + SPARE_ROWS);
    const focused = this.body.contains(document.activeElement) && document.activeElement instanceof HTMLTableRowElement;
    this.made = [from, to];
    replace(this.body, ...this.filling(from, to));
    this.grid.setAttribute("aria-rowcount", String(this.sight.length + 1));
    if (focused) this.rowAt(this.chosen.at)?.focus({ preventScroll: true });
  }

  private filling(from: number, to: number): Node[] {
    if (this.sight.length === 0)
      return [
        this.notice(
          this.all.length === 0 ? (this.options.empty ?? "There is nothing to show.") : "No row matches the search.",
        ),
      ];
    const rows: Node[] = [];
    if (from > 0) rows.push(this.space(from));
    for (let i = from; i < to; i++) rows.push(this.row(this.sight[i], i));
    if (to < this.sight.length)
      rows.push(
        this.printing
          ? this.notice(`${count(this.sight.length - to)} more are not printed.`)
          : this.space(this.sight.length - to),
      );
    return rows;
  }

  private space(rows: number): HTMLElement {
    const space = element("td", { colspan: this.head.all.length });
    space.style.height = `${rows * ROW_HEIGHT}px`;
    return element("tr", { class: "space", "aria-hidden": "true" }, space);
  }

  private notice(text: string): HTMLElement {
    return element("tr", { class: "notice" }, element("td", { colspan: this.head.all.length }, text));
  }

  private row(row: Row, i: number): HTMLElement {
    const made = element("tr", { "aria-rowindex": i + 2, "data-at": i });
    if (this.selectable) {
      made.setAttribute("aria-selected", String(this.chosen.has(row)));
      made.tabIndex = i === this.chosen.at ? 0 : -1;
    }
    this.head.all.forEach((column, c) => made.append(this.cell(row, column, c === 0)));
    return made;
  }

  private cell(row: Row, column: Column<Row>, first: boolean): HTMLElement {
    const text = column.text(row);
    const cell = element("td", { class: column.number ? "number" : undefined });
    if (this.selectable) cell.setAttribute("role", "gridcell");
    const content = column.cell ? column.cell(row) : column.number ? text : named(text);
    cell.append(
      first && this.options.select === "checks"
        ? element("span", { class: "with-box" }, this.box(row, text), content)
        : content,
    );
    const { show } = this.options;
    if (first && show)
      cell.append(
        button("", () => show(row), {
          class: "show", tabindex: -1, "aria-label": `Show in the timeline: ${tooltip(text)}`,
          title: "Show its longest wait in the timeline (Enter)",
        }),
      );
    if (column.number && !column.cell) cell.title = tooltip(text);
    return cell;
  }

  // box shows whether a row is chosen. It is not in the focus order, as the space bar does the same on the row.
  private box(row: Row, text: string): HTMLElement {
    const box = element("input", { type: "checkbox", tabindex: "-1", "aria-label": tooltip(text) });
    box.checked = this.chosen.has(row);
    return box;
  }

  private rowAt(i: number): HTMLTableRowElement | null {
    return this.body.querySelector<HTMLTableRowElement>(`tr[data-at="${i}"]`);
  }

  // --- selection

  private clicked(event: MouseEvent): void {
    if (!this.selectable || !(event.target instanceof Element) || event.target.closest("button, a")) return;
    const row = event.target.closest<HTMLElement>("tr[data-at]");
    if (!row) return;
    const i = Number(row.dataset.at), { chosen } = this;
    const toggles = event.ctrlKey || event.metaKey || this.options.select === "checks";
    if (this.multiple && event.shiftKey) this.act(() => chosen.range(i, toggles));
    else if (toggles) this.act(() => chosen.toggle(i));
    else this.act(() => chosen.only(i));
    this.focus(i);
  }

  private key(event: KeyboardEvent): void {
    if (!this.selectable || !(event.target instanceof HTMLTableRowElement)) return;
    const { chosen, multiple } = this, { at } = chosen;
    const page = Math.max(1, Math.floor(this.visible[1] / ROW_HEIGHT) - 2);
    const to = {
      ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.sight.length - 1,
    }[event.key];
    if (to !== undefined) this.move(Math.max(0, Math.min(this.sight.length - 1, to)), event);
    else if (event.key === " ") this.act(() => (multiple ? chosen.toggle(at) : chosen.only(at)));
    else if (event.key === "Enter") this.entered(event.target);
    else if (event.key === "a" && (event.ctrlKey || event.metaKey) && multiple) this.act(() => chosen.everything());
    else if (event.key === "Escape" && this.options.select !== "checks" && chosen.keys.size > 0)
      this.act(() => chosen.set([]));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // entered opens the focused row, or selects it if rows cannot be opened.
  private entered(target: EventTarget | null): void {
    if (!this.opened(target)) this.act(() => this.chosen.only(this.chosen.at));
  }

  private move(to: number, event: KeyboardEvent): void {
    const { chosen } = this;
    if (this.multiple && event.shiftKey) this.act(() => chosen.range(to, false));
    else if (!event.ctrlKey && !event.metaKey && this.options.select !== "checks") this.act(() => chosen.only(to));
    else chosen.anchorAt(to);
    this.focus(to);
  }

  private focus(i: number): void {
    const before = this.rowAt(this.chosen.at);
    if (before) before.tabIndex = -1;
    this.chosen.at = i;
    this.reveal(i);
    const row = this.rowAt(i);
    if (!row) return;
    row.tabIndex = 0;
    row.focus({ preventScroll: true });
  }

  private reveal(i: number): void {
    const { scroller } = this, head = this.grid.tHead?.offsetHeight ?? ROW_HEIGHT;
    const top = i * ROW_HEIGHT, visible = scroller.clientHeight - head;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + ROW_HEIGHT > scroller.scrollTop + visible) scroller.scrollTop = top + ROW_HEIGHT - visible;
    this.scrolled();
  }

  // act changes the selection and reports it.
  private act(change: () => void): void {
    change();
    this.mark();
    this.options.selected?.(this.chosen.keys);
  }

  private mark(): void {
    for (const row of this.body.querySelectorAll<HTMLElement>("tr[data-at]")) {
      const chosen = this.chosen.has(this.sight[Number(row.dataset.at)]);
      row.setAttribute("aria-selected", String(chosen));
      const box = row.querySelector<HTMLInputElement>("input[type=checkbox]");
      if (box) box.checked = chosen;
    }
    this.say();
  }

  // opened calls options.open for the row of an element, else options.show. It reports whether the table has one.
  private opened(target: EventTarget | null): boolean {
    const row = target instanceof Element ? target.closest<HTMLElement>("tr[data-at]") : null;
    const act = this.options.open ?? this.options.show;
    if (!row || !act) return false;
    act(this.sight[Number(row.dataset.at)]);
    return true;
  }
}
