import type { Sample } from "../contention/frametree.js";
import type { CallTree } from "./document.js";

const SMALLER = "(smaller calls)"; // stands for the nodes that the page does not have

export type Direction = "down" | "up";

// samplesOf returns the tree's nodes as call stacks with their own costs: from the outermost call down, or from the
// innermost one up to its callers.
export function samplesOf(tree: CallTree, direction: Direction): Sample[] {
  const samples = below(tree, () => true, () => false);
  if (direction === "up") for (const { frames } of samples) frames.reverse();
  return samples;
}

// ofBase returns the tree of the other run, with this one as the other.
export function ofBase(tree: CallTree): CallTree {
  const { before, self, total } = tree;
  return before ? { ...tree, ...before, before: { self, total } } : tree;
}

// Around is what is known of a method's calls that are not inside another call of it.
export interface Around {
  callers: Sample[]; // the nearest caller first
  callees: Sample[]; // without the method itself, whose own cost has an empty stack
  total: number;
}

// aroundMethod returns the callers and the callees of a method.
export function aroundMethod(tree: CallTree, method: string): Around {
  const { names, above, name, total, before } = tree, of = names.indexOf(method);
  const outermost = new Set<number>(), inside: boolean[] = [];
  const callers: Sample[] = [];
  let sum = 0;
  above.forEach((parent, i) => {
    inside[i] = (inside[parent] ?? false) || name[i] === of;
    if (name[i] !== of || inside[parent]) return;
    outermost.add(i);
    const frames: string[] = [];
    for (let at = parent; at >= 0; at = above[at]!) frames.push(names[name[at]!]!);
    add(callers, frames, total[i]!, before?.total[i]);
    sum += total[i]!;
  });
  return { callers, callees: below(tree, (i) => inside[i]!, (i) => outermost.has(i)), total: sum };
}

// below returns the chosen nodes with their own costs. Stacks begin at the outermost call, or below a call at which
// they end.
function below(tree: CallTree, chosen: (i: number) => boolean, ends: (i: number) => boolean): Sample[] {
  const { names, above, name, self, total, before } = tree, rest = restOf(tree, self, total);
  const restBefore = before && restOf(tree, before.self, before.total);
  const samples: Sample[] = [];
  for (let i = 0; i < name.length; i++) {
    if (!chosen(i)) continue;
    const frames: string[] = [];
    for (let at = i; at >= 0 && !ends(at); at = above[at]!) frames.push(names[name[at]!]!);
    frames.reverse();
    add(samples, frames, self[i]!, before?.self[i]);
    add(samples, [...frames, SMALLER], rest[i]!, restBefore?.[i]);
  }
  return samples;
}

// restOf returns the part of the nodes' cost that is neither their own nor counted by nodes below them in the page.
function restOf({ above }: CallTree, self: readonly number[], total: readonly number[]): number[] {
  const rest = [...total];
  above.forEach((parent, i) => {
    rest[i]! -= self[i]!;
    if (parent >= 0) rest[parent]! -= total[i]!;
  });
  return rest;
}

function add(samples: Sample[], frames: string[], total: number, before: number | undefined): void {
  if (total <= 0 && (before ?? 0) <= 0) return;
  samples.push(before === undefined ? { frames, total } : { frames, total, before });
}
