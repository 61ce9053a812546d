import type {
  About, BlameDocument, Detail, Overview, PathDocument, Source, Statistics, Window, WindowDocument,
} from "./source.js";
import type { HeapDocument } from "./heap/document.js";
import type { MethodsDocument } from "./methods/document.js";
import { windowOf } from "./timeline/window.js";

// servedSource asks the server that the page is from. The addresses are relative, as the token is part of the page's
// address.
export function servedSource(trace: number): Source {
  return new Served(trace);
}

// Answers with at most this many characters are parsed at once.
const SMALL = 20_000;

// A request with more characters does not reach the server.
const LONGEST = 120_000;

type Parameters = Record<string, string | number | undefined>;

class Served implements Source {
  readonly served = true;
  private turn: Promise<void> = Promise.resolve();
  constructor(private readonly trace: number) {}

  about(): Promise<About> {
    return this.ask("about", {});
  }

  whole(): Window | null {
    return null;
  }

  async window(
    threads: number[] | "all", from: number, to: number, resolution: number, signal?: AbortSignal,
  ): Promise<Window> {
    return windowOf(
      await this.ask<WindowDocument>(
        "window",
        { threads: keysOf(threads), from: Math.floor(from), to: Math.ceil(to), resolution },
        signal,
      ),
    );
  }

  overview(threads: number[] | "all", buckets: number): Promise<Overview> {
    return this.ask("overview", { threads: keysOf(threads), buckets });
  }

  detail(thread: number, event: number): Promise<Detail> {
    return this.ask("detail", { thread, event });
  }

  statistics(threads: number[] | "all", from?: number, to?: number, signal?: AbortSignal): Promise<Statistics> {
    return this.ask(
      "statistics",
      { threads: keysOf(threads), from: from && Math.floor(from), to: to && Math.ceil(to) },
      signal,
    );
  }

  path(): Promise<PathDocument> {
    return this.ask("path", {});
  }

  blame(): Promise<BlameDocument> {
    return this.ask("blame", {});
  }

  heap(): Promise<HeapDocument> {
    return this.ask("heap", {});
  }

  methods(): Promise<MethodsDocument> {
    return this.ask("methods", {});
  }

  // nextTurn lets only one answer be parsed per frame, so that the page keeps moving.
  private nextTurn(): Promise<void> {
    return (this.turn = this.turn.then(() => new Promise((go) => {
      const late = setTimeout(go, 100); // an invisible page has no frames
      requestAnimationFrame(() => {
        clearTimeout(late);
        setTimeout(go, 0);
      });
    })));
  }

  private async ask<Answer>(what: string, parameters: Parameters, signal?: AbortSignal): Promise<Answer> {
    const query = new URLSearchParams({ trace: String(this.trace) });
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) query.set(name, String(value));
    }
    const question = `${what}?${query}`;
    if (question.length > LONGEST)
      throw new Error("So many single threads cannot be asked for at once: choose fewer, or all of them.");
    const response = await reach(question, signal);
    const text = await response.text();
    if (!response.ok) throw new Error(text.trim() || `The server answers ${response.status}.`);
    if (text.length > SMALL) await this.nextTurn();
    return JSON.parse(text) as Answer;
  }
}

async function reach(address: string, signal?: AbortSignal): Promise<Response> {
  try {
    return await fetch(address, signal ? { signal } : {});
  } catch (problem) {
    if (signal?.aborted) throw problem;
    throw new Error("The server cannot be reached any more: is trcx serve still running?");
  }
}

// keysOf writes keys as short as possible: as ranges, or with a bit for each thread up to the last one. If all threads
// are meant, none is named.
function keysOf(threads: number[] | "all"): string | undefined {
  if (threads === "all") return undefined;
  const sorted = [...threads].sort((a, b) => a - b), text = ranges(sorted);
  return text.length > (sorted.at(-1) ?? 0) / 6 + 8 ? bits(sorted) : text;
}

// bits returns a bit for each key. The lowest bit of the first byte is for key 1.
function bits(sorted: number[]): string {
  const bytes = new Uint8Array(Math.ceil((sorted.at(-1) ?? 0) / 8));
  for (const key of sorted) bytes[(key - 1) >> 3]! |= 1 << ((key - 1) & 7);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return "~" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// ranges returns keys such as 1-40,57.
function ranges(sorted: number[]): string {
  const parts: string[] = [];
  for (let first = 0; first < sorted.length; ) {
    let last = first;
    while (last + 1 < sorted.length && sorted[last + 1]! <= sorted[last]! + 1) last++;
    parts.push(last === first ? String(sorted[first]) : `${sorted[first]}-${sorted[last]}`);
    first = last + 1;
  }
  return parts.join(",");
}
