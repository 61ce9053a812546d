import { messageOf } from "../format.js";
import { element } from "../element.js";

const NOTICE = 6000; // milliseconds for which a notice is visible
const PAUSE = 500; // milliseconds without change, after which the view is described

// Status is the live region of the timeline: assistive technology reads out its text. A notice is visible, too.
export class Status {
  readonly root = element("p", { class: "unseen", role: "status", "aria-live": "polite" });
  private timer = 0;
  private closed = false;

  // notify shows a notice for some seconds.
  notify(text: string): void {
    this.set(text, true);
    this.timer = window.setTimeout(() => this.clear(), NOTICE);
  }

  // fail shows the message of a problem, unless the timeline is closed.
  fail(problem: unknown): void {
    if (!this.closed) this.notify(messageOf(problem));
  }

  clear(): void {
    this.set("", false);
  }

  // describeLater sets an invisible text after a pause, unless a notice is visible then.
  describeLater(describe: () => string): void {
    if (this.root.classList.contains("timeline-notice")) return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const text = describe();
      if (this.root.textContent !== text) this.root.textContent = text;
    }, PAUSE);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private set(text: string, visible: boolean): void {
    clearTimeout(this.timer);
    this.root.textContent = text;
    this.root.classList.toggle("unseen", !visible);
    this.root.classList.toggle("timeline-notice", visible);
  }
}
