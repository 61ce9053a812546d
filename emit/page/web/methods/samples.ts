import type { CallTree } from "./document.js";

const SMALLER = "(smaller calls)"; // the nodes that the page does not have

export type Direction = "down" | "up";

type Samples = { frames: string[]; total: number }[];

// samplesOf returns the tree's nodes as call stacks with what they cost by themselves: from the outermost call down, or
// from the innermost one up to its callers.
export function samplesOf(tree: CallTree, direction: Direction): Samples {
  const samples = below(tree, () => true, () => false);
  if (direction === "up") for (const { frames } of samples) frames.reverse();
  return samples;
}

// Around is what is known of the calls of a method that are in no other call of it.
export interface Around {
  callers: Samples; // the nearest caller first
  callees: Samples; // without the method itself, of which an empty stack is
  total: number;
}

// aroundMethod returns the callers and the callees of a method.
export function aroundMethod(tree: CallTree, method: string): Around {
  const { names, above, name, total } = tree, of = names.indexOf(method);
  const outermost = new Set<number>(), inside: boolean[] = [];
  const callers: Samples = [];
  let sum = 0;
  above.forEach((parent, i) => {
    inside[i] = (inside[parent] ?? false) || name[i] === of;
    if (name[i] !== of || inside[parent]) return;
    outermost.add(i);
    const frames: string[] = [];
    for (let at = parent; at >= 0; at = above[at]!) frames.push(names[name[at]!]!);
    callers.push({ frames, total: total[i]! });
    sum += total[i]!;
  });
  return { callers, callees: below(tree, (i) => inside[i]!, (i) => outermost.has(i)), total: sum };
}

// below returns the chosen nodes with what they cost by themselves. Stacks begin at the outermost call, or below a call
// at which they end.
function below(tree: CallTree, chosen: (i: number) => boolean, ends: (i: number) => boolean): Samples {
  const { names, above, name, self, total } = tree, rest = [...total];
  above.forEach((parent, i) => {
    rest[i]! -= self[i]!;
    if (parent >= 0) rest[parent]! -= total[i]!;
  });
  const samples: Samples = [];
  for (let i = 0; i < name.length; i++) {
    if (!chosen(i)) continue;
    const frames: string[] = [];
    for (let at = i; at >= 0 && !ends(at); at = above[at]!) frames.push(names[name[at]!]!);
    frames.reverse();
    if (self[i]! > 0) samples.push({ frames, total: self[i]! });
    if (rest[i]! > 0) samples.push({ frames: [...frames, SMALLER], total: rest[i]! });
  }
  return samples;
}
