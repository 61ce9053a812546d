import type { FrameNode } from "../contention/frametree.js";
import { Icicle, type IcicleOptions } from "../contention/icicle.js";
import { Choice, element, named, replace } from "../element.js";
import { clipped, count, counted, duration, messageOf, share } from "../format.js";
import { section } from "../section.js";
import type { About } from "../source.js";
import { countColumn, textColumn } from "../table/cells.js";
import { type Column, Table } from "../table/table.js";
import { callTree, type ThreadCalls, threadCalls } from "./calls.js";
import type { CallTree, MethodRow, MethodsDocument } from "./document.js";
import { aroundMethod, type Direction, ofBase, samplesOf } from "./samples.js";

const GROUPINGS = [["methods", "By method"], ["classes", "By class"], ["packages", "By package"]] as const;
type Grouping = (typeof GROUPINGS)[number][0];

type Arrangement = Direction | "time";

const WIDTHS = [["head", "As wide as now"], ["base", "As wide as before"]] as const;

const DIRECTIONS: readonly (readonly [Arrangement, string])[] = [
  ["down", "Callers first"], ["up", "Innermost first"], ["time", "In time order"],
];

// MethodsTab shows where the program's time went: a table of methods, classes or packages, and the calls as a flame
// graph.
export class MethodsTab {
  private readonly state = element("p", { class: "panel-state", role: "status" });
  private readonly content = element("div", { hidden: true });
  private readonly table: Table<MethodRow>;
  private readonly flames: Icicle;
  private readonly callers: Icicle;
  private readonly callees: Icicle;
  private readonly around = element("p", { class: "section-hint methods-around", role: "status" });
  private readonly both: HTMLElement;
  private readonly missing = element("p", { class: "section-hint" });
  private by: Grouping = "methods";
  private direction: Arrangement = "down";
  private width: "head" | "base" = "head"; // the run whose costs set the widths of frames
  private calls: ThreadCalls[] = [];
  private readonly thread = element("select", { "aria-label": "Thread of the flame graph", hidden: true });
  private methods: MethodsDocument | null = null;
  private asked = false;

  // ask returns the methods of a complete trace.
  constructor(root: HTMLElement, private about: About, private readonly ask: () => Promise<MethodsDocument>) {
    this.table = new Table<MethodRow>({
      name: "methods", label: "Methods", columns: [], sort: "base", unit: ["row", "rows"],
      key: keyOf,
      select: "one", selected: () => this.choose(),
    });
    this.flames = this.icicle({ label: "Flame graph of calls", root: "all calls", of: "of all" });
    this.callers = this.icicle({ label: "Callers", root: "its calls", of: "of its calls", upward: true });
    this.callees = this.icicle({ label: "Callees", root: "its calls", of: "of its calls" });
    this.both = element(
      "div", { class: "methods-both", hidden: true }, this.callers.tools, this.callers.root, this.callees.root,
      this.callees.tools,
    );
    root.append(this.state, this.content);
  }

  private icicle(options: Pick<IcicleOptions, "label" | "root" | "of" | "upward">): Icicle {
    return new Icicle({
      ...options, amount: (cost) => this.amount(cost), colour: (node) => this.colour(node),
      change: ({ total, before }) => {
        const [now, then] = this.width === "base" ? [before ?? 0, total] : [total, before];
        return then === undefined ? "" : `; ${this.changed(now, then)}`;
      },
    });
  }

  // colour returns the colour of a frame. In a comparison it is red if the frame's cost has risen and blue if it has
  // fallen, the stronger the change.
  private colour({ depth, children, total, before }: FrameNode): string {
    if (depth === 0) return "var(--line)";
    if (before === undefined) return children.length > 0 ? "var(--part-0)" : "var(--part-1)";
    const more = this.width === "base" ? before - total : total - before;
    const strength = Math.round((100 * Math.abs(more)) / Math.max(total, before, 1));
    return `color-mix(in srgb, var(${more > 0 ? "--more" : "--less"}) ${strength}%, var(--line-strong))`;
  }

  // changed says how much a cost differs from the other run of a comparison.
  private changed(now: number, before: number): string {
    if (now === before) return "as before";
    return `${this.amount(Math.abs(now - before))} ${now > before ? "more" : "less"} than before`;
  }

  // open shows the methods once the trace is complete, as they do not change then.
  open(): void {
    if (this.asked) return;
    this.state.textContent = this.about.live ? "The methods can be shown when the recording has ended." : "";
    if (this.about.live) return;
    this.asked = true;
    void this.load();
  }

  grown(about: About): void {
    this.about = about;
  }

  print(printing: boolean): void {
    this.table.print(printing);
  }

  private signed(change: number): string {
    if (change === 0) return "";
    const size = Math.abs(change);
    return (change > 0 ? "+" : "−") + (this.methods?.timed === false ? count(size) : duration(size));
  }

  private async load(): Promise<void> {
    try {
      this.show(await this.ask());
    } catch (failure) {
      this.state.textContent = `The methods cannot be shown: ${messageOf(failure)}`;
      this.state.classList.add("failed");
    }
  }

  private amount(cost: number): string {
    return this.methods?.timed === false ? counted(cost, "sample") : duration(cost);
  }

  private show(methods: MethodsDocument): void {
    this.methods = methods;
    const groups = new Choice<Grouping>("Sums of methods", GROUPINGS, this.by, (by) => {
      this.by = by;
      this.group(methods);
    });
    this.calls = methods.calls ? threadCalls(methods.calls) : [];
    const possible = DIRECTIONS.filter(([id]) => id !== "time" || methods.calls);
    const direct = (direction: Arrangement) => {
      this.direction = direction;
      this.flame(methods);
    };
    const directions = new Choice("Direction of the flame graph", possible, this.direction, direct);
    const widths = new Choice<"head" | "base">("Widths of frames", WIDTHS, this.width, (width) => {
      this.width = width;
      this.flame(methods);
      this.choose();
    });
    replace(this.thread, ...this.calls.map(({ title }, i) => element("option", { value: i }, clipped(title, 80))));
    this.thread.addEventListener("change", () => this.flame(methods));
    this.group(methods);
    this.flame(methods);
    this.choose();
    this.content.append(
      element(
        "div", { class: "methods-remarks" }, element("p", { class: "path-verdict" }, methods.headline),
        ...(methods.remarks ?? []).map((remark) => element("p", { class: "section-hint" }, remark)),
        methods.base && element("p", { class: "section-hint" }, `Compared with: ${methods.base.headline}`,
          ` Frames are red if they cost more than before, and blue if less.`),
      ),
      section("Where the time went", omittedText(methods), this.table, groups.root),
      section(
        "Flame graph of calls", "", this.flames, this.missing, directions.root, this.thread,
        ...(methods.base ? [widths.root] : []),
      ),
      section("Callers and callees", "", { root: element("div", {}, this.around, this.both), tools: element("div") }),
    );
    this.content.hidden = false;
  }

  private flame({ tree, calls, nodes }: MethodsDocument): void {
    const timed = this.calls[Number(this.thread.value)], left = nodes - tree.name.length;
    this.thread.hidden = this.direction !== "time";
    if (this.direction !== "time" || !timed) {
      this.missing.textContent =
        left > 0
          ? `${counted(left, "node")} that cost less are not here by themselves; trcx methods --tree has all.`
          : "";
      this.flames.show(samplesOf(this.wide(tree), this.direction === "up" ? "up" : "down"), this.direction === "down");
      return;
    }
    const omitted = calls?.omitted ?? 0;
    this.missing.textContent =
      omitted > 0 ? `${counted(omitted, "call")} that were shorter are not here; trcx methods --flow has all.` : "";
    this.flames.showTree(callTree(timed), omitted === 0, "of the time");
  }

  // wide returns the tree with the costs that set the widths of frames.
  private wide(tree: CallTree): CallTree {
    return this.width === "base" ? ofBase(tree) : tree;
  }

  // choose shows the callers and the callees of the selected method.
  private choose(): void {
    const [key] = this.table.selection, methods = this.methods;
    const row = methods?.rows.methods?.find((row) => keyOf(row) === key);
    this.both.hidden = !methods || !row;
    if (!methods || !row) {
      this.around.textContent =
        "Choose a method in the table: its callers are shown above it, and what it called below.";
      return;
    }
    const { callers, callees, total } = aroundMethod(this.wide(methods.tree), row.title);
    const left = (this.width === "base" ? row.before?.total ?? 0 : row.total) - total;
    replace(
      this.around, named(row.title),
      `: ${this.amount(total)} from outermost calls of it on.` +
        (left > 0 ? ` ${this.amount(left)} more are in smaller calls, which are not here by themselves.` : ""),
    );
    this.callers.show(callers);
    this.callees.show(callees, true);
  }

  private group(methods: MethodsDocument): void {
    const cost = (id: string, label: string, of: (row: MethodRow) => number, explain: string): Column<MethodRow> => ({
      id, label, explain, width: 84, number: true, order: of,
      text: (row) => (of(row) === 0 ? "" : methods.timed ? duration(of(row)) : count(of(row))),
    });
    const name = { methods: "Method", classes: "Class", packages: "Package" }[this.by];
    const columns: Column<MethodRow>[] = [
      { ...textColumn<MethodRow>("title", name, 360, (row) => row.title), grows: true },
      {
        id: "share", label: "Share", explain: "of all base costs", width: 130, number: true, order: (row) => row.base,
        text: (row) => share(row.base, methods.all), cell: (row) => bar(row.base, methods.all),
      },
      cost("base", methods.timed ? "Base" : "Samples", (row) => row.base, "while it was the innermost call"),
      cost("total", methods.timed ? "Cumulative" : "In all", (row) => row.total, "with what it called"),
    ];
    if (methods.base)
      columns.push(
        cost("before", "Before", (row) => row.before?.base ?? 0, "its base cost in the run that is compared"),
        {
          id: "change", label: "Change", explain: "of its base cost", width: 84, number: true,
          order: (row) => Math.abs(changeOf(row)), text: (row) => this.signed(changeOf(row)),
          cell: (row) => element("span", { class: changeOf(row) > 0 ? "more" : "less" }, this.signed(changeOf(row))),
        },
      );
    if (methods.timed)
      columns.push(countColumn("count", methods.counted === "calls" ? "Calls" : "Samples", (row) => row.count));
    this.table.setColumns(columns, methods.rows[this.by] ?? []);
  }
}

function changeOf({ base, before }: MethodRow): number {
  return base - (before?.base ?? 0);
}

// keyOf returns the key of a row. The titles of overloads have their types.
function keyOf({ title, class: of, package: within }: MethodRow): string {
  return `${within} ${of ?? ""} ${title}`;
}

// bar returns a share with a bar of its length.
function bar(part: number, whole: number): HTMLElement {
  const made = element("span", { class: "methods-bar" }, share(part, whole));
  made.style.setProperty("--share", `${(100 * part) / Math.max(whole, 1)}%`);
  return made;
}

function omittedText({ omitted }: MethodsDocument): string {
  const { methods = 0, classes = 0, packages = 0 } = omitted ?? {};
  const left = [
    methods && counted(methods, "method"), classes && counted(classes, "class", "classes"),
    packages && counted(packages, "package"),
  ].filter(Boolean);
  return left.length > 0 ? `${left.join(", ")} with less are not here.` : "";
}
