import type { About } from "./source.js";

// processesOf names the JVMs of a trace by their sessions; there is nothing to be told apart where there is only one, which is null. Recordings whose
// processes have the same name, or none, are numbered.
export function processesOf({ sessions }: About): Map<number, string> | null {
  if (sessions.length < 2) return null;
  const times = new Map<string, number>();
  for (const { process } of sessions) times.set(process, (times.get(process) ?? 0) + 1);
  return new Map(sessions.map(({ index, process }, i) => {
    if (process === "") return [index, `recording ${i + 1}`];
    return [index, times.get(process)! > 1 ? `${process}, no. ${i + 1}` : process];
  }));
}
