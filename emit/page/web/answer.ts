import { element } from "./element.js";
import { messageOf } from "./format.js";
import type { About } from "./source.js";

// Answer is what a tab shows of a source's answer about the whole trace. The answer is requested when the tab is first
// shown, and again only if the trace has grown or ended. Until it arrives, or if it fails, a line says so.
export class Answer<Document> {
  readonly state = element("p", { class: "panel-state", role: "status" });
  document: Document | null = null;
  private asked = ""; // the trace's length when the answer was requested, and whether it was complete

  // content is hidden until there is an answer. waiting and failed are the beginnings of the line.
  constructor(
    private readonly content: HTMLElement, private readonly waiting: string, private readonly failed: string,
    private readonly ask: () => Promise<Document>, private readonly show: (document: Document) => void,
  ) {
    content.hidden = true;
  }

  update(about: About): void {
    const now = `${about.events} ${about.live}`;
    if (this.asked === now) return;
    this.asked = now;
    void this.load();
  }

  private async load(): Promise<void> {
    this.state.textContent = this.document ? "" : `${this.waiting} …`;
    try {
      this.document = await this.ask();
      this.state.textContent = "";
      this.state.classList.remove("failed");
      this.content.hidden = false;
      this.show(this.document);
    } catch (failure) {
      this.asked = "";
      this.state.textContent = `${this.failed}: ${messageOf(failure)}`;
      this.state.classList.add("failed");
    }
  }
}
