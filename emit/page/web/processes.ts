import type { About } from "./source.js";

// processesOf returns the names of a trace's JVMs by session, or null if there is only one. Recordings of processes
// with the same name, or without one, are numbered.
export function processesOf({ sessions }: About): Map<number, string> | null {
  if (sessions.length < 2) return null;
  const times = new Map<string, number>();
  for (const { process } of sessions) times.set(process, (times.get(process) ?? 0) + 1);
  return new Map(sessions.map(({ index, process }, i) => {
    if (process === "") return [index, `recording ${i + 1}`];
    return [index, times.get(process)! > 1 ? `${process}, no. ${i + 1}` : process];
  }));
}
