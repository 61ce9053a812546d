import type { Sought } from "../finder.js";
import { callerAt, classOf, object, share } from "../format.js";
import { processesOf } from "../processes.js";
import { type About, type PathDocument, type PathPiece, type PathThread, DEAD } from "../source.js";

// Shares divide the time of the critical path by thread, state or caller, and add up to the whole path. Shares by wait
// do not add up: they are the waits during which the path was in other threads.

export type ShareBy = "threads" | "states" | "callers" | "waits";

export interface PathShare {
  id: string;
  label: string;
  time: number;
  // The number of pieces of the path, or of waits.
  count: number;
  // The state with its colour; null for one of the colours in turn.
  state: number | null;
  // Reports whether a piece of the path belongs to it; null if pieces do not belong to waits.
  has: ((piece: PathPiece) => boolean) | null;
  // What the longest of the waits has.
  wait: Sought;
}

// KINDS are the labels for kinds of pieces that have no state.
const KINDS: Record<string, string> = {
  latency: "woken but not running yet",
  unknown: "nobody knows who had the lock",
  pause: "stopped by garbage collections",
};

// ON_CPU and OFF_CPU are, or begin, the names of the rows that divide RUNNABLE.
const ON_CPU = "on a processor", OFF_CPU = "ready for a processor";

// stateOf returns the code of a state of the path, by name.
function stateOf(name: string | undefined, about: About): number {
  return Math.max(about.states.findIndex((state) => state.label === name), 0);
}

// usesAs reports whether a piece belongs to a row about how running threads used processors.
function usesAs({ onCPU, from, to }: PathPiece, row: PathDocument["shares"]["states"][number]): boolean {
  if (onCPU === undefined || row.name === undefined) return false;
  return row.name === ON_CPU ? onCPU > 0 : row.name.startsWith(OFF_CPU) && onCPU < to - from;
}

// threadText returns a thread's name, or "".
export function threadText(thread: Partial<PathThread>): string {
  if (thread.threadKey === undefined) return "";
  return `${thread.threadName || "(no name)"} (thread ${thread.threadId})`;
}

export function callerText(piece: { caller?: PathPiece["caller"] }): string {
  return piece.caller ? callerAt(piece.caller) : "(caller unknown)";
}

export function objectText(piece: { objectId?: string; class?: string; represents?: string }): string {
  return piece.objectId === undefined ? "" : object([piece.objectId, classOf(piece), 0]);
}

// ofProcess names the JVM of an object, if there are several.
function ofProcess(row: { session?: number }, about: About): string {
  const process = processesOf(about)?.get(row.session ?? 0);
  return process === undefined ? "" : ` in ${process}`;
}

// sharesBy returns the shares, the longest first.
export function sharesBy(by: ShareBy, path: PathDocument, about: About): PathShare[] {
  const shares = makers[by](path, about);
  return shares.sort((a, b) => b.time - a.time);
}

const makers: Record<ShareBy, (path: PathDocument, about: About) => PathShare[]> = {
  threads: (path) =>
    (path.shares.threads ?? []).map((row) => ({
      id: String(row.threadKey), label: threadText(row), time: row.time, count: row.pieces, state: null,
      wait: {},
      has: (piece) => piece.threadKey === row.threadKey,
    })),
  states: (path, about) =>
    (path.shares.states ?? []).map((row) => {
      const label = KINDS[row.kind];
      return {
        id: label ? row.kind : String(row.name),
        label: label ?? String(row.name),
        time: row.time, count: row.pieces, state: label ? DEAD : stateOf(row.name, about), wait: {},
        has: (piece: PathPiece) =>
          piece.kind === row.kind && (label !== undefined || piece.name === row.name || usesAs(piece, row)),
      };
    }),
  callers: (path) =>
    (path.shares.callers ?? []).map((row) => {
      const label = callerText(row);
      return {
        id: label, label, time: row.time, count: row.pieces, state: null, wait: {},
        has: (piece: PathPiece) => piece.threadKey !== undefined && callerText(piece) === label,
      };
    }),
  waits: (path, about) =>
    (path.shares.waits ?? []).map((row) => {
      const state = stateOf(row.name, about);
      return {
        id: `${row.name} ${row.objectId ?? ""} ${row.class ?? ""} ${row.session ?? 0}`,
        label: `${row.name}: ${objectText(row) || "unknown object"}${ofProcess(row, about)}`,
        time: row.time, count: row.count, state, wait: waitOf(row), has: null,
      };
    }),
};

// waitOf returns what the longest of the waits in a row has.
function waitOf({ longest, objectId }: PathDocument["shares"]["waits"][number]): Sought {
  return { threads: longest && [longest.threadKey], object: objectId };
}

// whatOf describes a piece of the path.
export function whatOf(piece: PathPiece): string {
  if (piece.kind === "latency" && piece.next) return `wakes ${threadText(piece.next)}, not running yet`;
  const state = KINDS[piece.kind] ?? piece.name ?? piece.state;
  return piece.onCPU === undefined ? state : `${state}, ${share(piece.onCPU, piece.to - piece.from)} on a processor`;
}

// partText returns a share in per cent of the path.
export function partText(part: PathShare, path: PathDocument): string {
  return share(part.time, path.length);
}
