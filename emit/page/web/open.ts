import { embeddedSource, hasEmbeddedTrace } from "./embedded.js";
import { servedSource } from "./served.js";
import type { Source } from "./source.js";

// openSource returns the source of the page: a report contains its window. `trace` is the index of the trace in
// About.traces.
export function openSource(trace = 0): Source {
  return hasEmbeddedTrace() ? embeddedSource() : servedSource(trace);
}
