import { element, replace, tooltip } from "../element.js";
import { share, size } from "../format.js";
import type { TreeNode } from "./tree.js";

const LEAST = 4; // per thousand of the width or height: narrower boxes are not drawn
const LEVELS = 3; // below the node that fills the map
const HEAD = 0.06; // share of the height for the name of a box that contains others

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

// Treemap draws the dominator tree as nested boxes. The area of a box is what its object retains. A click selects an
// object and fills the map with it; a click on the outermost box leads back.
export class Treemap {
  readonly root = element("div", { class: "treemap", role: "tree", "aria-label": "Treemap of retained bytes" });
  readonly tools = element("div", { class: "table-tools" });
  private tree: TreeNode | null = null;
  private shown: TreeNode | null = null;
  private boxes: HTMLElement[] = [];

  // chose is called with a node that is selected here.
  constructor(private readonly chose: (node: TreeNode) => void) {
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  show(tree: TreeNode): void {
    this.tree = tree;
    this.fill(tree);
  }

  // select fills the map with a node, or with its parent if the node has no children.
  select(node: TreeNode): void {
    this.fill(node.children.length > 0 || !node.above ? node : node.above);
  }

  private fill(node: TreeNode): void {
    const had = this.root.contains(document.activeElement);
    this.shown = node;
    this.boxes = [];
    this.draw(node, { left: 0, top: 0, width: 1, height: 1 }, 0);
    replace(this.root, ...this.boxes);
    if (had) this.boxes[0]?.focus();
  }

  private draw(node: TreeNode, box: Box, level: number): void {
    this.boxes.push(this.box(node, box, level));
    if (level === LEVELS) return;
    const head = Math.min(HEAD, box.height / 4);
    const inside = {
      left: box.left + 0.003, top: box.top + head, width: box.width - 0.006, height: box.height - head - 0.008,
    };
    if (inside.width <= 0 || inside.height <= 0) return;
    const total = Math.max(node.retained, 1);
    for (const [child, part] of squarified(node.children, total, inside)) {
      if (part.width * 1000 < LEAST || part.height * 1000 < LEAST) break;
      this.draw(child, part, level + 1);
    }
  }

  private box(node: TreeNode, { left, top, width, height }: Box, level: number): HTMLElement {
    const text = `${node.label}: retains ${size(node.retained)}, ${share(node.retained, this.tree!.retained)}`;
    const made = element(
      "div",
      {
        class: "treemap-box", role: "treeitem", "aria-level": level + 1, "aria-label": tooltip(text),
        title: tooltip(text), tabindex: level === 0 ? 0 : -1,
      },
      width > 0.04 && height > 0.05 && element("bdi", { dir: "auto", "aria-hidden": "true" }, tooltip(node.label)),
    );
    made.style.left = `${100 * left}%`;
    made.style.top = `${100 * top}%`;
    made.style.width = `${100 * width}%`;
    made.style.height = `${100 * height}%`;
    made.style.setProperty("--node", level === 0 ? "var(--line)" : `var(--part-${Math.max(node.index, 0) % 8})`);
    made.addEventListener("click", () => this.act(node));
    return made;
  }

  private act(node: TreeNode): void {
    const out = node === this.shown && node.above !== null;
    this.select(out ? node.above! : node);
    if (!out && node.node) this.chose(node);
  }

  private key(event: KeyboardEvent): void {
    const at = this.boxes.indexOf(document.activeElement as HTMLElement);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.boxes[at]!.click();
    else if (event.key === "ArrowRight" || event.key === "ArrowDown") this.boxes[at + 1]?.focus();
    else if (event.key === "ArrowLeft" || event.key === "ArrowUp") this.boxes[at - 1]?.focus();
    else if (event.key === "Escape" && this.shown?.above) this.fill(this.shown.above);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

// squarified lays out nodes, the largest first, as rows of boxes that are as square as possible (Bruls, Huizing and van
// Wijk). If the nodes are less than the total, the rest is left empty.
export function squarified(nodes: readonly TreeNode[], total: number, within: Box): [TreeNode, Box][] {
  const laid: [TreeNode, Box][] = [], unit = (within.width * within.height) / total;
  let { left, top, width, height } = within, next = 0;
  while (next < nodes.length && width > 0 && height > 0) {
    const short = Math.min(width, height);
    let end = next + 1, sum = nodes[next]!.retained * unit;
    for (; end < nodes.length; end++) {
      const wider = sum + nodes[end]!.retained * unit;
      if (worst(nodes, next, end + 1, wider, short, unit) > worst(nodes, next, end, sum, short, unit)) break;
      sum = wider;
    }
    const thick = sum / short;
    let at = 0;
    for (const node of nodes.slice(next, end)) {
      const long = thick > 0 ? (node.retained * unit) / thick : 0;
      laid.push([
        node,
        width >= height
          ? { left, top: top + at, width: thick, height: long }
          : { left: left + at, top, width: long, height: thick },
      ]);
      at += long;
    }
    if (width >= height) [left, width] = [left + thick, width - thick];
    else [top, height] = [top + thick, height - thick];
    next = end;
  }
  return laid;
}

// worst returns the largest ratio of the sides of the boxes in a row: nodes[from..to], whose area is sum.
function worst(
  nodes: readonly TreeNode[], from: number, to: number, sum: number, short: number, unit: number,
): number {
  const largest = nodes[from]!.retained * unit, least = nodes[to - 1]!.retained * unit, square = short * short;
  if (least <= 0 || sum <= 0) return Infinity;
  return Math.max((square * largest) / (sum * sum), (sum * sum) / (square * least));
}
