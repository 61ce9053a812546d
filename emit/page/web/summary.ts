import { button, element, replace } from "./element.js";
import { counted, duration } from "./format.js";
import type { About } from "./source.js";

// Summary has the diagnosis in words, and notes on what this trace or page cannot show.

const LONG = 600; // characters of a text that are shown; a button shows the rest

const MARKS: Record<string, [mark: string, means: string]> = {
  deadlock: ["Deadlock", "bad"], finding: ["Finding", "warn"],
};

export class Summary {
  readonly root = element("section", { class: "summary", "aria-label": "Summary" });
  private readonly verdicts = element("ul", { class: "verdicts", "aria-label": "Verdict" });
  private readonly notes = element("ul", { class: "notes", "aria-label": "What this page cannot show" });

  private shown = "";

  constructor() {
    this.root.append(this.verdicts, this.notes);
  }

  // show changes nothing if it already has these texts: it is called each second for a live trace, and a long text may
  // be open.
  show(about: About): void {
    const now = JSON.stringify([about.verdicts, about.notes, about.resolution]);
    if (now === this.shown) return;
    this.shown = now;
    replace(
      this.verdicts,
      ...about.verdicts.map((verdict) => {
        const [mark, means] = MARKS[verdict.about] ?? ["Note", "info"];
        return element(
          "li", {}, element("span", { class: `mark ${means}` }, mark),
          element(
            "div", {}, element("p", { class: "verdict" }, ...openable(verdict.text)),
            ...verdict.remarks.map((remark) => element("p", { class: "remark" }, ...openable(remark))),
          ),
        );
      }),
    );
    replace(this.notes, ...notesOf(about).map((note) => element("li", {}, ...openable(note))));
    this.notes.hidden = this.notes.childElementCount === 0;
  }
}

// openable returns a text. A long one is cut, with a button for the rest, as a name in it may be as long as a book.
function openable(text: string): (HTMLElement | string)[] {
  if (text.length <= LONG) return [element("bdi", { dir: "auto" }, text)];
  const word = text.lastIndexOf(" ", LONG) + 1;
  const at = word > LONG / 2 ? word : /[\uDC00-\uDFFF]/.test(text[LONG]!) ? LONG - 1 : LONG; // not within a character
  const rest = element("span", { class: "rest", hidden: true }, text.slice(at));
  const more = button("More", () => {
    rest.hidden = !rest.hidden;
    more.textContent = rest.hidden ? "More" : "Less";
    more.setAttribute("aria-expanded", String(!rest.hidden));
  }, { class: "link", "aria-expanded": "false" });
  return [element("bdi", { dir: "auto" }, text.slice(0, at), rest), " ", more];
}

// notesOf returns the notes of the writer of the page, then the page's own ones that are not already among them.
function notesOf(about: About): string[] {
  if (about.resolution === 0 || about.notes.some((note) => note.includes("trcx serve"))) return about.notes;
  return [
    ...about.notes,
    `What is shorter than ${duration(about.resolution)} is in this page only in sums. trcx serve has the detail.`,
  ];
}

// factsOf returns a few figures on the trace.
export function factsOf(about: About): string[] {
  return [
    duration(about.duration), counted(about.threads.key.length + about.threads.omitted, "thread"),
    counted(about.events, "event"), startOf(about.startTime),
  ].filter((fact) => fact !== "");
}

function startOf(seconds: string): string {
  const started = new Date(Number(seconds) * 1000);
  return seconds === "" || Number.isNaN(started.getTime())
    ? ""
    : `started ${started.toISOString().replace("T", " ").slice(0, 19)} UTC`;
}
