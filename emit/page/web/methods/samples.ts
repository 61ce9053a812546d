import type { CallTree } from "./document.js";

const SMALLER = "(smaller calls)"; // the nodes that the page does not have

export type Direction = "down" | "up";

// samplesOf returns the tree's nodes as call stacks with what they cost by themselves: from the outermost call down, or
// from the innermost one up to its callers.
export function samplesOf(tree: CallTree, direction: Direction): { frames: string[]; total: number }[] {
  const { names, above, name, self, total } = tree, rest = [...total];
  above.forEach((parent, i) => {
    rest[i]! -= self[i]!;
    if (parent >= 0) rest[parent]! -= total[i]!;
  });
  const samples: { frames: string[]; total: number }[] = [];
  for (let i = 0; i < name.length; i++) {
    const frames: string[] = [];
    for (let at = i; at >= 0; at = above[at]!) frames.push(names[name[at]!]!);
    if (direction === "down") frames.reverse();
    if (self[i]! > 0) samples.push({ frames, total: self[i]! });
    if (rest[i]! > 0)
      samples.push({ frames: direction === "down" ? [...frames, SMALLER] : [SMALLER, ...frames], total: rest[i]! });
  }
  return samples;
}
