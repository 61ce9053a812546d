import type { StateStyle } from "../source.js";
import type { FrameNode } from "./frametree.js";

// blameColours returns the colours of the icicle of blame. A node has the colour of the state that it names, or a
// colour for the kind of its frame.
export function blameColours(states: readonly StateStyle[]): (node: FrameNode) => string {
  return (node) => {
    if (node.depth === 0) return "var(--line)";
    const bracketed = /^\[(.*)\]$/s.exec(node.name)?.[1];
    const state = states.findIndex(({ label }) => label === bracketed);
    if (state >= 0) return `var(--state-${state})`;
    if (bracketed !== undefined) return node.children.length > 0 ? "var(--part-1)" : "var(--part-7)";
    return culpritAbove(node) ? "var(--part-3)" : "var(--part-0)";
  };
}

// culpritAbove reports whether a node belongs to a culprit, which is below what threads waited for.
function culpritAbove(node: FrameNode): boolean {
  for (let at = node.parent; at; at = at.parent) if (/^\[.*\]$/s.test(at.name)) return true;
  return false;
}
