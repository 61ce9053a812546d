import { button, element } from "./element.js";
import { MOUSE } from "./timeline/gestures.js";
import { KEYS } from "./timeline/keys.js";

type Entry = readonly [keys: string, does: string];

const PAGE: readonly Entry[] = [
  ["1 2 3 4 5 6", "contention, timeline, monitor statistics, critical path, methods, heap"],
  ["← → Home End", "on a tab: the other tabs"],
  ["/", "find a thread, class, monitor or place in the timeline"],
  ["f", "choose threads"],
  ["g", "thread groups on and off"],
  ["?", "this help"],
  ["Esc", "closes a dialog"],
];

const TABLES: readonly Entry[] = [
  ["Enter or Space on a heading", "sorts by the column; again: the other way round"],
  ["Shift + ← →, on a heading", "makes the column narrower or wider"],
  ["↑ ↓ PgUp PgDn Home End", "on a row: goes to other rows and selects them"],
  ["Shift + ↑ ↓", "selects several rows"],
  ["Ctrl + ↑ ↓, then Space", "adds single rows to the selection, or removes them"],
  ["Ctrl + A, Esc", "selects all rows, none"],
  ["Enter, double click", "on a row: shows its longest wait, or the piece of the path, in the timeline"],
];

// Help is the overlay that lists the keys and the uses of the pointer.
export class Help {
  private readonly dialog: HTMLDialogElement;

  constructor() {
    this.dialog = element(
      "dialog", { class: "help", "aria-labelledby": "help-title" },
      element(
        "div", { class: "dialog-head" }, element("h2", { id: "help-title" }, "Keys and pointer"),
        button("✕", () => this.dialog.close(), { class: "quiet", "aria-label": "Close" }),
      ),
      element(
        "div", { class: "help-lists" }, list("Everywhere", PAGE), list("Timeline", KEYS),
        list("Timeline, with the pointer", MOUSE), list("Tables", TABLES),
      ),
    );
    document.body.append(this.dialog);
  }

  open(): void {
    if (!this.dialog.open) this.dialog.showModal();
  }

  destroy(): void {
    this.dialog.remove();
  }
}

function list(title: string, entries: readonly Entry[]): HTMLElement | null {
  if (entries.length === 0) return null;
  const rows = entries.flatMap(([keys, does]) => [
    element("dt", {}, element("kbd", {}, keys)), element("dd", {}, does),
  ]);
  return element("section", {}, element("h3", {}, title), element("dl", {}, ...rows));
}
