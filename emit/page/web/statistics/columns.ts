import { callerAt, className, classOf } from "../format.js";
import type { Causes, Distribution, Place, Share, SiteStatistics, Statistics, ThreadName } from "../source.js";
import { countColumn, distributionColumns, durationColumn, shareText, textColumn } from "../table/cells.js";
import { axisOf } from "../table/distribution.js";
import type { Column } from "../table/table.js";
import { type Kind, KINDS, type KindLook, NONE, PARTS } from "./kinds.js";

// The columns of the tables of the Monitor statistics tab.

export type ThreadRow = Statistics["threads"][number];
export type ClassRow = Statistics["classes"][number];
export type MonitorRow = Statistics["monitors"][number];
export type PairRow = Statistics["pairs"][number];
export type HolderRow = Place & Share & { site: SiteStatistics };
export type OwnerRow = ThreadName & Share & { monitor: MonitorRow };

export interface TotalRow {
  look: KindLook;
  distribution: Distribution;
}

// Processes are the names of JVMs by session, or null if there is only one.
export type Processes = ReadonlyMap<number, string> | null;

const MONITOR_KINDS: readonly Kind[] = ["blocked", "waited", "timed", "parked", "io"];

export function threadColumns(rows: readonly ThreadRow[], kind: Kind, processes: Processes): Column<ThreadRow>[] {
  return [
    { ...textColumn<ThreadRow>("name", "Thread", 150, (row) => row.name || "(no name)"), grows: true },
    {
      ...textColumn<ThreadRow>("id", "Id", 52, (row) => row.threadId),
      number: true,
      order: (row) => Number(row.threadId) || row.threadId,
    },
    textColumn<ThreadRow>("group", "Group", 84, (row) => row.group),
    ...processColumn<ThreadRow>(processes, (row) => row.session),
    ...causeColumns<ThreadRow>(rows, kind),
    ...details(rows, kind),
  ];
}

export function totalColumns(rows: readonly TotalRow[]): Column<TotalRow>[] {
  const axis = axisOf(rows.map((row) => row.distribution));
  return [
    {
      ...textColumn<TotalRow>(
        "kind", "Kind of time", 190,
        (row) => row.look.long,
        "each has other causes, so they are not added up",
      ),
      grows: true,
      order: (row) => KINDS.indexOf(row.look),
    },
    { ...countColumn<TotalRow>("count", "Intervals", (row) => row.distribution.count), width: 84 },
    durationColumn("total", "Total", (row) => row.distribution.total),
    ...distributionColumns<TotalRow>(
      (row) => row.distribution,
      "Intervals of this kind", axis,
      (row) => row.look.state,
    ),
    {
      ...countColumn<TotalRow>(
        "open", "Unfinished",
        (row) => row.distribution.open,
        "how many were cut off by the end of the trace",
      ),
      width: 92,
    },
  ];
}

export function classColumns(rows: readonly ClassRow[], kind: Kind): Column<ClassRow>[] {
  return [
    {
      ...textColumn<ClassRow>(
        "class", "Class of the monitors", 230,
        (row) => className(row.class) || "(unknown class)",
      ),
      grows: true,
    },
    countColumn("monitors", "Monitors", (row) => row.monitors),
    countColumn("threads", "Threads", (row) => row.threads, "how many threads were blocked or waited there"),
    ...causeColumns<ClassRow>(rows, kind, MONITOR_KINDS),
    ...(MONITOR_KINDS.includes(kind)
      ? (details(rows as readonly (ClassRow & Partial<Causes>)[], kind) as Column<ClassRow>[])
      : []),
  ];
}

export function siteColumns(rows: readonly SiteStatistics[], kind: Kind): Column<SiteStatistics>[] {
  return [
    {
      ...textColumn<SiteStatistics>("site", "Caller", 250, siteText, "where in the program the thread was"),
      grows: true,
    },
    textColumn<SiteStatistics>("class", "Class", 120, (row) => className(row.monitorClass), "of the monitor"),
    ...causeColumns<SiteStatistics>(rows, kind),
    countColumn("threads", "Threads", (row) => row.threads),
    countColumn("monitors", "Monitors", (row) => row.monitors),
    {
      ...textColumn<SiteStatistics>(
        "holder", "The holder was at", 190,
        (row) => shareText(row.holders, siteText),
        "where the owner was last seen, of the longest time in which threads were blocked here",
      ),
    },
    ...details(rows, kind),
  ];
}

export function holderColumns(): Column<HolderRow>[] {
  return [
    { ...textColumn<HolderRow>("holder", "The holder was last seen at", 300, siteText), grows: true },
    textColumn<HolderRow>("site", "while threads were blocked at", 300, (row) => siteText(row.site)),
    textColumn<HolderRow>("class", "Class", 160, (row) => className(row.site.monitorClass), "of the monitor"),
    ...shareColumns<HolderRow>(),
  ];
}

export function monitorColumns(rows: readonly MonitorRow[], kind: Kind, processes: Processes): Column<MonitorRow>[] {
  return [
    {
      ...textColumn<MonitorRow>(
        "class", "Monitor", 220,
        (row) => className(classOf(row)) || "(unknown class)",
        "the class of the object",
      ),
      grows: true,
    },
    {
      ...textColumn<MonitorRow>("object", "Object", 76, (row) => row.objectId),
      number: true,
      order: (row) => Number(row.objectId) || row.objectId,
    },
    ...processColumn<MonitorRow>(processes, (row) => row.session),
    countColumn("threads", "Threads", (row) => row.threads, "how many threads were blocked or waited there"),
    ...causeColumns<MonitorRow>(rows, kind, MONITOR_KINDS),
    {
      ...textColumn<MonitorRow>(
        "owner", "Held by", 160,
        (row) => shareText(row.owners, threadText),
        "the holder for the longest part of the time in which threads were blocked",
      ),
    },
    ...(MONITOR_KINDS.includes(kind)
      ? (details(rows as readonly (MonitorRow & Partial<Causes>)[], kind) as Column<MonitorRow>[])
      : []),
  ];
}

export function ownerColumns(processes: Processes): Column<OwnerRow>[] {
  return [
    { ...textColumn<OwnerRow>("owner", "Owner", 220, threadText), grows: true },
    textColumn<OwnerRow>(
      "monitor", "held", 300,
      (row) => `${className(classOf(row.monitor)) || "object"} ${row.monitor.objectId}`,
    ),
    ...processColumn<OwnerRow>(processes, (row) => row.monitor.session),
    ...shareColumns<OwnerRow>(),
  ];
}

export function pairColumns(processes: Processes): Column<PairRow>[] {
  return [
    { ...textColumn<PairRow>("waiter", "Blocked thread", 240, (row) => threadText(row.waiter)), grows: true },
    textColumn<PairRow>(
      "owner", "by the owner", 300,
      (row) => threadText(row.owner),
      "the holder of the monitor when the thread began to wait",
    ),
    ...processColumn<PairRow>(processes, (row) => row.waiter.session),
    ...shareColumns<PairRow>(),
  ];
}

export function siteText(place: Place): string {
  return callerAt(place) || "(caller unknown)";
}

export function threadText(thread: ThreadName): string {
  if (!thread.threadId) return "(unknown)";
  return `${thread.name || "(no name)"} (thread ${thread.threadId})`;
}

// processColumn distinguishes equal ids of several JVMs.
function processColumn<Row>(processes: Processes, sessionOf: (row: Row) => number | undefined): Column<Row>[] {
  return processes
    ? [textColumn<Row>("process", "Process", 130, (row) => processes.get(sessionOf(row) ?? 0) ?? "")]
    : [];
}

// causeColumns returns columns for each kind of time that rows have, and for BLOCKED and the chosen kind.
function causeColumns<Row extends Partial<Causes>>(
  rows: readonly Row[], chosen: Kind,
  kinds?: readonly Kind[],
): Column<Row>[] {
  const shown = KINDS.filter(({ kind }) =>
    (kinds?.includes(kind) ?? true) &&
    (kind === "blocked" || kind === chosen || rows.some((row) => (row[kind]?.count ?? 0) > 0)),
  );
  return shown.flatMap((look) => {
    const time = durationColumn<Row>(
      look.kind, look.time,
      (row) => row[look.kind]?.total ?? 0,
      `how long in all: ${look.explain}`,
    );
    if (PARTS.includes(look.kind)) return [time];
    const times = countColumn<Row>(
      `${look.kind}-count`, look.many,
      (row) => row[look.kind]?.count ?? 0,
      `how often: ${look.explain}`,
    );
    return [{ ...times, width: 58 }, time];
  });
}

function shareColumns<Row extends Share>(): Column<Row>[] {
  return [
    countColumn("count", "Blocks", (row) => row.count),
    durationColumn("total", "BLOCKED", (row) => row.total),
    durationColumn("max", "Longest", (row) => row.max),
  ];
}

function details<Row extends Partial<Causes>>(rows: readonly Row[], kind: Kind): Column<Row>[] {
  const look = KINDS.find((l) => l.kind === kind) ?? KINDS[0]!;
  const of = (row: Row) => row[kind] ?? NONE;
  return distributionColumns<Row>(of, look.many, axisOf(rows.map(of)));
}
