import { button, element, named, replace, tooltip } from "../element.js";
import { count, counted } from "../format.js";
import { remember, remembered } from "../remembered.js";

// Table is sorted by any column, has columns of adjustable width and a search, and makes only the visible rows, so that
// ten thousand rows are fast.

export interface Column<Row> {
  id: string;
  label: string;
  // The tooltip of the heading.
  explain?: string;
  // In pixels, until it is dragged.
  width: number;
  number?: boolean;
  // The column is as wide as the others leave it.
  grows?: boolean;
  // Sorted by this; numbers come with the greatest first.
  order: (row: Row) => number | string;
  // The text of the cell, which the search finds. It may be a name of a trace.
  text: (row: Row) => string;
  // An element instead of the text.
  cell?: (row: Row) => Node;
}

export interface TableOptions<Row> {
  // The key of the widths in the browser's storage.
  name: string;
  // The accessible name of the table.
  label: string;
  columns: Column<Row>[];
  // Unique among the rows, and the same after new rows have come.
  key: (row: Row) => string;
  sort: string;
  ascending?: boolean;
  // none: rows are only read. one, many: rows are selected. checks: as many, with a box in each row.
  select?: "none" | "one" | "many" | "checks";
  selected?: (keys: ReadonlySet<string>) => void;
  // Enter or a double click on a row.
  open?: (row: Row) => void;
  // A button in the first column shows the row in the timeline.
  show?: (row: Row) => void;
  // Filters further than the search.
  accept?: (row: Row) => boolean;
  // The text of a table without rows.
  empty?: string;
  search?: boolean;
  // What a row is called, one and many.
  unit: [string, string];
}

const SCALE = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16; // of text, as people want it
const ROW_HEIGHT = 28 * SCALE; // as in table.css
const SPARE_ROWS = 12; // made above and below the visible ones
const SMALL = 120; // rows of a table that is made as a whole
const PRINTED = 100; // rows on paper
const LETTER = 7 * SCALE; // about the width of a letter in a heading
const HEAD_EXTRA = 26 * SCALE; // padding and the mark of the order
const NARROWEST = 44;
const WIDEST = 1600;

export class Table<Row> {
  readonly root: HTMLElement;
  // The search box and the number of rows: above the table, unless the caller moves them.
  readonly tools: HTMLElement;
  private readonly grid: HTMLTableElement;
  private readonly body: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly count: HTMLElement;
  private readonly heads = new Map<string, HTMLElement>();
  private readonly cols = new Map<string, HTMLElement>();
  private readonly widths = new Map<string, number>();
  private columns: Column<Row>[];
  private all: Row[] = [];
  private sight: Row[] = []; // sorted, and only those that the search finds
  private sortBy: string;
  private descending: boolean;
  private query = "";
  private readonly chosen = new Set<string>();
  private at = 0; // the row with the focus
  private anchor = 0; // where a range of the selection began
  private made: [number, number] = [0, 0];
  private printing = false;

  constructor(private readonly options: TableOptions<Row>) {
    this.columns = options.columns;
    this.sortBy = options.sort;
    this.descending = !options.ascending;
    this.readWidths();
    this.body = element("tbody");
    this.grid = element("table", this.gridAttributes(), this.body);
    this.count = element("span", { class: "table-count" });
    this.tools = this.makeTools();
    this.scroller = element(
      "div",
      { class: "table-scroller", tabindex: this.selectable ? -1 : 0, role: "group", "aria-label": options.label },
      this.grid,
    );
    this.root = element("div", { class: "table" }, this.tools, this.scroller);
    this.scroller.addEventListener("scroll", () => this.follow(), { passive: true });
    this.body.addEventListener("click", (event) => this.clicked(event));
    this.body.addEventListener("dblclick", (event) => this.opened(event.target));
    this.body.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.fit()).observe(this.scroller);
    this.head();
  }

  // setRows replaces the rows. Rows with the same keys stay selected.
  setRows(rows: Row[]): void {
    this.all = rows;
    if (this.chosen.size > 0) this.dropMissing();
    this.arrange();
  }

  // setColumns replaces the columns.
  setColumns(columns: Column<Row>[]): void {
    this.columns = columns;
    if (!columns.some((column) => column.id === this.sortBy)) this.sortBy = columns[0].id;
    this.readWidths();
    this.head();
    this.arrange();
  }

  // sortByColumn sorts by a column, the greatest first, if the table has it.
  sortByColumn(id: string): void {
    if (!this.columns.some((column) => column.id === id)) return;
    this.sortBy = id;
    this.descending = true;
    this.sorted();
    this.arrange();
  }

  get rowsInSight(): readonly Row[] {
    return this.sight;
  }

  get selection(): ReadonlySet<string> {
    return this.chosen;
  }

  // select selects these rows and no others, without a call of options.selected.
  select(keys: Iterable<string>): void {
    this.chosen.clear();
    for (const key of keys) this.chosen.add(key);
    this.mark();
  }

  // showRow selects a row, brings it into view and focuses it. It reports whether the table has the row; a search that
  // hides it ends.
  showRow(key: string): boolean {
    const found = () => this.sight.findIndex((row) => this.options.key(row) === key);
    if (found() < 0 && this.query !== "") this.search("");
    const at = found();
    if (at < 0) return false;
    this.root.scrollIntoView({ block: "nearest" });
    this.select([]);
    this.only(at);
    this.focus(at);
    return true;
  }

  private search(text: string): void {
    const input = this.tools.querySelector("input");
    if (input && input.value !== text) input.value = text;
    this.query = text.toLowerCase();
    this.arrange();
  }

  // refresh filters the rows again.
  refresh(): void {
    this.arrange();
  }

  // print makes many rows at once, for paper, or again only the visible ones.
  print(printing: boolean): void {
    this.printing = printing;
    this.root.classList.toggle("printing", printing);
    this.made = [0, 0];
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

  // --- head: sorting and widths

  private head(): void {
    this.heads.clear();
    this.cols.clear();
    const cols = element("colgroup");
    const row = element("tr");
    for (const column of this.columns) {
      const col = element("col");
      const head = this.headCell(column);
      this.cols.set(column.id, col);
      this.heads.set(column.id, head);
      cols.append(col);
      row.append(head);
    }
    this.grid.querySelector("colgroup")?.remove();
    this.grid.tHead?.remove();
    this.grid.prepend(cols, element("thead", {}, row)); // the body stays where it is, and so does the focus
    this.sorted();
    this.fit();
  }

  private headCell(column: Column<Row>): HTMLElement {
    const sort = button(column.label, () => this.sort(column), {
      class: "sort", title: column.explain ?? column.label,
    });
    sort.append(element("span", { class: "sort-mark", "aria-hidden": "true" }));
    sort.addEventListener("keydown", (event) => this.widthKey(event, column));
    const grip = element("span", {
      class: "grip", "aria-hidden": "true", title: "drag: width; double click: as wide as the text",
    });
    grip.addEventListener("pointerdown", (event) => this.drag(event, grip, column));
    grip.addEventListener("dblclick", () => this.setWidth(column, this.natural(column)));
    return element("th", { scope: "col", class: column.number ? "number" : undefined }, sort, grip);
  }

  private sort(column: Column<Row>): void {
    if (this.sortBy === column.id) this.descending = !this.descending;
    else {
      this.sortBy = column.id;
      this.descending = column.number ?? false;
    }
    this.sorted();
    this.arrange();
  }

  private sorted(): void {
    for (const [id, head] of this.heads) {
      head.setAttribute("aria-sort", id !== this.sortBy ? "none" : this.descending ? "descending" : "ascending");
    }
  }

  private widthKey(event: KeyboardEvent, column: Column<Row>): void {
    if (!event.shiftKey || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
    event.preventDefault();
    event.stopPropagation();
    this.setWidth(column, this.width(column) + (event.key === "ArrowLeft" ? -16 : 16));
  }

  private drag(event: PointerEvent, grip: HTMLElement, column: Column<Row>): void {
    event.preventDefault();
    const from = event.clientX;
    const width = this.cols.get(column.id)?.getBoundingClientRect().width || this.width(column);
    const move = (moved: PointerEvent) => this.setWidth(column, width + moved.clientX - from);
    grip.setPointerCapture(event.pointerId);
    grip.addEventListener("pointermove", move);
    grip.addEventListener("lostpointercapture", () => grip.removeEventListener("pointermove", move), { once: true });
  }

  private setWidth(column: Column<Row>, width: number): void {
    this.widths.set(column.id, Math.round(Math.min(WIDEST, Math.max(NARROWEST, width))));
    remember(`widths.${this.options.name}`, JSON.stringify(Object.fromEntries(this.widths)));
    this.fit();
  }

  private readWidths(): void {
    try {
      const kept: unknown = JSON.parse(remembered(`widths.${this.options.name}`) ?? "{}");
      for (const [id, width] of Object.entries(kept ?? {})) {
        if (typeof width === "number" && width >= NARROWEST && width <= WIDEST) this.widths.set(id, width);
      }
    } catch {
      // the stored value is invalid; the columns keep their widths
    }
  }

  private width(column: Column<Row>): number {
    // a heading is to be read whole
    return this.widths.get(column.id) ?? Math.max(SCALE * column.width, column.label.length * LETTER + HEAD_EXTRA);
  }

  // natural returns the width at which all visible cells of a column are complete.
  private natural(column: Column<Row>): number {
    const i = this.columns.indexOf(column);
    let widest = NARROWEST;
    for (const row of this.body.children) {
      const cell = row.children[i];
      if (cell) widest = Math.max(widest, cell.scrollWidth + 6);
    }
    return widest;
  }

  // fit sets the widths. The column that grows has the rest of the width, unless its width was set.
  private fit(): void {
    const available = this.scroller.clientWidth;
    let sum = 0;
    for (const column of this.columns) sum += this.width(column);
    for (const column of this.columns) {
      const grown = column.grows && !this.widths.has(column.id) && sum < available ? available - sum : 0;
      const col = this.cols.get(column.id);
      if (col) col.style.width = `${this.width(column) + grown}px`;
    }
    this.grid.style.width = `${Math.max(sum, this.grows ? available : 0)}px`;
    this.follow();
  }

  private get grows(): boolean {
    return this.columns.some((column) => column.grows && !this.widths.has(column.id));
  }

  // --- rows

  private arrange(): void {
    const column = this.columns.find((c) => c.id === this.sortBy) ?? this.columns[0];
    const { accept } = this.options;
    const sight = this.all.filter((row) => (!accept || accept(row)) && this.found(row));
    const orders = new Map(sight.map((row) => [row, column.order(row)]));
    const sign = this.descending ? -1 : 1;
    sight.sort((a, b) => sign * compared(orders.get(a)!, orders.get(b)!));
    this.sight = sight;
    this.at = Math.max(0, Math.min(this.at, sight.length - 1));
    this.made = [0, 0];
    this.say();
    this.fill();
  }

  private found(row: Row): boolean {
    return this.query === "" || this.columns.some((column) => column.text(row).toLowerCase().includes(this.query));
  }

  private say(): void {
    const [one, many] = this.options.unit;
    const total = counted(this.all.length, one, many);
    const shown = this.sight.length === this.all.length ? total : `${count(this.sight.length)} of ${total}`;
    const chosen = this.multiple && this.chosen.size > 0 ? `, ${count(this.chosen.size)} selected` : "";
    this.count.textContent = shown + chosen;
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
    const first = Math.floor(this.scroller.scrollTop / ROW_HEIGHT);
    const last = first + Math.ceil(this.scroller.clientHeight / ROW_HEIGHT) + 1;
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
    if (focused) this.rowAt(this.at)?.focus({ preventScroll: true });
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
    const space = element("td", { colspan: this.columns.length });
    space.style.height = `${rows * ROW_HEIGHT}px`;
    return element("tr", { class: "space", "aria-hidden": "true" }, space);
  }

  private notice(text: string): HTMLElement {
    return element("tr", { class: "notice" }, element("td", { colspan: this.columns.length }, text));
  }

  private row(row: Row, i: number): HTMLElement {
    const made = element("tr", { "aria-rowindex": i + 2, "data-at": i });
    if (this.selectable) {
      made.setAttribute("aria-selected", String(this.chosen.has(this.options.key(row))));
      made.tabIndex = i === this.at ? 0 : -1;
    }
    this.columns.forEach((column, c) => made.append(this.cell(row, column, c === 0)));
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

  // box shows that a row is chosen. It is not in the order of focus, for the space bar does the same on the row.
  private box(row: Row, text: string): HTMLElement {
    const box = element("input", { type: "checkbox", tabindex: "-1", "aria-label": tooltip(text) });
    box.checked = this.chosen.has(this.options.key(row));
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
    const i = Number(row.dataset.at);
    const toggles = event.ctrlKey || event.metaKey || this.options.select === "checks";
    if (this.multiple && event.shiftKey) this.range(i, toggles);
    else if (toggles) this.toggle(i);
    else this.only(i);
    this.focus(i);
  }

  private key(event: KeyboardEvent): void {
    if (!this.selectable || !(event.target instanceof HTMLTableRowElement)) return;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW_HEIGHT) - 2);
    const to = {
      ArrowDown: this.at + 1, ArrowUp: this.at - 1, PageDown: this.at + page, PageUp: this.at - page, Home: 0,
      End: this.sight.length - 1,
    }[event.key];
    if (to !== undefined) this.move(Math.max(0, Math.min(this.sight.length - 1, to)), event);
    else if (event.key === " ") this.multiple ? this.toggle(this.at) : this.only(this.at);
    else if (event.key === "Enter") this.entered(event.target);
    else if (event.key === "a" && (event.ctrlKey || event.metaKey) && this.multiple) this.everything();
    else if (event.key === "Escape" && this.options.select !== "checks" && this.chosen.size > 0) this.nothing();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // entered opens the row with the focus, or selects it where rows lead nowhere.
  private entered(target: EventTarget | null): void {
    if (!this.opened(target)) this.only(this.at);
  }

  private move(to: number, event: KeyboardEvent): void {
    if (this.multiple && event.shiftKey) this.range(to, false);
    else if (!event.ctrlKey && !event.metaKey && this.options.select !== "checks") this.only(to);
    else this.anchor = to;
    this.focus(to);
  }

  private focus(i: number): void {
    const before = this.rowAt(this.at);
    if (before) before.tabIndex = -1;
    this.at = i;
    this.reveal(i);
    const row = this.rowAt(i);
    if (!row) return;
    row.tabIndex = 0;
    row.focus({ preventScroll: true });
  }

  private reveal(i: number): void {
    const head = this.grid.tHead?.offsetHeight ?? ROW_HEIGHT;
    const top = i * ROW_HEIGHT;
    const visible = this.scroller.clientHeight - head;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    else if (top + ROW_HEIGHT > this.scroller.scrollTop + visible) this.scroller.scrollTop = top + ROW_HEIGHT - visible;
    this.follow();
  }

  private only(i: number): void {
    const row = this.sight[i];
    if (!row) return;
    const key = this.options.key(row);
    const again = this.options.select === "one" && this.chosen.has(key); // a second click clears the choice
    this.chosen.clear();
    if (!again) this.chosen.add(key);
    this.anchor = i;
    this.changed();
  }

  private toggle(i: number): void {
    const row = this.sight[i];
    if (!row) return;
    const key = this.options.key(row);
    const had = this.chosen.delete(key);
    if (!this.multiple) this.chosen.clear();
    if (!had) this.chosen.add(key);
    this.anchor = i;
    this.changed();
  }

  private range(to: number, keep: boolean): void {
    if (!keep) this.chosen.clear();
    for (let i = Math.min(this.anchor, to); i <= Math.max(this.anchor, to); i++) {
      const row = this.sight[i];
      if (row) this.chosen.add(this.options.key(row));
    }
    this.changed();
  }

  private everything(): void {
    for (const row of this.sight) this.chosen.add(this.options.key(row));
    this.changed();
  }

  private nothing(): void {
    this.chosen.clear();
    this.changed();
  }

  private dropMissing(): void {
    const there = new Set(this.all.map((row) => this.options.key(row)));
    for (const key of [...this.chosen]) if (!there.has(key)) this.chosen.delete(key);
  }

  private changed(): void {
    this.mark();
    this.options.selected?.(this.chosen);
  }

  private mark(): void {
    for (const row of this.body.querySelectorAll<HTMLElement>("tr[data-at]")) {
      const chosen = this.chosen.has(this.options.key(this.sight[Number(row.dataset.at)]));
      row.setAttribute("aria-selected", String(chosen));
      const box = row.querySelector<HTMLInputElement>("input[type=checkbox]");
      if (box) box.checked = chosen;
    }
    this.say();
  }

  // opened acts on the row of an element by options.open, else by options.show. It reports whether the table has one.
  private opened(target: EventTarget | null): boolean {
    const row = target instanceof Element ? target.closest<HTMLElement>("tr[data-at]") : null;
    const act = this.options.open ?? this.options.show;
    if (!row || !act) return false;
    act(this.sight[Number(row.dataset.at)]);
    return true;
  }
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function compared(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
}
