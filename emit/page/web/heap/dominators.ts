import { button, element, named, replace } from "../element.js";
import { count, share, size } from "../format.js";
import { restOf, type TreeNode } from "./tree.js";

const SPARE = 300; // rows that are made at most below one node

// DominatorTree lists the objects that retain most as a tree; below an object are those that it dominates. Rows open
// and close by click, Enter and the arrow keys.
export class DominatorTree {
  readonly root = element("div", { class: "dominators" });
  readonly tools = element("div", { class: "table-tools" });
  private readonly body = element("tbody");
  private readonly opened = new Set<TreeNode>();
  private tree: TreeNode | null = null;
  private selected: TreeNode | null = null;
  private rows: TreeNode[] = [];

  // chose is called with a node that is selected here.
  constructor(private readonly chose: (node: TreeNode) => void) {
    const heads = ["Object", "Retained", "Share", "Bytes", "Dominates"].map((label, i) =>
      element("th", { scope: "col", class: i > 0 ? "number" : undefined }, label),
    );
    this.root.append(
      element(
        "table", { role: "treegrid", "aria-label": "Dominator tree" }, element("thead", {}, element("tr", {}, ...heads)),
        this.body,
      ),
    );
    this.body.addEventListener("click", (event) => this.clicked(event));
    this.body.addEventListener("keydown", (event) => this.key(event));
  }

  show(tree: TreeNode): void {
    this.tree = tree;
    this.opened.clear();
    this.selected = tree.children[0] ?? null;
    this.draw();
  }

  // select opens the way to a node and selects it.
  select(node: TreeNode): void {
    for (let at = node.above; at; at = at.above) this.opened.add(at);
    this.selected = node;
    this.draw();
    this.rowOf(node)?.scrollIntoView({ block: "nearest" });
  }

  private draw(): void {
    if (!this.tree) return;
    const had = this.body.contains(document.activeElement);
    this.rows = [];
    const made: HTMLElement[] = [];
    this.list(this.tree, made);
    replace(this.body, ...made);
    if (had && this.selected) this.rowOf(this.selected)?.focus();
  }

  private list(above: TreeNode, made: HTMLElement[]): void {
    for (const node of above.children.slice(0, SPARE)) {
      this.rows.push(node);
      made.push(this.row(node, this.rows.length - 1));
      if (this.opened.has(node)) this.list(node, made);
    }
    const left = above.children.slice(SPARE).reduce((sum, { retained }) => sum + retained, restOf(above));
    if (left > 0) made.push(this.rest(above, left));
  }

  private row(node: TreeNode, at: number): HTMLElement {
    const opens = node.children.length > 0, open = this.opened.has(node), { bytes, children } = node.node!;
    const name = element(
      "td", { role: "gridcell" },
      opens
        ? button(open ? "▾" : "▸", () => this.toggle(node), { class: "twist", tabindex: -1, "aria-hidden": "true" })
        : element("span", { class: "twist" }),
      named(node.label),
    );
    name.style.paddingLeft = `${4 + 16 * Math.min(node.depth - 1, 40)}px`;
    const cell = (text: string) => element("td", { role: "gridcell", class: "number" }, text);
    return element(
      "tr",
      {
        "aria-level": node.depth, "aria-expanded": opens ? String(open) : undefined, "data-at": at,
        "aria-selected": String(node === this.selected), tabindex: node === this.selected ? 0 : -1,
      },
      name, cell(size(node.retained)), cell(share(node.retained, this.tree!.retained)), cell(size(bytes)),
      cell(children > 0 ? count(children) : ""),
    );
  }

  // rest returns the row for what has no row of its own below a node.
  private rest(above: TreeNode, bytes: number): HTMLElement {
    const name = element("td", { role: "gridcell" }, "smaller objects, which are not here");
    name.style.paddingLeft = `${22 + 16 * Math.min(above.depth, 40)}px`;
    return element(
      "tr", { class: "rest", "aria-level": above.depth + 1 }, name,
      element("td", { role: "gridcell", class: "number" }, size(bytes)),
      element("td", { role: "gridcell", class: "number" }, share(bytes, this.tree!.retained)), element("td"),
      element("td"),
    );
  }

  private toggle(node: TreeNode): void {
    if (node.children.length === 0) return;
    if (!this.opened.delete(node)) this.opened.add(node);
    this.draw();
  }

  private choose(node: TreeNode): void {
    this.selected = node;
    this.draw();
    this.rowOf(node)?.focus();
    this.chose(node);
  }

  private rowOf(node: TreeNode): HTMLElement | null {
    return this.body.querySelector(`tr[data-at="${this.rows.indexOf(node)}"]`);
  }

  private clicked(event: MouseEvent): void {
    if (!(event.target instanceof Element) || event.target.closest("button")) return;
    const row = event.target.closest<HTMLElement>("tr[data-at]");
    if (row) this.choose(this.rows[Number(row.dataset.at)]!);
  }

  private key(event: KeyboardEvent): void {
    const { selected: node } = this, at = node ? this.rows.indexOf(node) : -1;
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const open = this.opened.has(node);
    if (event.key === "Enter" || event.key === " ") this.toggle(node);
    else if (event.key === "ArrowRight" && !open) this.toggle(node);
    else if (event.key === "ArrowLeft" && open) this.toggle(node);
    else if (event.key === "ArrowLeft" && node.above?.node) this.choose(node.above);
    else if (event.key === "ArrowDown" && this.rows[at + 1]) this.choose(this.rows[at + 1]!);
    else if (event.key === "ArrowUp" && this.rows[at - 1]) this.choose(this.rows[at - 1]!);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
