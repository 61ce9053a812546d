import type { Dump, DumpNode } from "./document.js";

// TreeNode is an object of the dominator tree. Its size is what it retains: its children here, itself, and smaller
// objects.
export interface TreeNode {
  index: number; // in Dump.nodes; -1 for the root
  label: string;
  node: DumpNode | null;
  retained: number;
  depth: number;
  above: TreeNode | null;
  children: TreeNode[]; // those that retain most first
}

// dominatorTree returns the root of a dump's tree: everything that its roots reach.
export function dominatorTree(dump: Dump): TreeNode {
  const root: TreeNode = {
    index: -1, label: "all that roots reach", node: null, retained: dump.bytes, depth: 0, above: null, children: [],
  };
  const all: TreeNode[] = [];
  dump.nodes.forEach((node, index) => {
    const above = all[node.above] ?? root;
    const made = {
      index, label: node.object, node, retained: node.retained, depth: above.depth + 1, above, children: [],
    };
    above.children.push(made);
    all.push(made);
  });
  return root;
}

// restOf returns the bytes that a node retains beyond itself and its children in the tree: smaller objects.
export function restOf({ node, retained, children }: TreeNode): number {
  return Math.max(0, retained - (node?.bytes ?? 0) - children.reduce((sum, child) => sum + child.retained, 0));
}
