import { readAddress } from "./address.js";
import { element, replace } from "./element.js";
import { Page } from "./page.js";
import { openSource } from "./source.js";

// The page begins here: it opens the source of its data and shows it. With several traces, another one makes another page.

// The data of a report stands beside this element, and stays.
const root = document.getElementById("page") ?? document.body.appendChild(element("div", { id: "page" }));
let page: Page | null = null;

async function open(trace: number): Promise<void> {
  const source = openSource(trace);
  const about = await source.about();
  page?.destroy();
  page = new Page(root, source, about, trace, (other) => void open(other).catch(fail));
}

function fail(failure: unknown): void {
  page?.destroy();
  page = null;
  const why = failure instanceof Error ? failure.message : String(failure);
  replace(root, element("main", { class: "failure", role: "alert" }, element("h1", {}, "The trace cannot be shown"), element("p", {}, why)));
}

open(readAddress().trace).catch(fail);
