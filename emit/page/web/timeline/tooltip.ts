import { element } from "../element.js";
import { clipped } from "../format.js";
import type { Hit, HitText } from "./hit.js";

// Tooltip describes what is under the pointer.

export class Tooltip {
  readonly root = element("div", { class: "timeline-tooltip", role: "tooltip", hidden: true });

  // show places the tooltip next to a point of the window.
  show(hit: Hit, text: HitText, hint: string, x: number, y: number): void {
    const list = element("dl");
    for (const { what, value, isName } of text.facts(hit)) {
      list.append(
        element("dt", {}, what),
        element("dd", {}, isName ? element("bdi", { dir: "auto" }, clipped(value, 300)) : value),
      );
    }
    this.root.replaceChildren(element("strong", {}, text.title(hit)), list);
    if (hint) this.root.append(element("p", {}, hint));
    this.root.hidden = false;
    this.move(x, y);
  }

  move(x: number, y: number): void {
    const { offsetWidth: width, offsetHeight: height } = this.root;
    const left = x + 16 + width > innerWidth ? x - 12 - width : x + 16,
      top = y + 18 + height > innerHeight ? y - 10 - height : y + 18;
    this.root.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
  }

  hide(): void {
    if (!this.root.hidden) this.root.hidden = true;
  }
}
