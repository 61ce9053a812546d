import { element, replace, toggleButton, tooltip } from "../element.js";
import { clipped, share } from "../format.js";
import { type FrameNode, frameTree, matching, nodesOf, type Sample } from "./frametree.js";

const NARROWEST = 0.001; // share of the width: narrower nodes are not drawn
const MOST = 2000; // nodes that are drawn
const LISTED = 500; // nodes in the text
const TOLD = 0.1; // share of the width from which on a node shows its own time

// IcicleOptions describe the samples.
export interface IcicleOptions {
  label: string; // the accessible name
  root: string; // the name of all samples together
  of: string; // the whole of the shares: of the time
  amount: (total: number) => string; // formats a sum
  colour: (node: FrameNode) => string;
  change?: (node: FrameNode) => string; // says how much it was in the other run of a comparison; "" without one
  upward?: boolean; // the root is at the bottom
}

// Icicle draws samples from top to bottom. A node's width is its total. Click and Enter zoom to a node; a node above
// zooms out.
export class Icicle {
  readonly root = element("div", { class: "icicle" });
  readonly tools: HTMLElement;
  private readonly rows = element("div", { class: "icicle-rows", role: "tree" });
  private readonly list = element("div", { class: "icicle-text", hidden: true });
  private readonly matched = element("span", { class: "table-count", role: "status" });
  private tree: FrameNode = frameTree([], "");
  private zoomed: FrameNode = this.tree;
  private focused: FrameNode = this.tree;
  private query = "";
  private self = false;
  private of: string;
  private narrowest = NARROWEST;
  private readonly drawn = new Map<FrameNode, HTMLElement>();

  constructor(private readonly options: IcicleOptions) {
    const { label } = options;
    this.of = options.of;
    this.rows.setAttribute("aria-label", label);
    const search = element("input", {
      type: "search", class: "table-search", placeholder: "Search", "aria-label": `Search: ${label}`,
      spellcheck: "false",
    });
    search.addEventListener("input", () => {
      this.query = search.value.trim().toLowerCase();
      this.draw();
    });
    const text = toggleButton("As text", (on) => {
      this.list.hidden = !on;
      this.rows.hidden = on;
    });
    this.tools = element("div", { class: "table-tools" }, search, this.matched, text);
    this.root.append(this.rows, this.list);
    this.rows.addEventListener("keydown", (event) => this.key(event));
  }

  // show draws other samples. The zoom stays if the tree still has its node. With self, nodes show what their samples
  // do not share with the nodes below.
  show(samples: readonly Sample[], self = false): void {
    const path = pathOf(this.zoomed);
    this.showTree(frameTree(samples, this.options.root), self);
    for (const { name } of path.slice(1)) {
      const child = this.zoomed.children.find((node) => node.name === name);
      if (!child) break;
      this.zoomed = child;
    }
    this.focused = this.zoomed;
    this.draw();
  }

  // showTree draws a tree. of is the whole of the shares.
  showTree(tree: FrameNode, self: boolean, of = this.options.of): void {
    Object.assign(this, { tree, self, of, zoomed: tree, focused: tree });
    this.draw();
    replace(this.list, listOf(tree, tree.total, this.options.amount));
  }

  private zoom(node: FrameNode): void {
    const had = this.rows.contains(document.activeElement);
    this.zoomed = node;
    this.focused = node;
    this.draw();
    if (had) this.drawn.get(node)?.focus();
  }

  private draw(): void {
    const { nodes, total } = matching(this.tree, this.query), { amount } = this.options;
    this.matched.textContent =
      this.query === "" ? "" : `${share(total, this.tree.total)} ${this.of}, ${amount(total)}`;
    this.drawn.clear();
    this.narrowest = narrowestOf(this.zoomed);
    const levels: HTMLElement[][] = [];
    for (const node of pathOf(this.zoomed)) levels[node.depth] = [this.node(node, 0, 1, nodes)];
    this.below(this.zoomed, 0, 1, levels, nodes);
    if (this.options.upward) levels.reverse();
    replace(
      this.rows,
      ...levels.map((made) => element("div", { class: "icicle-row", role: "presentation" }, ...made)),
    );
  }

  // below draws all nodes below a node, from a share of the width on.
  private below(
    node: FrameNode, from: number, width: number, levels: HTMLElement[][], found: ReadonlySet<FrameNode>,
  ): void {
    let at = from;
    for (const child of node.children) {
      const part = (width * child.total) / Math.max(node.total, 1);
      if (part < this.narrowest || this.drawn.size >= MOST) {
        if (child.at !== undefined) continue;
        break; // the others are narrower
      }
      if (child.at !== undefined) at = from + (width * (child.at - (node.at ?? 0))) / Math.max(node.total, 1);
      (levels[child.depth] ??= []).push(this.node(child, at, part, found));
      this.below(child, at, part, levels, found);
      at += part;
    }
  }

  private node(node: FrameNode, from: number, width: number, found: ReadonlySet<FrameNode>): HTMLElement {
    const above = node.depth < this.zoomed.depth, { of } = this, { amount, colour } = this.options;
    const own = this.self && node.depth > 0 && node.children.length > 0 ? selfOf(node) : 0;
    const text = `${node.name}: ${amount(node.total)}, ${share(node.total, this.tree.total)} ${of}` +
      (own > 0 ? `; ${amount(own)} by itself` : "") + (this.options.change?.(node) ?? "");
    const made = element(
      "div",
      {
        class: "icicle-node", role: "treeitem", "aria-level": node.depth + 1, "aria-label": tooltip(text),
        "aria-expanded": node.children.length > 0 ? "true" : undefined, title: tooltip(text),
        tabindex: node === this.focused ? 0 : -1, "data-above": above, "data-found": found.has(node),
        "data-dim": this.query !== "" && !found.has(node),
      },
      element("bdi", { dir: "auto", "aria-hidden": "true" }, clipped(node.name, 300)),
      own > 0 && width >= TOLD && element("span", { class: "self", "aria-hidden": "true" }, `self ${amount(own)}`),
    );
    if (own > 0) made.style.setProperty("--self", `${(100 * own) / node.total}%`);
    made.style.left = `${100 * from}%`;
    made.style.width = `${100 * width}%`;
    made.style.setProperty("--node", colour(node));
    made.addEventListener("click", () => {
      made.focus();
      this.zoom(node);
    });
    made.addEventListener("focus", () => this.focus(node));
    this.drawn.set(node, made);
    return made;
  }

  private focus(node: FrameNode): void {
    this.drawn.get(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = node;
    this.drawn.get(node)?.setAttribute("tabindex", "0");
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { focused } = this;
    if (event.key === "Enter" || event.key === " ") this.zoom(focused);
    else if (event.key === "Escape" && this.zoomed.parent) this.zoom(this.zoomed.parent);
    else if (event.key === "Home") this.drawn.get(this.tree)?.focus();
    else if (!this.move(event.key, focused)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // move moves the focus by an arrow key. It returns false for other keys.
  private move(key: string, node: FrameNode): boolean {
    const row = [...this.drawn.keys()].filter(({ depth }) => depth === node.depth), at = row.indexOf(node);
    const inner = node.children.find((child) => this.drawn.has(child)), outer = node.parent, { upward } = this.options;
    const to = {
      ArrowDown: upward ? outer : inner, ArrowUp: upward ? inner : outer,
      ArrowRight: row[at + 1], ArrowLeft: row[at - 1],
    };
    if (!(key in to)) return false;
    const next = to[key as keyof typeof to];
    if (next) this.drawn.get(next)?.focus();
    return true;
  }
}

// narrowestOf returns the share of the width below which nodes are not drawn. Nodes in time order are not sorted, so it
// is computed to leave as many nodes as may be drawn.
function narrowestOf(root: FrameNode): number {
  if (root.at === undefined) return NARROWEST;
  const totals = [...nodesOf(root)].map(({ total }) => total).sort((a, b) => b - a);
  return Math.max(NARROWEST, (totals[MOST] ?? 0) / Math.max(root.total, 1));
}

// selfOf returns the total of the samples that end at a node.
function selfOf({ total, children }: FrameNode): number {
  return children.reduce((rest, child) => rest - child.total, total);
}

// pathOf returns the nodes from the root to a node.
function pathOf(node: FrameNode): FrameNode[] {
  const path: FrameNode[] = [];
  for (let at: FrameNode | null = node; at; at = at.parent) path.unshift(at);
  return path;
}

// listOf returns the first nodes of a tree as nested lists.
function listOf(root: FrameNode, all: number, amount: (total: number) => string): HTMLElement {
  let left = LISTED;
  const made = (node: FrameNode): HTMLElement => {
    const item = element(
      "li", {}, element("bdi", { dir: "auto" }, clipped(node.name, 300)),
      ` ${amount(node.total)}, ${share(node.total, all)}`,
    );
    const below = node.children.slice(0, Math.max(left, 0));
    left -= below.length;
    if (below.length > 0) item.append(element("ul", {}, ...below.map(made)));
    return item;
  };
  return element("ul", {}, made(root));
}
