import type { FrameNode } from "../contention/frametree.js";
import type { CallsDocument } from "./document.js";

// ThreadCalls are the longest calls of a thread, ordered by entry. Times are nanoseconds since the trace's start.
export interface ThreadCalls {
  id: string;
  title: string;
  calls: Call[];
  levels: number; // how deeply calls are nested
}

export interface Call {
  name: string;
  level: number; // the number of calls around it
  from: number;
  to: number;
}

// threadCalls returns the calls of each thread that has any.
export function threadCalls(document: CallsDocument): ThreadCalls[] {
  const { ids, threads, names, thread, name, level, begin, length } = document;
  const all = ids.map((id, i): ThreadCalls => ({ id, title: threads[i] ?? id, calls: [], levels: 0 }));
  let from = 0;
  thread.forEach((of, i) => {
    from += begin[i]!;
    const own = all[of]!;
    own.calls.push({ name: names[name[i]!]!, level: level[i]!, from, to: from + length[i]! });
    own.levels = Math.max(own.levels, level[i]! + 1);
  });
  return all;
}

// callTree returns the calls of a thread in time order, below a root with their total length.
export function callTree({ title, calls }: ThreadCalls): FrameNode {
  const at = calls[0]?.from ?? 0, end = calls.reduce((last, { to }) => Math.max(last, to), at);
  const root: FrameNode = { name: title, total: end - at, depth: 0, at, children: [], parent: null };
  const open: FrameNode[] = [root];
  for (const { name, level, from, to } of calls) {
    open.length = Math.min(open.length, level + 1);
    const parent = open.at(-1)!;
    const node: FrameNode = { name, total: to - from, depth: parent.depth + 1, at: from, children: [], parent };
    parent.children.push(node);
    open.push(node);
  }
  return root;
}
