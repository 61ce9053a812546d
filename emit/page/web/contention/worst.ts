import { button, element, replace } from "../element.js";
import { counted, duration, moment } from "../format.js";
import type { BlameDocument, BlameGroup } from "../source.js";

// Part is a part of the trace that the page can show alone: a time window, of one thread or of all.
export interface Part {
  window: [from: number, to: number] | null; // null for the whole trace
  thread: number | null;
}

// Worst has buttons for the parts of a trace to look at first: the second and the minute in which the longest waits
// ended, and the thread that waited longest.
export class Worst {
  readonly root = element("ul", { class: "worst", "aria-label": "Where to look first", hidden: true });

  constructor(private readonly show: (part: Part, longest?: BlameGroup["longest"]) => void) {}

  update(blame: BlameDocument): void {
    const offers = blame.worst.map(({ name, from, to, total, count }) =>
      this.offer(
        `Worst ${name}`, `${moment(from, 1e8)} – ${moment(to, 1e8)}`,
        `${counted(count, "wait")} of ${duration(total)} in all ended in it`,
        () => this.show({ window: [from, to], thread: null }),
      ),
    );
    const waiter = blame.waiters.find(({ longest }) => longest.threadKey === blame.worstThread);
    if (waiter)
      offers.push(
        this.offer(
          "Worst thread", waiter.longest.threadName || `thread ${waiter.longest.threadId}`,
          `it waited for ${duration(waiter.total)} in ${counted(waiter.count, "finished wait")}`,
          () => this.show({ window: null, thread: waiter.longest.threadKey }, waiter.longest),
        ),
      );
    replace(this.root, ...offers);
    this.root.hidden = offers.length === 0;
  }

  private offer(label: string, what: string, why: string, act: () => void): HTMLElement {
    return element(
      "li", {}, `${label}: `, button(what, act, { class: "link", title: `${label}: show only it in the timeline` }),
      element("span", { class: "section-hint" }, `, ${why}`),
    );
  }
}
