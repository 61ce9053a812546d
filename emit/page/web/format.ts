// Durations, moments and names for people.

import type { About, Frame, Obj, Place, Threads } from "./source.js";

let synchronizers: About["synchronizers"] = {};

// nameSynchronizers sets the names of the classes of java.util.concurrent.
export function nameSynchronizers(about: About): void {
  synchronizers = about.synchronizers;
}

const units: [nanoseconds: number, name: string][] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]];

// duration formats nanoseconds in three significant digits: 4.10 s, 250 ms, 12.3 µs, 7 ns.
export function duration(nanoseconds: number): string {
  const length = Math.abs(nanoseconds);
  if (length >= 3600e9) return `${Math.floor(length / 3600e9)} h ${Math.round((length % 3600e9) / 60e9)} min`;
  if (length >= 600e9) return `${Math.floor(length / 60e9)} min ${Math.round((length % 60e9) / 1e9)} s`;
  for (const [unit, name] of units) {
    if (length >= unit * 0.9995) return `${significant(length / unit)} ${name}`;
  }
  return `${Math.round(length)} ns`;
}

function significant(value: number): string {
  if (value >= 99.95) return value.toFixed(0);
  return value.toFixed(value >= 9.995 ? 1 : 2);
}

// moment formats a time since the trace's start, so that times `precision` nanoseconds apart differ.
export function moment(nanoseconds: number, precision = 1000): string {
  const digits = precision >= 1e9 ? 0 : Math.min(9, Math.ceil(9 - Math.log10(Math.max(precision, 1))));
  return `${(nanoseconds / 1e9).toFixed(digits)} s`;
}

// share formats a share of a whole in per cent.
export function share(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return "0 %";
  const percent = (100 * part) / whole;
  if (percent < 1) return "<1 %";
  return percent > 99 && part < whole ? ">99 %" : `${Math.round(percent)} %`;
}

// count formats a whole number with thousands separators.
export function count(number: number): string {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ",");
}

// counted formats a number with its noun: 1 thread, 2,000 threads.
export function counted(number: number, one: string, many = one + "s"): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

const sizeUnits: [bytes: number, name: string][] = [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [1024, "KiB"]];

// size formats bytes in three significant digits: 4.10 MiB, 250 KiB, 7 B.
export function size(bytes: number): string {
  for (const [unit, name] of sizeUnits) if (bytes >= unit * 0.9995) return `${significant(bytes / unit)} ${name}`;
  return `${Math.round(bytes)} B`;
}

const factors: Record<string, number> = {
  ns: 1, us: 1e3, "µs": 1e3, "μs": 1e3, ms: 1e6, s: 1e9, "": 1e9, m: 60e9, min: 60e9, h: 3600e9,
};

const thousands = /^[1-9]\d{0,2}(,\d{3})+(\.|$)/;

// nanosecondsOf parses a typed time such as 1.5s, 250 ms or 1m 30s; a number alone is in seconds. It returns null for
// any other text. A comma before three digits separates thousands, as the page writes them; any other one separates
// decimals.
export function nanosecondsOf(text: string): number | null {
  const part = /\s*([1-9]\d{0,2}(?:,\d{3})+(?![\d,])(?:\.\d*)?|\d+(?:[.,]\d*)?|[.,]\d+)\s*([a-zµμ]*)/giy;
  let total = 0, end = 0;
  const trimmed = text.trim();
  for (let found = part.exec(trimmed); found; found = part.exec(trimmed)) {
    const factor = factors[found[2].toLowerCase()];
    if (factor === undefined) return null;
    total += Number(thousands.test(found[1]) ? found[1].replaceAll(",", "") : found[1].replace(",", ".")) * factor;
    end = part.lastIndex;
  }
  return trimmed !== "" && end === trimmed.length ? Math.round(total) : null;
}

// typed formats a time for nanosecondsOf without loss.
export function typed(nanoseconds: number): string {
  const rounded = Math.round(nanoseconds);
  for (const [unit, name] of units) {
    if (rounded >= unit) return `${Number((rounded / unit).toFixed(unit === 1e9 ? 9 : unit === 1e6 ? 6 : 3))} ${name}`;
  }
  return `${rounded} ns`;
}

const primitives: Record<string, string> = {
  Z: "boolean", B: "byte", C: "char", S: "short", I: "int", J: "long", F: "float", D: "double",
};

// className formats a class as in Java: com.acme.Shelf. A nested class of a synchronizer becomes the class that
// programs use, an array int[], and a java.lang.Class object (java/lang/Class<com/acme/Shelf>) the class that it
// represents: class com.acme.Shelf. A text that cannot be a class's name is returned unchanged.
export function className(name: string): string {
  if (Object.hasOwn(synchronizers, name)) return synchronizers[name].class;
  const mirror = /^(?:java\/lang\/Class)?<(.+)>$/.exec(name);
  if (mirror) return `class ${className(mirror[1]!)}`;
  const array = /^(\[+)(?:([ZBCSIJFD])|L([^;]+);)$/.exec(name);
  if (array) return (primitives[array[2]!] ?? className(array[3]!)) + "[]".repeat(array[1]!.length);
  return /^[\p{L}\p{N}_$/.;[\]-]+$/u.test(name) ? name.replaceAll("/", ".") : name;
}

// declaredClass returns the class that the trace declares for an object, without the class that a java.lang.Class
// object represents.
export function declaredClass(name: string): string {
  return /^((?:java\/lang\/Class)?)<.+>$/.exec(name)?.[1] ?? name;
}

// classOf returns the class of an object in the statistics or the path in the form that className reads.
export function classOf(row: { class?: string; represents?: string }): string {
  return row.represents === undefined ? row.class ?? "" : `${row.class ?? ""}<${row.represents}>`;
}

// call formats a frame as in a stack trace: com.acme.Cache.load(Cache.java:88).
export function call(frame: Frame): string {
  const [type, method, file, line] = frame;
  const where = file === "" ? (line > 0 ? `(line ${line})` : "") : line > 0 ? `(${file}:${line})` : `(${file})`;
  return `${type === "" ? "" : className(type) + "."}${method}${where}`;
}

// caller formats the place of a wait: its call, the library method in which the thread was there, and the calls below.
export function caller(frame: Frame): string {
  const [, , , , inner, outer] = frame;
  return call(frame) + (inner ? ` (in ${clipped(inner)})` : "") + (outer ?? "");
}

// callerAt formats a place like caller.
export function callerAt(place: Place): string {
  const inner = typeof place.in === "object" ? call([place.in.class, place.in.method, "", -1]) : place.in;
  return caller([place.class, place.method, place.file ?? "", place.line ?? -1, inner, place.outer]);
}

// ownPlace returns a place of the program without the library's method.
export function ownPlace([type, method, file, line, , outer]: Frame): Frame {
  return [type, method, file, line, "", outer];
}

// object formats a monitor or another object: com.acme.Shelf 1013, latch CountDownLatch 901, condition of ReentrantLock
// 70 (901).
export function object([id, name, , lock, lockClass]: Obj): string {
  if (lock) return `condition of ${lockClass || "lock"} ${lock} (${id})`;
  if (Object.hasOwn(synchronizers, name)) return `${synchronizers[name].kind} ${id}`;
  return name === "" ? `object ${id}` : `${className(name)} ${id}`;
}

// threadName returns a thread's name by its index in the table, or its id if it has no name.
export function threadName(threads: Threads, place: number | undefined): string {
  if (place === undefined || place < 0) return "a thread that is not known";
  return threads.name[place] || `thread ${threads.id[place]}`;
}

// clipped returns at most the first `longest` characters of a text.
export function clipped(text: string, longest = 120): string {
  return text.length <= longest ? text : text.slice(0, longest - 1) + "…";
}

// placesByKey returns the indexes of threads in the table by their keys.
export function placesByKey(threads: Threads): Map<number, number> {
  return new Map(threads.key.map((key, place) => [key, place]));
}

// messageOf returns the message of a caught value.
export function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
