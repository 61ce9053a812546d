import { button, element } from "../element.js";
import { nanosecondsOf, typed } from "../format.js";
import type { View } from "./view.js";

// Range is the form for a typed time range, with buttons to zoom and to go back and forth.

export class Range {
  readonly root = element("form", { class: "timeline-range", "aria-label": "Time range" });
  private readonly from = field("From");
  private readonly to = field("To");
  private readonly back: HTMLButtonElement;
  private readonly forward: HTMLButtonElement;
  private readonly whole: HTMLButtonElement;

  constructor(private readonly view: View) {
    this.back = button("←", () => view.back(), {
      "aria-label": "Back to the window before", title: "Back to the window before (Backspace)",
    });
    this.forward = button("→", () => view.forward(), {
      "aria-label": "Forward to the next window", title: "Forward (Shift+Backspace)",
    });
    this.whole = button("Whole trace", () => view.whole(), { title: "Show the whole trace (0)" });
    const nearer = button("+", () => view.zoom(0.5), { "aria-label": "Zoom in", title: "Zoom in (+)" });
    const farther = button("−", () => view.zoom(2), { "aria-label": "Zoom out", title: "Zoom out (-)" });
    this.root.append(
      this.back, this.forward, this.from, element("span", { "aria-hidden": "true" }, "–"), this.to, farther, nearer,
      this.whole, element("button", { type: "submit", class: "unseen", tabindex: -1 }, "Go"),
    );
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      this.go();
    });
    for (const input of [this.from, this.to]) input.addEventListener("change", () => this.go());
  }

  // go shows the typed range, and marks an invalid field. An unchanged field stands for its exact time, which it shows
  // rounded.
  private go(): void {
    const { view } = this, from = timeIn(this.from, view.from), to = timeIn(this.to, view.to);
    mark(this.from, from === null ? EXPECTED : from >= view.end ? `The trace ends at ${typed(view.end)}.` : "");
    mark(this.to, to === null ? EXPECTED : from !== null && to <= from ? "The end must be after the start." : "");
    if (!this.root.reportValidity() || from === null || to === null) return;
    view.show(from, to);
    for (const input of [this.from, this.to]) input.dataset.shown = input.value; // the text is in effect
    this.show();
  }

  // show writes the window into the fields, unless they are being edited.
  show(): void {
    const precision = 10 ** Math.max(0, Math.floor(Math.log10(this.view.length)) - 3);
    for (const [input, time] of [[this.from, this.view.from], [this.to, this.view.to]] as const) {
      if (input.dataset.shown !== input.value && this.isEditing(input)) continue;
      const text = typed(Math.round(time / precision) * precision);
      if (input.value !== text) input.value = text;
      input.dataset.shown = text;
      mark(input, "");
    }
    this.back.disabled = !this.view.hasPast;
    this.forward.disabled = !this.view.hasFuture;
    this.whole.disabled = this.view.isWhole;
  }

  // isEditing reports whether a field has the focus, or has an invalid text while the other field has the focus.
  private isEditing(input: HTMLInputElement): boolean {
    const { activeElement } = document, other = input === this.from ? this.to : this.from;
    return (
      (activeElement === input && input.matches(":focus-visible")) ||
      (activeElement === other && input.matches("[aria-invalid]"))
    );
  }
}

const EXPECTED = "A time such as 1.5s or 250ms is expected.";

// timeIn returns the typed time, or null if it is invalid. For an unchanged field it is the exact time.
function timeIn(input: HTMLInputElement, exact: number): number | null {
  return input.value === input.dataset.shown ? exact : nanosecondsOf(input.value);
}

function field(label: string): HTMLInputElement {
  return element("input", {
    type: "text", "aria-label": label, title: `${label}: 1.5s, 250ms, 12us`, autocomplete: "off", spellcheck: "false",
    size: 12,
  });
}

function mark(input: HTMLInputElement, problem: string): void {
  input.setCustomValidity(problem);
  if (problem) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}
