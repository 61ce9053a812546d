import { duration, share } from "../format.js";
import type { BlameDocument, BlameGroup, BlameRow, BlameWait } from "../source.js";
import { countColumn, durationColumn, textColumn } from "../table/cells.js";
import type { Column } from "../table/table.js";

// The rows and columns of the tables of the Contention tab.

// Grouping is what the blame is summed by: who is to blame, or the waits.
export type Grouping = "threads" | "pools" | "monitors" | "places" | "waiters";

export const GROUPINGS: readonly (readonly [Grouping, string])[] = [
  ["threads", "By thread"],
  ["pools", "By pool"],
  ["monitors", "By monitor"],
  ["places", "By place"],
  ["waiters", "By waiter"],
];

// SumRow is a row of the table of blame: a culprit, or a group of waits.
export interface SumRow {
  id: string;
  label: string;
  more: string; // the culprit's state, or who is mostly to blame for the group
  total: number;
  count: number;
  longest: number; // 0 for a culprit
  culprit: BlameRow | null;
  group: BlameGroup | null;
}

const LABELS: Record<Grouping, string> = {
  threads: "Thread to blame", pools: "Pool to blame", monitors: "Waited for", places: "Waited at",
  waiters: "Thread that waited",
};

// sumRows returns the rows for a grouping.
export function sumRows(blame: BlameDocument, by: Grouping): SumRow[] {
  if (by === "threads" || by === "pools")
    return blame[by].map((culprit, i) => ({
      id: `${by} ${i}`, label: by === "threads" ? culpritText(culprit) : (culprit.pool ?? culpritText(culprit)),
      more: doing(culprit), total: culprit.total, count: culprit.count, longest: 0, culprit, group: null,
    }));
  return blame[by].map((group, i) => ({
    id: `${by} ${i}`, label: groupText(group, by), more: group.mostly ?? "", total: group.total, count: group.count,
    longest: group.longest.to - group.longest.from, culprit: null, group,
  }));
}

function culpritText(row: BlameRow): string {
  return row.threadKey ? waiterText({ threadId: row.threadId ?? "", threadName: row.threadName }) : "(unknown)";
}

function waiterText(wait: { threadId: string; threadName?: string }): string {
  return `${wait.threadName || "(no name)"} (thread ${wait.threadId})`;
}

function groupText(group: BlameGroup, by: Grouping): string {
  if (by === "monitors") return group.longest.for;
  return by === "places" ? group.longest.place || "(unknown place)" : waiterText(group.longest);
}

function doing(row: BlameRow): string {
  if (row.kind === "latency") return "had woken another thread";
  return row.kind === "unknown" ? "the trace does not show it" : (row.state ?? "");
}

// sumColumns returns the columns of the table of blame. Shares are of total nanoseconds.
export function sumColumns(by: Grouping, total: number): Column<SumRow>[] {
  const culprits = by === "threads" || by === "pools";
  const longest = durationColumn<SumRow>("longest", "Longest", (row) => row.longest, "the longest of these waits");
  return [
    { ...textColumn<SumRow>("label", LABELS[by], 330, (row) => row.label), grows: true },
    {
      id: "share", label: "Share", width: 70, number: true, explain: "of the time of all finished waits",
      order: (row) => row.total,
      text: (row) => share(row.total, total),
    },
    durationColumn<SumRow>("total", "Waited", (row) => row.total, "how long threads waited meanwhile, in all"),
    countColumn<SumRow>("count", "Waits", (row) => row.count, "how many finished waits"),
    ...(culprits ? [] : [longest]),
    textColumn<SumRow>("more", culprits ? "It was" : "Mostly because of", culprits ? 210 : 330, (row) => row.more),
  ];
}

// openColumns returns the columns of the table of open waits.
export function openColumns(): Column<BlameWait>[] {
  return [
    { ...textColumn<BlameWait>("thread", "Thread", 240, waiterText), grows: true },
    durationColumn<BlameWait>("length", "Has waited", (row) => row.to - row.from),
    {
      id: "from", label: "Since", width: 84, number: true,
      order: (row) => row.from,
      text: (row) => duration(row.from),
    },
    textColumn<BlameWait>("for", "For", 300, (row) => row.for),
    textColumn<BlameWait>("place", "At", 330, (row) => row.place ?? ""),
  ];
}
