import { button, element } from "../element.js";
import { clipped, count, duration, moment } from "../format.js";
import type { Hit, HitText } from "./hit.js";

// Listing is the content of the lanes as a table, for screen readers and for people who prefer text.

const MOST_ROWS = 1000;
const PAUSE = 200; // milliseconds without a change

export class Listing {
  readonly root = element("div", {
    class: "timeline-listing", tabindex: 0, role: "region", "aria-label": "The timeline as a table", hidden: true,
  });

  private timer = 0;

  constructor(private readonly text: HitText, private readonly jump: (hit: Hit) => void) {}

  // update shows the list after a pause, if the table is visible.
  update(list: () => { hits: Hit[]; lanes: number; from: number; to: number }): void {
    clearTimeout(this.timer);
    if (this.root.hidden) return;
    this.timer = window.setTimeout(() => {
      const { hits, lanes, from, to } = list();
      this.show(hits, from, to, lanes);
    }, PAUSE);
  }

  close(): void {
    clearTimeout(this.timer);
  }

  // show lists the hits of a window in time order.
  private show(hits: Hit[], from: number, to: number, lanes: number): void {
    const { text } = this;
    const sorted = hits
      .map((hit) => ({ hit, range: text.range(hit) }))
      .sort((a, b) => a.range[0] - b.range[0] || a.hit.thread - b.hit.thread);
    const body = element("tbody"), listed = sorted.slice(0, MOST_ROWS), left = sorted.length - listed.length;
    for (const { hit, range } of listed) body.append(this.row(hit, range, to - from));
    const omitted =
      left > 0 ? ` The first ${count(MOST_ROWS)} rows; ${count(left)} more are left out: zoom in to see them.` : "";
    const precision = (to - from) / 1000, range = `from ${moment(from, precision)} to ${moment(to, precision)}`;
    const caption = `What the ${lanes} visible lanes show ${range}: ${count(sorted.length)} rows.${omitted}`;
    const columns = ["From", "Length", "Thread", "What", "More"].map((title) => element("th", { scope: "col" }, title));
    const top = this.root.scrollTop;
    this.root.replaceChildren(
      element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...columns)), body),
    );
    this.root.scrollTop = top;
  }

  private row(hit: Hit, [from, to]: [number, number], window: number): HTMLElement {
    const name = clipped(this.text.thread(hit.thread), 120);
    const more = this.text
      .facts(hit)
      .filter(
        ({ what }) =>
          !["Thread", "From", "Length", "At", "Since"].includes(what) || (what === "At" && hit.kind === "span"),
      );
    const cell = element("td", { class: "more" });
    for (const { what, value, isName } of more) {
      cell.append(
        element(
          "span", { class: "fact" }, `${what}: `,
          isName ? element("bdi", { dir: "auto", title: clipped(value, 600) }, clipped(value, 120)) : value,
        ),
      );
    }
    return element(
      "tr", {},
      element(
        "td", { class: "number" },
        button(moment(from, window / 10_000), () => this.jump(hit), {
          class: "link", title: "Jump to it in the lanes",
        }),
      ),
      element("td", { class: "number" }, to > from ? duration(to - from) : ""),
      element("td", {}, element("bdi", { dir: "auto", title: name }, clipped(name, 60))),
      element("td", {}, this.text.title(hit)), cell);
  }
}
