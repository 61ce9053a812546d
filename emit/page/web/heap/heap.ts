import { Icicle } from "../contention/icicle.js";
import { Choice, element, named, replace } from "../element.js";
import { count, counted, messageOf, size } from "../format.js";
import { section } from "../section.js";
import type { About, Source } from "../source.js";
import { Table } from "../table/table.js";
import {
  allocationColumns, classColumns, type CollectionRow, collectionColumns, collectionRows, type Grouping, GROUPINGS,
} from "./columns.js";
import { Curve } from "./curve.js";
import { DominatorTree } from "./dominators.js";
import type { AllocationRow, ClassRow, Dump, HeapDocument } from "./document.js";
import { dominatorTree, type TreeNode } from "./tree.js";
import { Treemap } from "./treemap.js";

type Row = AllocationRow & { place?: string };

// HeapTab shows the heap's part of a trace: the heap over time with its garbage collections, who allocates, and for a
// heap dump what retains most, and why that is still reachable.
export class HeapTab {
  private readonly state = element("p", { class: "panel-state", role: "status" });
  private readonly content = element("div", { class: "heap-content", hidden: true });
  private readonly curve = new Curve();
  private readonly collections: Table<CollectionRow>;
  private readonly allocations: Table<Row>;
  private readonly flames: Icicle;
  private readonly classes: Table<ClassRow>;
  private readonly map = new Treemap((node) => this.choose(node, "map"));
  private readonly tree = new DominatorTree((node) => this.choose(node, "tree"));
  private readonly path = element("div", { class: "root-path", role: "status" });
  private heap: HeapDocument | null = null;
  private by: Grouping = "sites";
  private shown = ""; // the trace's length when the heap was requested, and whether it was complete

  // window shows a range of time in the timeline.
  constructor(
    root: HTMLElement, private readonly source: Source, private about: About,
    window: (from: number, to: number) => void,
  ) {
    const show = ({ from, to }: CollectionRow) => window(from - 3 * (to - from), to + 3 * (to - from));
    this.collections = new Table<CollectionRow>({
      name: "heap.collections", label: "Garbage collections", columns: collectionColumns(), key: (row) => `${row.from}`,
      sort: "paused", select: "one", unit: ["collection", "collections"], open: show, show,
    });
    this.allocations = new Table<Row>({
      name: "heap.allocations", label: "Allocations", columns: [], sort: "bytes", unit: ["row", "rows"],
      key: (row) => `${row.class} ${row.place ?? ""}`,
    });
    this.flames = new Icicle({
      label: "Flame graph of allocations", root: "all allocations", of: "of the bytes", amount: size,
      colour: ({ depth, children }) =>
        depth === 0 ? "var(--line)" : children.length > 0 ? "var(--part-0)" : "var(--part-1)",
    });
    this.classes = new Table<ClassRow>({
      name: "heap.classes", label: "Objects by class", columns: classColumns(), key: (row) => row.class,
      sort: "bytes", unit: ["class", "classes"],
    });
    root.classList.add("heap");
    root.append(this.state, this.content);
  }

  // update shows the heap. It asks the source again only if the trace has grown or ended.
  update(): void {
    const now = `${this.about.events} ${this.about.live}`;
    if (this.shown === now) return;
    this.shown = now;
    void this.load();
  }

  grown(about: About): void {
    this.about = about;
  }

  print(printing: boolean): void {
    for (const table of [this.collections, this.allocations, this.classes]) table.print(printing);
  }

  private async load(): Promise<void> {
    this.state.textContent = this.heap ? "" : "Computing the heap …";
    try {
      const heap = await this.source.heap();
      this.state.textContent = "";
      this.state.classList.remove("failed");
      this.content.hidden = false;
      this.show(heap);
      this.heap = heap;
    } catch (failure) {
      this.shown = "";
      this.state.textContent = `The heap cannot be shown: ${messageOf(failure)}`;
      this.state.classList.add("failed");
    }
  }

  // show replaces the sections by those for which the trace has data.
  private show(heap: HeapDocument): void {
    const sections = [...this.collected(heap), ...this.allocated(heap), ...(heap.dump ? this.dumped(heap.dump) : [])];
    replace(this.content, ...sections);
    if (sections.length === 0) this.state.textContent = "The trace has nothing of the heap so far.";
  }

  private collected({ allocations }: HeapDocument): HTMLElement[] {
    const { collections, facts } = allocations, rows = collectionRows(collections);
    if (rows.length === 0) return [];
    this.curve.show(collections, rows, facts.followed, this.about.duration);
    this.collections.setRows(rows);
    const left = collections.omitted > 0 ? `${count(collections.omitted)} more are not here.` : "";
    return [
      section("The heap over time", "", { root: this.curve.root, tools: element("div") }),
      section("Garbage collections", left, this.collections),
    ];
  }

  private allocated({ allocations }: HeapDocument): HTMLElement[] {
    if (allocations.classes.length === 0) return [];
    const choice = new Choice<Grouping>("Sums of allocations", GROUPINGS, this.by, (by) => {
      this.by = by;
      this.group(allocations);
    });
    this.group(allocations);
    this.flames.show(allocations.samples);
    return [
      remarksOf(allocations.headline, allocations.remarks),
      section("Who allocates", omittedText(allocations.omitted), this.allocations, choice.root),
      section("Flame graph of allocations", "From the outermost call to the class of the objects.", this.flames),
    ];
  }

  private group(allocations: HeapDocument["allocations"]): void {
    this.allocations.setColumns(allocationColumns(allocations, this.by), allocations[this.by]);
  }

  private dumped(dump: Dump): HTMLElement[] {
    const tree = dominatorTree(dump), first = tree.children[0];
    this.tree.show(tree);
    this.map.show(tree);
    this.classes.setRows(dump.classes);
    if (first) this.explain(first);
    const left = dump.classesOmitted ? `${counted(dump.classesOmitted, "class", "classes")} more are not here.` : "";
    const most = `The ${counted(dump.nodes.length, "object")} that retain most: what would become unreachable without them.`;
    return [
      remarksOf(dump.headline, dump.remarks),
      section("What retains most", most, this.tree),
      section("Why it is still there", "The shortest path from a root.", { root: this.path, tools: element("div") }),
      section("Treemap", "A box is as large as what its object retains. A click zooms.", this.map),
      section("Objects by class", left, this.classes),
    ];
  }

  // choose shows an object that was selected in one view in the other views.
  private choose(node: TreeNode, where: "map" | "tree"): void {
    if (where === "map") this.tree.select(node);
    else this.map.select(node);
    this.explain(node);
  }

  private explain({ label, node }: TreeNode): void {
    const path = node?.path;
    if (!path) {
      const id = label.slice(label.lastIndexOf(" ") + 1);
      return replace(this.path, element("p", {}, named(label), `: trcx heap --path ${id} prints the path.`));
    }
    const steps = path.steps.map(({ object, bytes }) =>
      element("li", {}, named(object), element("span", { class: "bytes" }, size(bytes))),
    );
    if (path.omitted)
      steps.splice(steps.length / 2, 0, element("li", { class: "left-out" }, `… ${count(path.omitted)} more …`));
    replace(
      this.path,
      element("ol", {}, element("li", { class: "root" }, path.root || "a root"), ...steps),
    );
  }
}

// remarksOf is what a reader must know about the figures.
function remarksOf(headline: string, remarks: readonly string[] | null): HTMLElement {
  return element(
    "div", { class: "heap-remarks" }, element("p", { class: "path-verdict" }, headline),
    ...(remarks ?? []).map((remark) => element("p", { class: "section-hint" }, remark)),
  );
}

function omittedText(omitted: { [table: string]: number } | undefined): string {
  return omitted?.sites ? `${counted(omitted.sites, "site")} with less are not here.` : "";
}
