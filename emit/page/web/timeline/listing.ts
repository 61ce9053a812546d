import { button, element } from "../element.js";
import { clipped, count, duration, moment } from "../format.js";
import type { Hit, Words } from "./hit.js";

// The table alternative: what the lanes show, in rows, for those who cannot see the lanes or would rather read.

const MOST_ROWS = 1000;

export class Listing {
  readonly root = element("div", { class: "timeline-listing", tabindex: 0, role: "region", "aria-label": "The timeline as a table", hidden: true });

  constructor(private readonly words: Words, private readonly jump: (hit: Hit) => void) {}

  // show lists the hits of a window in the order of time.
  show(hits: Hit[], from: number, to: number, lanes: number): void {
    const { words } = this;
    const sorted = hits.map((hit) => ({ hit, range: words.range(hit) })).sort((a, b) => a.range[0] - b.range[0] || a.hit.thread - b.hit.thread);
    const body = element("tbody"), listed = sorted.slice(0, MOST_ROWS), left = sorted.length - listed.length;
    for (const { hit, range } of listed) body.append(this.row(hit, range, to - from));
    const omitted = left > 0 ? ` The first ${count(MOST_ROWS)} rows; ${count(left)} more are left out: zoom in to see them.` : "";
    const caption = `What the ${lanes} visible lanes show from ${moment(from, (to - from) / 1000)} to ${moment(to, (to - from) / 1000)}: ${count(sorted.length)} rows.${omitted}`;
    const columns = ["From", "Length", "Thread", "What", "More"].map((title) => element("th", { scope: "col" }, title));
    const top = this.root.scrollTop;
    this.root.replaceChildren(element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...columns)), body));
    this.root.scrollTop = top;
  }

  private row(hit: Hit, [from, to]: [number, number], window: number): HTMLElement {
    const name = clipped(this.words.thread(hit.thread), 120);
    const more = this.words.facts(hit).filter(({ what }) => !["Thread", "From", "Length", "At", "Since"].includes(what) || (what === "At" && hit.kind === "span"));
    const cell = element("td", { class: "more" });
    for (const { what, value, isName } of more) {
      cell.append(element("span", { class: "fact" }, `${what}: `, isName ? element("bdi", { dir: "auto", title: clipped(value, 600) }, clipped(value, 120)) : value));
    }
    return element("tr", {},
      element("td", { class: "number" }, button(moment(from, window / 10_000), () => this.jump(hit), { class: "link", title: "Jump to it in the lanes" })),
      element("td", { class: "number" }, to > from ? duration(to - from) : ""),
      element("td", {}, element("bdi", { dir: "auto", title: name }, clipped(name, 60))),
      element("td", {}, this.words.title(hit)), cell);
  }
}
