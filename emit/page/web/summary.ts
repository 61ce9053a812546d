import { element, replace } from "./element.js";
import { counted, duration } from "./format.js";
import type { About } from "./source.js";

// What stands on top: the verdicts in words, and what this trace or page cannot show.

const MARKS: Record<string, [mark: string, means: string]> = { deadlock: ["Deadlock", "bad"], blocked: ["Contention", "warn"], path: ["Critical path", "info"] };

export class Summary {
  readonly root = element("section", { class: "summary", "aria-label": "Summary" });
  private readonly verdicts = element("ul", { class: "verdicts", "aria-label": "Verdict" });
  private readonly notes = element("ul", { class: "notes", "aria-label": "What this page cannot show" });

  constructor() {
    this.root.append(this.verdicts, this.notes);
  }

  show(about: About): void {
    replace(this.verdicts, ...about.verdicts.map((verdict) => {
      const [mark, means] = MARKS[verdict.about] ?? ["Note", "info"];
      return element("li", {}, element("span", { class: `mark ${means}` }, mark), element("bdi", { dir: "auto", class: "verdict" }, verdict.text));
    }));
    replace(this.notes, ...notesOf(about).map((note) => element("li", {}, element("bdi", { dir: "auto" }, note))));
    this.notes.hidden = this.notes.childElementCount === 0;
  }
}

// The page's own notes come after those of who made it, unless these say the same already.
function notesOf(about: About): string[] {
  if (about.resolution === 0 || about.notes.some((note) => note.includes("trcx serve"))) return about.notes;
  return [...about.notes, `What is shorter than ${duration(about.resolution)} is in this page only in sums. trcx serve has the detail.`];
}

// factsOf are a few figures of the trace.
export function factsOf(about: About): string[] {
  return [duration(about.duration), counted(about.threads.key.length + about.threads.omitted, "thread"), counted(about.events, "event"), startOf(about.startTime)].filter((fact) => fact !== "");
}

function startOf(seconds: string): string {
  const started = new Date(Number(seconds) * 1000);
  return seconds === "" || Number.isNaN(started.getTime()) ? "" : `started ${started.toISOString().replace("T", " ").slice(0, 19)} UTC`;
}
