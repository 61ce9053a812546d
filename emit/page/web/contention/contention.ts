import { Answer } from "../answer.js";
import { Choice, element, replace } from "../element.js";
import type { Jumps } from "../finder.js";
import { duration } from "../format.js";
import { section } from "../section.js";
import type { About, BlameDocument, BlameWait, Source } from "../source.js";
import { Table } from "../table/table.js";
import { blameColours } from "./blamecolours.js";
import { type Grouping, GROUPINGS, openColumns, sumColumns, type SumRow, sumRows } from "./columns.js";
import { Icicle } from "./icicle.js";
import { type Part, Worst } from "./worst.js";

// ContentionTab shows who kept the threads of the program waiting: the sums of blame, the icicle of blame, and the
// waits that the trace leaves open.
export class ContentionTab {
  private readonly headline = element("p", { class: "path-verdict" });
  private readonly sums: Table<SumRow>;
  private readonly monitors: Table<SumRow>;
  private readonly open: Table<BlameWait>;
  private readonly icicle: Icicle;
  private readonly worst: Worst;
  private readonly openSection: HTMLElement;
  private readonly content = element("div", { class: "contention-content" });
  readonly lanes = element("section", { class: "section contention-lanes", "aria-label": "Lanes" }); // of the timeline
  private readonly answer = new Answer<BlameDocument>(
    this.content, "Computing the blame", "The blame cannot be shown", () => this.source.blame(),
    (blame) => this.show(blame),
  );
  private readonly groupings = new Choice<Grouping>("Sums of blame", GROUPINGS, "threads", (by) => {
    this.chosen = true;
    this.group(by);
  });
  private by: Grouping = "threads";
  private chosen = false; // by the user

  // show shows only a part of the trace.
  constructor(
    root: HTMLElement, private readonly source: Source, private about: About, private readonly jumps: Jumps,
    show: (part: Part) => void,
  ) {
    this.worst = new Worst((part, longest) => {
      show(part);
      if (longest) jumps.to(longest.threadKey, longest.from, longest.to);
    });
    this.sums = this.sumTable("contention.sums", "Who kept threads waiting", "threads");
    this.monitors = this.sumTable("contention.monitors", "What threads waited for", "monitors");
    this.open = new Table<BlameWait>({
      name: "contention.open", label: "Still waiting when the trace ended", columns: openColumns(),
      key: (row) => `${row.threadKey} ${row.from}`,
      sort: "length", select: "one", unit: ["wait", "waits"],
      empty: "No thread waited when the trace ended, except for idle ones.",
      open: (row) => jumps.to(row.threadKey, row.from, row.to),
      show: (row) => jumps.to(row.threadKey, row.from, row.to),
    });
    this.icicle = new Icicle({
      label: "Icicle of blame", root: "all finished waits", of: "of the time", amount: duration,
      colour: blameColours(about.states),
    });
    this.openSection = section("Still waiting when the trace ended", "", this.open);
    this.content.append(
      section(
        "Icicle of blame", "Where threads waited, what for, who is to blame, and what that one did.", this.icicle,
      ),
      this.lanes, this.headline, this.worst.root,
      section("Who kept threads waiting", "", this.sums, this.groupings.root),
      section("What threads waited for", "", this.monitors),
      this.openSection,
    );
    root.classList.add("contention");
    root.append(this.answer.state, this.content);
  }

  // update shows the blame. It asks the source again only if the trace has grown or ended.
  update(): void {
    this.answer.update(this.about);
  }

  private get blame(): BlameDocument | null {
    return this.answer.document;
  }

  grown(about: About): void {
    this.about = about;
  }

  print(printing: boolean): void {
    for (const table of [this.sums, this.monitors, this.open]) table.print(printing);
  }

  private sumTable(name: string, label: string, by: Grouping): Table<SumRow> {
    return new Table<SumRow>({
      name, label, columns: sumColumns(by, 0),
      key: (row) => row.id,
      sort: "total", select: "one", unit: ["row", "rows"], empty: "No thread finished a wait, except for idle ones.",
      open: (row) => this.jump(row),
      show: (row) => this.jump(row),
    });
  }

  private show(blame: BlameDocument): void {
    const { idle, stillWaiting } = blame, ended = !this.about.live;
    replace(
      this.headline, element("bdi", { dir: "auto" }, blame.headline),
      idle && element("bdi", { class: "idle", dir: "auto" }, idle),
      ended && stillWaiting && element("bdi", { class: "still-waiting", dir: "auto" }, stillWaiting),
    );
    this.worst.update(blame);
    if (!this.chosen) this.groupings.set(leading(blame));
    this.group(this.chosen ? this.by : leading(blame));
    this.monitors.setColumns(sumColumns("monitors", blame.total), sumRows(blame, "monitors"));
    this.icicle.show(blame.samples);
    this.open.setRows(blame.open);
    this.openSection.hidden = blame.open.length === 0 || !ended;
    // locks that were never acquired come first if threads waited for them longer than for everything else
    if (blame.openBlocked > blame.total) this.lanes.after(this.openSection);
    else this.content.append(this.openSection);
  }

  private group(by: Grouping): void {
    const changed = by !== this.by;
    this.by = by;
    if (!this.blame) return;
    this.sums.select([]);
    this.sums.setColumns(sumColumns(by, this.blame.total), sumRows(this.blame, by));
    if (changed) this.sums.sortByColumn("total");
  }

  // jump shows the longest wait of a group, or the longest wait for the culprit.
  private jump({ culprit, group }: SumRow): void {
    if (group) return this.jumps.to(group.longest.threadKey, group.longest.from, group.longest.to);
    const thread = culprit && this.foremost(culprit.threadKey, culprit.pool);
    if (thread) this.jumps.seek({ others: [thread] }, { threads: [thread] });
    else if (this.blame?.waiters[0]) {
      const { longest } = this.blame.waiters[0];
      this.jumps.to(longest.threadKey, longest.from, longest.to);
    }
  }

  // foremost returns the key of a culprit; for a pool, of its thread with most blame.
  private foremost(key: number | undefined, pool: string | undefined): number | undefined {
    return key ?? this.blame?.threads.find((row) => row.threadKey && row.pool === pool)?.threadKey;
  }
}

const MANY = 10; // rows of a table that are seen at a glance

// leading is the grouping to show first: by pool if many threads of few pools are to blame.
function leading(blame: BlameDocument): Grouping {
  const { threads, pools } = blame;
  return threads.length > MANY && 2 * pools.length <= threads.length ? "pools" : "threads";
}
