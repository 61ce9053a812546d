import { element } from "./element.js";

// section returns a titled part of a tab. A hint and tools for the content follow the title.
export function section(
  title: string, hint: string, shown: { root: HTMLElement; tools: HTMLElement },
  ...more: HTMLElement[]
): HTMLElement {
  return element(
    "section", { class: "section" },
    element(
      "div", { class: "section-head" }, element("h2", {}, title),
      hint ? element("p", { class: "section-hint" }, hint) : null, ...more, shown.tools,
    ),
    shown.root,
  );
}
