import { element, tooltip } from "../element.js";
import { clipped, count, counted, threadName } from "../format.js";
import type { About } from "../source.js";
import type { Row, Rows } from "./rows.js";

// The labels of the rows that are visible. An element is kept for as long as its row is visible, so that scrolling
// changes few.

export class Labels {
  readonly root = element("div", { class: "timeline-labels" });
  private readonly made = new Map<number, HTMLElement>();
  private rows: Rows | null = null;
  private cursor = -1;
  private scroll = -1;
  private height = 0; // how many rows are visible

  constructor(
    private readonly about: About,
    private readonly chosen: (index: number) => void,
    private readonly toggled: (group: string) => void,
    private readonly unfolded: (thread: number) => void,
  ) {}

  place(rows: Rows, first: number, last: number, scroll: number, cursor: number): void {
    if (rows === this.rows && scroll === this.scroll && cursor === this.cursor && last - first === this.height) return;
    if (rows !== this.rows) this.clear();
    this.scroll = scroll;
    this.height = last - first;
    this.rows = rows;
    for (const [index, label] of this.made) {
      if (index >= first && index <= last) continue;
      label.remove();
      this.made.delete(index);
    }
    for (let index = Math.max(0, first); index <= last; index++) {
      const row = rows.all[index];
      let label = this.made.get(index);
      if (!label) {
        label = row.thread ? this.lane(row, index) : this.header(row);
        this.made.set(index, label);
        this.root.append(label);
      }
      label.style.transform = `translateY(${row.top - scroll}px)`;
      if (cursor !== this.cursor) label.classList.toggle("cursor", index === cursor);
    }
    if (cursor !== this.cursor) this.cursor = cursor;
    this.made.get(cursor)?.classList.add("cursor");
  }

  clear(): void {
    this.made.clear();
    this.root.replaceChildren();
  }

  private lane(row: Row, index: number): HTMLElement {
    const name = threadName(this.about.threads, row.place), id = this.about.threads.id[row.place] ?? "";
    const made = element("div", { class: "timeline-label", title: tooltip(name) + `\nthread ${id}` },
      element("bdi", { class: "name", dir: "auto" }, clipped(name, 200)),
      this.about.threads.silent.includes(row.thread) && element("span", { class: "silent" }, "no events"),
      element("span", { class: "id" }, id));
    made.style.height = `${row.height}px`;
    made.style.lineHeight = `${row.bar}px`;
    made.style.paddingBottom = `${row.height - row.bar}px`;
    if (row.unfolded !== null) {
      const twist = element("button", {
        type: "button", class: "twist", "aria-expanded": String(row.unfolded), "aria-label": `Calls of ${clipped(name, 80)}`,
      }, row.unfolded ? "▾" : "▸");
      twist.addEventListener("click", (event) => {
        event.stopPropagation();
        this.unfolded(row.thread);
      });
      made.prepend(twist);
    }
    made.addEventListener("click", () => this.chosen(index));
    return made;
  }

  private header(row: Row): HTMLElement {
    const made = element(
      "button",
      { type: "button", class: "timeline-header", "aria-expanded": String(!row.collapsed), title: tooltip(row.label) },
      element("span", { class: "twist", "aria-hidden": "true" }, row.collapsed ? "▸" : "▾"),
      element("bdi", { class: "name", dir: "auto" }, clipped(row.label, 200)),
      element("span", { class: "id", title: counted(row.members.length, "thread") }, count(row.members.length)),
    );
    made.style.height = `${row.height}px`;
    made.addEventListener("click", () => this.toggled(row.group));
    return made;
  }
}
