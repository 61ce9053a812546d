import { count, duration, moment, size } from "../format.js";
import { bytesColumn, countColumn, durationColumn, textColumn } from "../table/cells.js";
import type { Column } from "../table/table.js";
import type { AllocationRow, Allocations, ClassRow, Collections, Sum } from "./document.js";

// The rows and columns of the tables of the Heap tab.

export type Grouping = "sites" | "classes";

export const GROUPINGS: readonly (readonly [Grouping, string])[] = [["sites", "By site"], ["classes", "By class"]];

const FEW_SAMPLES = 10; // below it, an estimate is marked

type Row = AllocationRow & { place?: string };

// allocationColumns returns the columns of allocations that the trace has figures for.
export function allocationColumns({ facts, classes }: Allocations, by: Grouping): Column<Row>[] {
  const { sampled, weighted, followed } = facts, aged = classes.some(({ age }) => age !== undefined);
  const columns: (Column<Row> | false)[] = [
    by === "sites" &&
      { ...textColumn<Row>("place", "Allocated at", 360, (row) => row.place ?? ""), grows: true },
    { ...textColumn<Row>("class", "Class", 240, (row) => row.class), grows: by === "classes" },
    bytesColumn<Row>("bytes", "Allocated", (row) => row.allocated.bytes, "bytes of the objects allocated"),
    sampled && bytesColumn<Row>("error", "±", (row) => row.allocatedError?.bytes ?? 0, "standard error of the bytes"),
    !weighted && sumColumn("objects", "Objects", ({ allocated }) => allocated, "objects allocated"),
    sampled && samplesColumn(),
    followed && bytesColumn<Row>("live", "Live", (row) => row.live?.bytes ?? 0, "bytes that live at the end"),
    followed && sumColumn("liveObjects", "Live objects", ({ live }) => live, "objects that live at the end"),
    followed && bytesColumn<Row>("freed", "Freed", (row) => row.freed?.bytes ?? 0, "bytes of the objects freed"),
    !weighted && bytesColumn<Row>("largest", "Largest", (row) => row.largest ?? 0, "the largest object"),
    aged && ageColumn(),
  ];
  return columns.filter((column): column is Column<Row> => column !== false);
}

function sumColumn(id: string, label: string, of: (row: Row) => Sum | undefined, explain: string): Column<Row> {
  return countColumn<Row>(id, label, (row) => of(row)?.count ?? 0, explain);
}

function samplesColumn(): Column<Row> {
  return {
    id: "samples", label: "Samples", width: 70, number: true,
    explain: `* fewer than ${FEW_SAMPLES} samples: the estimate says little`,
    order: (row) => row.samples ?? 0,
    text: ({ samples = 0 }) => count(samples) + (samples < FEW_SAMPLES ? " *" : ""),
  };
}

function ageColumn(): Column<Row> {
  return {
    id: "age", label: "Age", width: 60, number: true, explain: "collections that the objects survived, on average",
    order: (row) => row.age?.mean ?? 0,
    text: (row) => (row.age ? row.age.mean.toFixed(1) : ""),
  };
}

// CollectionRow is a garbage collection, or a pause of one.
export interface CollectionRow {
  from: number;
  to: number;
  paused: number;
  used: number;
  total: number;
  name: string;
}

export function collectionRows({ from, to, paused, used, total, name }: Collections): CollectionRow[] {
  return from.map((begin, i) => ({
    from: begin, to: to[i]!, paused: paused[i]!, used: used[i]!, total: total[i]!, name: name[i]!,
  }));
}

export function collectionColumns(): Column<CollectionRow>[] {
  return [
    { ...textColumn<CollectionRow>("name", "Collection", 260, ({ name }) => name || "(collector unknown)"), grows: true },
    {
      id: "from", label: "Began", width: 110, number: true, order: ({ from }) => -from, text: ({ from }) => moment(from),
    },
    durationColumn("paused", "Pause", ({ paused }) => paused, "how long the JVM was stopped"),
    durationColumn("length", "Length", ({ from, to }) => to - from, "from its begin to its end"),
    bytesColumn("used", "Used after", ({ used }) => used, "bytes of the heap in use after it"),
    bytesColumn("total", "Heap", ({ total }) => total, "size of the heap after it"),
  ];
}

export function classColumns(): Column<ClassRow>[] {
  return [
    { ...textColumn<ClassRow>("class", "Class", 320, (row) => row.class), grows: true },
    countColumn("count", "Objects", (row) => row.count),
    bytesColumn("bytes", "Bytes", (row) => row.bytes, "of its objects"),
    bytesColumn("largest", "Largest", (row) => row.largest, "its largest object"),
    bytesColumn("retained", "Retained", (row) => row.retained, "what at least one of its objects retains"),
  ];
}

// collectionText describes a collection in one line.
export function collectionText({ name, paused, from, used }: CollectionRow): string {
  const after = used > 0 ? `, ${size(used)} in use after it` : "";
  return `Garbage collection${name ? ` (${name})` : ""} at ${moment(from)}: pause ${duration(paused)}${after}`;
}
