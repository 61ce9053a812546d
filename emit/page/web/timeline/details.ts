import { button, element } from "../element.js";
import { call, clipped, messageOf, moment, object } from "../format.js";
import { processesOf } from "../processes.js";
import {
  type About, type Detail, type EventLink, type Frame, type Obj, type Source, JOINING, RUNNING, SLEEPING,
} from "../source.js";
import type { Hit, HitText } from "./hit.js";
import type { Selected } from "./scene.js";
import { valueOf } from "./window.js";

// Details is the panel with the properties of the selection, and links to its causes, its effects, and other threads.

// Jumps are the actions of the links.
export interface Jumps {
  row(row: SpanRow): void;
  event(thread: number, event: number): void;
  moment(thread: number, time: number): void;
  zoom(from: number, to: number): void;
  close(): void;
}

// SpanRow is a table's row for a span: for its thread, or for the place or the monitor of a wait.
export interface SpanRow {
  thread?: number;
  monitor?: Obj;
  place?: Frame;
}

export class Details {
  readonly root = element("aside", {
    class: "timeline-details", "aria-label": "Details of the selection", tabindex: -1, hidden: true,
  });
  private asked = 0;

  constructor(
    private readonly about: About, private readonly source: Source, private readonly text: HitText,
    private readonly jumps: Jumps,
  ) {}

  hide(): void {
    this.asked++;
    this.root.hidden = true;
  }

  // show shows known properties at once, and requested ones later.
  async show(selected: Selected, ending: () => Promise<EventLink[]>): Promise<void> {
    const asked = ++this.asked, more = element("div", { "aria-busy": "true" });
    const focused = this.root.contains(document.activeElement);
    this.root.replaceChildren(this.head(selected), this.facts(selected), this.rows(selected.hit), more);
    this.root.hidden = false;
    if (focused) this.root.focus({ preventScroll: true }); // the followed link is gone
    this.root.scrollTop = 0;
    const parts = await this.more(selected, ending);
    if (asked !== this.asked) return;
    more.removeAttribute("aria-busy");
    more.append(...parts);
  }

  private head({ hit, from, to }: Selected): HTMLElement {
    const zoom = to > from ? button("Zoom to it", () => this.jumps.zoom(from, to)) : null;
    return element(
      "header", {}, element("h3", {}, this.text.title(hit)), zoom,
      button("×", () => this.jumps.close(), { "aria-label": "Close the details", class: "close" }),
    );
  }

  private facts({ hit, from }: Selected): HTMLElement {
    const list = element("dl");
    for (const { what, value, isName, thread } of this.text.facts(hit)) {
      const text = isName ? element("bdi", { dir: "auto" }, clipped(value, 2000)) : value;
      const jump = thread && thread !== hit.thread;
      list.append(
        element("dt", {}, what),
        element(
          "dd", {},
          jump
            ? this.link([text], `Jump to this thread at ${moment(from)}`, () => this.jumps.moment(thread, from))
            : text,
        ),
      );
    }
    return list;
  }

  // rows are the links to the table rows that count a hit.
  private rows(hit: Hit): HTMLElement {
    const links: [string, SpanRow][] = [["Thread", { thread: hit.thread }]];
    if (hit.kind === "span" && hit.lane.spans.state[hit.row] !== RUNNING) {
      const { spans } = hit.lane, monitor = hit.places.objects[valueOf(spans.object, hit.row) - 1];
      const place = hit.places.frames[valueOf(spans.caller, hit.row) - 1], state = spans.state[hit.row];
      if (place) links.push(["Caller", monitor ? { place, monitor } : { place }]);
      if (monitor && state !== JOINING && state !== SLEEPING) links.push(["Monitor", { monitor }]);
    }
    const made = element("p", { class: "row-links" }, "In the statistics:");
    for (const [name, row] of links)
      made.append(" ", button(name, () => this.jumps.row(row), { class: "link", title: "Show its row" }));
    return made;
  }

  private async more(selected: Selected, ending: () => Promise<EventLink[]>): Promise<HTMLElement[]> {
    if (selected.hit.kind === "arrow") return this.ends(selected.hit.arrow);
    if (!selected.event) return [];
    try {
      const detail = await this.source.detail(selected.thread, selected.event);
      const waits = detail.state > 0 ? await ending() : [];
      return this.parts(detail, waits, selected.hit);
    } catch (problem) {
      return [
        element("p", { class: "problem", role: "alert" }, messageOf(problem)),
      ];
    }
  }

  private ends(arrow: {
    type: number;
    event: number;
    thread: number;
    time: number;
    toEvent: number;
    toThread: number;
    toTime: number;
  }): HTMLElement[] {
    const cause = { type: arrow.type, event: arrow.event, thread: arrow.thread, time: arrow.time };
    const effect = { type: arrow.type, event: arrow.toEvent, thread: arrow.toThread, time: arrow.toTime };
    return [...this.links("Cause", [cause]), ...this.links("Effect", [effect])];
  }

  private parts(detail: Detail, waits: EventLink[], hit: Hit): HTMLElement[] {
    return [
      this.event(detail, hit),
      ...this.links(detail.state < 0 ? "Cause" : "What let it run", detail.causes),
      ...this.links("What ended it", waits),
      ...this.links(detail.effects.length > 1 ? "Effects" : "Effect", detail.effects),
      ...this.stack(detail.stack),
    ];
  }

  private event(detail: Detail, hit: Hit): HTMLElement {
    const known = this.text
      .facts(hit)
      .some(({ what }) => ["Monitor", "Object", "Thread object", "Waits for"].includes(what));
    const list = element(
      "dl", {}, element("dt", {}, "Event"), element("dd", {}, `${detail.type || "not known"}, number ${detail.event}`),
    );
    if (detail.object && !known)
      list.append(element("dt", {}, "Object"), element("dd", {}, this.object(detail.object)));
    return list;
  }

  private object(described: Obj): HTMLElement {
    const process = processesOf(this.about)?.get(described[2]);
    return element("bdi", { dir: "auto" }, clipped(object(described) + (process ? `, in ${process}` : ""), 2000));
  }

  private links(title: string, links: EventLink[]): HTMLElement[] {
    if (links.length === 0) return [];
    const list = element("ul", { class: "links" });
    for (const link of links.slice(0, 200)) list.append(element("li", {}, this.eventLink(link)));
    const rest = links.length > 200 ? [element("p", {}, `and ${links.length - 200} more`)] : [];
    return [element("h4", {}, title), list, ...rest];
  }

  private eventLink(link: EventLink): HTMLElement {
    const name = element("bdi", { dir: "auto" }, clipped(this.text.thread(link.thread), 200));
    const kind = this.about.interactions[link.type]?.label ?? "";
    return this.link(
      [element("span", { class: "kind" }, kind), name, element("span", { class: "time" }, moment(link.time))],
      "Jump to this event",
      () => this.jumps.event(link.thread, link.event),
    );
  }

  private link(content: (Node | string)[], title: string, act: () => void): HTMLButtonElement {
    const made = button("", act, { class: "link", title });
    made.append(...content);
    return made;
  }

  private stack(frames: Frame[]): HTMLElement[] {
    if (frames.length === 0) return [element("p", { class: "none" }, "No call stack was recorded with this event.")];
    const list = element("ol", { class: "stack" });
    for (const frame of frames)
      list.append(element("li", {}, element("bdi", { dir: "auto" }, clipped(call(frame), 2000))));
    return [element("h4", {}, "Call stack"), list];
  }
}

