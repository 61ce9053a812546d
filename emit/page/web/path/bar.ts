import { element, tooltip } from "../element.js";
import { duration } from "../format.js";
import type { PathDocument } from "../source.js";
import { type PathShare, partText } from "./shares.js";

// SHOWN is the number of shares with a place of their own in the bar, and a colour.
export const SHOWN = 12;

// ShareBar is a bar of the path's length, cut into shares. Each share is a button that chooses it.
export class ShareBar {
  readonly root = element("div", { class: "share-bar", role: "group" });

  constructor(private readonly chose: (id: string) => void) {}

  show(label: string, shares: readonly PathShare[], path: PathDocument, chosen: string | null): void {
    this.root.setAttribute("aria-label", label);
    const parts = shares.slice(0, SHOWN).map((part, i) => this.part(part, path, i, part.id === chosen));
    const rest = path.length - shares.slice(0, SHOWN).reduce((sum, part) => sum + part.time, 0);
    this.root.replaceChildren(...parts);
    if (rest > 0) this.root.append(this.rest(rest, shares.length > SHOWN));
  }

  private part(part: PathShare, path: PathDocument, i: number, chosen: boolean): HTMLElement {
    const text = `${part.label}: ${duration(part.time)}, ${partText(part, path)}`;
    const made = element(
      "button",
      {
        type: "button", class: "share-part", title: tooltip(text), "aria-label": tooltip(text),
        "aria-pressed": String(chosen),
      },
      element("bdi", { dir: "auto" }, tooltip(part.label)),
      element("span", { class: "share-percent" }, partText(part, path)),
    );
    made.style.flexGrow = String(Math.max(part.time, path.length / 1000));
    made.style.setProperty("--part", partColour(part, i));
    made.addEventListener("click", () => this.chose(part.id));
    return made;
  }

  private rest(time: number, others: boolean): HTMLElement {
    const text = `${others ? "others" : "no wait"}: ${duration(time)}`;
    const made = element("span", { class: "share-part share-rest", title: text }, element("span", {}, text));
    made.style.flexGrow = String(time);
    return made;
  }
}

// partColour returns the colour of a share: of its state, or one of eight in turn.
export function partColour(part: PathShare, i: number): string {
  return part.state !== null ? `var(--state-${part.state})` : `var(--part-${i % 8})`;
}
