import { messageOf } from "./format.js";
import { type Place, readAddress } from "./address.js";
import { button, element, named, replace } from "./element.js";
import { openSource } from "./open.js";
import { Page } from "./page.js";


// main opens the source of the data and shows its page. Each trace has a page of its own.

// The data of a report are in other elements, which stay.
const root = document.getElementById("page") ?? document.body.appendChild(element("div", { id: "page" }));
let page: Page | null = null;
let traces: string[] = []; // the names of all traces, once known
let asked = 0; // counts the requested places: answers about earlier ones come too late

// go shows a place: in the current page, or in a new one for another trace.
function go(place: Place): void {
  const question = ++asked;
  if (page?.trace === place.trace) page.goTo(place);
  else open(place, question).catch((failure) => fail(failure, place, question));
}

async function open(place: Place, question: number): Promise<void> {
  const source = openSource(place.trace);
  if (source.served && traces.length > 0 && place.trace >= traces.length)
    throw new Error(`There is no trace number ${place.trace}.`);
  const about = await source.about();
  if (question !== asked) return;
  traces = about.traces;
  const choosing = page?.isChoosing ?? false;
  page?.destroy();
  page = new Page(root, source, about, source.served ? place : { ...place, trace: 0 }, go);
  if (choosing) page.choose();
}

async function fail(failure: unknown, place: Place, question: number): Promise<void> {
  const why = messageOf(failure);
  if (traces.length === 0 && place.trace > 0)
    traces = await openSource(0)
      .about()
      .then(
        (about) => about.traces,
        () => [],
      );
  if (question !== asked) return;
  page?.destroy();
  page = null;
  const unknown = traces.length > 0 && place.trace >= traces.length;
  replace(
    root,
    element(
      "main", { class: "failure", role: "alert" },
      element("h1", {}, unknown ? "There is no such trace" : "The trace cannot be shown"),
      element("p", {}, unknown ? "The address names a trace that this server does not have. It has these:" : why),
      traces.length > (unknown ? 0 : 1) &&
        element(
          "ul", {},
          ...traces.map((name, trace) => element("li", {}, choiceOf(name, { tab: place.tab, trace, window: null }))),
        ),
    ),
  );
}

// choiceOf returns an element that leads to another trace.
function choiceOf(name: string, place: Place): HTMLElement {
  const made = button("", () => go(place), { class: "link" });
  made.append(named(name.slice(0, 200)));
  return made;
}

addEventListener("hashchange", () => go(readAddress()));
go(readAddress());
