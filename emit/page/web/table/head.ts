import { button, element } from "../element.js";
import { remember, remembered } from "../remembered.js";
import type { Column } from "./column.js";

// SCALE is the user's text size, where 1 is 16 pixels.
export const SCALE = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

const LETTER = 7 * SCALE; // the approximate width of a letter in a heading
const HEAD_EXTRA = 26 * SCALE; // padding, and the mark for the order
const NARROWEST = 44;
const WIDEST = 1600;

// Order is the column by which a table is sorted.
export interface Order {
  by: string;
  descending: boolean;
}

// TableHead has the headings of a table. Their buttons sort, their edges set the widths, which are remembered.
export class TableHead<Row> {
  private readonly heads = new Map<string, HTMLElement>();
  private readonly cols = new Map<string, HTMLElement>();
  private readonly widths = new Map<string, number>();
  private available = 0; // pixels that the table may fill

  // name is the key of the widths in the browser's storage. sorted is called after a change of the order.
  constructor(
    private readonly grid: HTMLTableElement, private readonly name: string,
    private columns: readonly Column<Row>[], private readonly order: Order,
    private readonly sorted: () => void,
  ) {
    this.readWidths();
    this.draw();
  }

  get all(): readonly Column<Row>[] {
    return this.columns;
  }

  // setColumns replaces the columns. The order stays if its column does.
  setColumns(columns: readonly Column<Row>[]): void {
    this.columns = columns;
    if (!columns.some((column) => column.id === this.order.by)) this.order.by = columns[0].id;
    this.readWidths();
    this.draw();
  }

  // sortByColumn sorts by a column, the greatest first, if the table has it.
  sortByColumn(id: string): void {
    if (!this.columns.some((column) => column.id === id)) return;
    this.setOrder(id, true);
  }

  // inOrder sorts rows.
  inOrder(rows: Row[]): Row[] {
    const column = this.columns.find((c) => c.id === this.order.by) ?? this.columns[0];
    const orders = new Map(rows.map((row) => [row, column.order(row)])), sign = this.order.descending ? -1 : 1;
    return rows.sort((a, b) => sign * compared(orders.get(a)!, orders.get(b)!));
  }

  // fit sets the widths. The growing column gets the rest of the available width, unless its width was set.
  fit(available: number): void {
    this.available = available;
    let sum = 0;
    for (const column of this.columns) sum += this.width(column);
    for (const column of this.columns) {
      const grown = column.grows && !this.widths.has(column.id) && sum < available ? available - sum : 0;
      const col = this.cols.get(column.id);
      if (col) col.style.width = `${this.width(column) + grown}px`;
    }
    this.grid.style.width = `${Math.max(sum, this.grows ? available : 0)}px`;
  }

  private get grows(): boolean {
    return this.columns.some((column) => column.grows && !this.widths.has(column.id));
  }

  private draw(): void {
    this.heads.clear();
    this.cols.clear();
    const cols = element("colgroup"), row = element("tr");
    for (const column of this.columns) {
      const col = element("col"), head = this.cell(column);
      this.cols.set(column.id, col);
      this.heads.set(column.id, head);
      cols.append(col);
      row.append(head);
    }
    this.grid.querySelector("colgroup")?.remove();
    this.grid.tHead?.remove();
    this.grid.prepend(cols, element("thead", {}, row)); // the body stays where it is, and so does the focus
    this.mark();
    this.fit(this.available);
  }

  private cell(column: Column<Row>): HTMLElement {
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
    const { by, descending } = this.order;
    this.setOrder(column.id, by === column.id ? !descending : (column.number ?? false));
  }

  private setOrder(by: string, descending: boolean): void {
    Object.assign(this.order, { by, descending });
    this.mark();
    this.sorted();
  }

  private mark(): void {
    const { by, descending } = this.order;
    for (const [id, head] of this.heads)
      head.setAttribute("aria-sort", id !== by ? "none" : descending ? "descending" : "ascending");
  }

  // --- widths

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
    remember(`widths.${this.name}`, JSON.stringify(Object.fromEntries(this.widths)));
    this.fit(this.available);
  }

  private readWidths(): void {
    try {
      const kept: unknown = JSON.parse(remembered(`widths.${this.name}`) ?? "{}");
      for (const [id, width] of Object.entries(kept ?? {})) {
        if (typeof width === "number" && width >= NARROWEST && width <= WIDEST) this.widths.set(id, width);
      }
    } catch {
      // the stored value is invalid; the columns keep their widths
    }
  }

  private width(column: Column<Row>): number {
    // headings must be readable
    return this.widths.get(column.id) ?? Math.max(SCALE * column.width, column.label.length * LETTER + HEAD_EXTRA);
  }

  // natural returns the width at which all visible cells of a column are complete.
  private natural(column: Column<Row>): number {
    const i = this.columns.indexOf(column);
    let widest = NARROWEST;
    for (const row of this.grid.tBodies[0]?.rows ?? []) {
      const cell = row.cells[i];
      if (cell) widest = Math.max(widest, cell.scrollWidth + 6);
    }
    return widest;
  }
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function compared(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
}
