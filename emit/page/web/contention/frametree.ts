// FrameNode is a node of the icicle: a frame that samples share, with the time of the samples through it.
export interface FrameNode {
  name: string;
  total: number;
  before?: number; // the total in the other run of a comparison
  depth: number; // 0 for the root
  at?: number; // when the call began, in a tree in time order, whose children are in time order, too
  children: FrameNode[]; // the largest first
  parent: FrameNode | null;
}

// Sample is a call stack with its cost, and its cost in the other run of a comparison.
export interface Sample {
  frames: string[];
  total: number;
  before?: number;
}

// frameTree returns the root of the tree of samples, which begin at the root.
export function frameTree(samples: readonly Sample[], name: string): FrameNode {
  const root: FrameNode = { name, total: 0, depth: 0, children: [], parent: null };
  const byName = new Map<FrameNode, Map<string, FrameNode>>();
  const add = (node: FrameNode, { total, before }: Sample): FrameNode => {
    node.total += total;
    if (before !== undefined) node.before = (node.before ?? 0) + before;
    return node;
  };
  for (const sample of samples) {
    let at = add(root, sample);
    for (const frame of sample.frames) at = add(childOf(at, frame, byName), sample);
  }
  for (const node of nodesOf(root)) node.children.sort((a, b) => b.total - a.total);
  return root;
}

function childOf(node: FrameNode, name: string, byName: Map<FrameNode, Map<string, FrameNode>>): FrameNode {
  let children = byName.get(node);
  if (!children) byName.set(node, (children = new Map()));
  let child = children.get(name);
  if (!child) {
    child = { name, total: 0, depth: node.depth + 1, children: [], parent: node };
    children.set(name, child);
    node.children.push(child);
  }
  return child;
}

// nodesOf iterates over a node and all below it, each before its children.
export function* nodesOf(node: FrameNode): Generator<FrameNode> {
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    yield next;
    for (let i = next.children.length - 1; i >= 0; i--) open.push(next.children[i]!);
  }
}

// matching returns the nodes whose lower-case names contain the text, and the time of the samples through them. Each
// sample counts once.
export function matching(root: FrameNode, text: string): { nodes: Set<FrameNode>; total: number } {
  const nodes = new Set<FrameNode>();
  let total = 0;
  if (text === "") return { nodes, total };
  for (const node of nodesOf(root)) {
    if (node.depth === 0 || !node.name.toLowerCase().includes(text)) continue;
    nodes.add(node);
    if (!within(node.parent, nodes)) total += node.total;
  }
  return { nodes, total };
}

function within(node: FrameNode | null, nodes: ReadonlySet<FrameNode>): boolean {
  for (let at = node; at; at = at.parent) if (nodes.has(at)) return true;
  return false;
}
