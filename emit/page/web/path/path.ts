import { Answer } from "../answer.js";
import { button, Choice, element, named, replace } from "../element.js";
import type { Jumps } from "../finder.js";
import { count, counted, duration, moment } from "../format.js";
import type { About, PathDocument, PathPiece, Source } from "../source.js";
import { countColumn, durationColumn, textColumn } from "../table/cells.js";
import { type Column, Table } from "../table/table.js";
import { partColour, ShareBar, SHOWN } from "./bar.js";
import {
  callerText, objectText, partText, type PathShare, type ShareBy, sharesBy, threadText, whatOf,
} from "./shares.js";

const BY: readonly (readonly [ShareBy, string])[] = [
  ["threads", "By thread"],
  ["states", "By state"],
  ["callers", "By caller"],
  ["waits", "By monitor and wait"],
];

interface Piece extends PathPiece {
  number: number; // in time order
}

// PathTab shows the critical path: the shares of its time, and the chain of its pieces.
export class PathTab {
  private readonly verdict = element("p", { class: "path-verdict" });
  private readonly note = element("p", { class: "section-note", role: "status" });
  private readonly chosenNote = element("p", { class: "section-note", role: "status" });
  private readonly bar: ShareBar;
  private readonly shares: Table<PathShare>;
  private readonly chain: Table<Piece>;
  private readonly content = element("div", { class: "path-content" });
  private readonly answer = new Answer<PathDocument>(
    this.content, "Looking for the path", "The critical path cannot be shown", () => this.source.path(),
    () => this.show(),
  );
  private by: ShareBy = "threads";
  private parts: PathShare[] = [];
  private chosen: string | null = null;

  constructor(root: HTMLElement, private readonly source: Source, private about: About, private readonly jumps: Jumps) {
    this.bar = new ShareBar((id) => this.choose(id === this.chosen ? null : id));
    this.shares = new Table<PathShare>({
      name: "path.shares", label: "Shares of the critical path", columns: this.shareColumns(),
      key: (row) => row.id,
      sort: "time", select: "one",
      selected: ([id]) => this.choose(id ?? null),
      show: (row) => this.showLongest(row),
      unit: ["row", "rows"], empty: "There is no critical path in this trace.",
    });
    this.chain = new Table<Piece>({
      name: "path.chain", label: "The chain: pieces of the critical path", columns: this.chainColumns(),
      key: (row) => String(row.number),
      sort: "from", ascending: true, select: "one",
      open: (row) => this.go(row),
      accept: (row) => this.accepts(row),
      unit: ["piece", "pieces"], empty: "There is no critical path in this trace.",
    });
    const choice = new Choice<ShareBy>("Shares", BY, this.by, (by) => this.switch(by));
    this.content.append(
      element(
        "section", { class: "section" },
        element(
          "div", { class: "section-head" }, element("h2", {}, "Shares of the path"), choice.root, this.shares.tools,
        ),
        this.bar.root, this.shares.root,
      ),
      element(
        "section", { class: "section" },
        element("div", { class: "section-head" }, element("h2", {}, "The chain"), this.chosenNote, this.chain.tools),
        this.note, this.chain.root,
      ),
    );
    root.classList.add("path");
    root.append(this.verdict, this.answer.state, this.content);
  }

  // open shows the path. It asks the source again only if the trace has grown or ended.
  open(): void {
    this.answer.update(this.about);
  }

  private get path(): PathDocument | null {
    return this.answer.document;
  }

  grown(about: About): void {
    this.about = about;
  }

  print(printing: boolean): void {
    this.shares.print(printing);
    this.chain.print(printing);
  }

  private show(): void {
    if (!this.path) return;
    replace(this.verdict, element("bdi", { dir: "auto" }, this.path.verdict ?? ""));
    const omitted = this.path.omitted;
    this.note.textContent =
      omitted && omitted.pieces > 0
        ? `${counted(omitted.pieces, "piece")} of ${duration(omitted.time)} in all ` +
          `${omitted.pieces === 1 ? "is" : "are"} left out: the ${count(this.path.pieces.length)} longest are shown.`
        : "";
    this.chain.setRows((this.path.pieces ?? []).map((piece, i) => ({ ...piece, number: i + 1 })));
    this.switch(this.by);
  }

  private switch(by: ShareBy): void {
    this.by = by;
    if (!this.path) return;
    this.parts = sharesBy(by, this.path, this.about);
    this.shares.setColumns(this.shareColumns());
    this.shares.select([]);
    this.shares.setRows(this.parts);
    this.choose(null);
  }

  // choose narrows the chain to a share; null for all of it.
  private choose(id: string | null): void {
    this.chosen = id;
    this.shares.select(id === null ? [] : [id]);
    if (this.path)
      this.bar.show(
        `Shares of the critical path ${BY.find(([by]) => by === this.by)?.[1].toLowerCase() ?? ""}`,
        this.parts, this.path, id,
      );
    const part = this.parts.find((p) => p.id === id);
    replace(this.chosenNote, ...(part ? this.chosenText(part) : []));
    this.chain.refresh();
  }

  private chosenText(part: PathShare): (Node | string)[] {
    if (!part.has) return ["Waits are not on the path: the chain shows what ran meanwhile."];
    return ["Only ", named(part.label), button("Show all", () => this.choose(null), { class: "quiet" })];
  }

  private accepts(piece: PathPiece): boolean {
    const part = this.parts.find((p) => p.id === this.chosen);
    return !part?.has || part.has(piece);
  }

  // showLongest shows the longest piece of a share, or the longest one of its waits.
  private showLongest(part: PathShare): void {
    const { has } = part;
    if (!has) return this.jumps.seek(part.wait);
    const pieces = (this.path?.pieces ?? []).filter((piece) => has(piece));
    const longest = pieces.sort((a, b) => b.to - b.from - (a.to - a.from))[0];
    if (longest) this.go(longest);
  }

  // go shows a piece in the timeline. A piece without a thread is shown in the next thread's lane.
  private go(piece: PathPiece): void {
    const thread = piece.threadKey ?? this.threadAfter(piece);
    if (thread !== undefined) this.jumps.to(thread, piece.from, piece.to);
  }

  private threadAfter({ to }: PathPiece): number | undefined {
    return this.path?.pieces.find((piece) => piece.from >= to && piece.threadKey !== undefined)?.threadKey;
  }

  private shareColumns(): Column<PathShare>[] {
    const waits = this.by === "waits";
    return [
      {
        ...textColumn<PathShare>(
          "label",
          { threads: "Thread", states: "State", callers: "Caller", waits: "Waited for" }[this.by],
          360,
          (row) => row.label,
        ),
        grows: true,
        cell: (row) => this.shareLabel(row),
      },
      durationColumn(
        "time", waits ? "Passed" : "Time",
        (row) => row.time,
        waits
          ? "time of the path that passed meanwhile; each moment counts once, for the innermost wait"
          : "time of the path",
      ),
      {
        id: "part", label: "Share", width: 66, number: true,
        order: (row) => row.time,
        text: (row) => (this.path ? partText(row, this.path) : ""),
      },
      countColumn("count", waits ? "Waits" : "Pieces", (row) => row.count),
    ];
  }

  private shareLabel(row: PathShare): Node {
    const place = this.parts.indexOf(row);
    const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
    if (place < SHOWN) swatch.style.background = partColour(row, place);
    return element("span", { class: "with-swatch" }, swatch, named(row.label));
  }

  private chainColumns(): Column<Piece>[] {
    return [
      { ...countColumn<Piece>("number", "No.", (row) => row.number), width: 48 },
      {
        id: "from", label: "From", width: 116, number: true,
        order: (row) => row.from,
        text: (row) => moment(row.from),
        cell: (row) => this.link(row),
      },
      durationColumn("length", "Length", (row) => row.to - row.from),
      textColumn<Piece>("thread", "Thread", 190, threadText),
      textColumn<Piece>("what", "What", 230, (row) => whatOf(row)),
      textColumn<Piece>(
        "object", "Object", 200, objectText,
        "what the thread waited for; of a latency, what the next thread had waited for",
      ),
      {
        ...textColumn<Piece>(
          "caller", "Caller", 240,
          (row) => (row.caller ? callerText(row) : ""),
          "where the thread waited, or had waited before it ran",
        ),
        grows: true,
      },
      textColumn<Piece>(
        "owner", "Owner", 180,
        (row) => (row.owner ? threadText(row.owner) : ""),
        "the holder of the monitor, or the joined thread",
      ),
      textColumn<Piece>(
        "ownerCaller", "Owner was at", 180,
        (row) => (row.ownerCaller ? callerText({ caller: row.ownerCaller }) : ""),
        "where the owner was last seen",
      ),
    ];
  }

  private link(row: Piece): Node {
    return button(moment(row.from), () => this.go(row), { class: "link", title: "show it in the timeline" });
  }
}
