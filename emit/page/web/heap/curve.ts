import { drawing, element, replace } from "../element.js";
import { moment, size } from "../format.js";
import { ticksOf } from "../timeline/axis.js";
import { type CollectionRow, collectionText } from "./columns.js";
import type { Collections } from "./document.js";

const WIDTH = 1000, HEIGHT = 180, LEFT = 66, BOTTOM = 20, TOP = 8; // of the picture

// Line is a curve of bytes; unknown values are left out.
interface Line {
  name: string;
  className: string;
  points: [time: number, bytes: number][];
}

// Curve draws the bytes in use after each garbage collection, and the pauses as bands.
export class Curve {
  readonly root = element("figure", { class: "heap-curve" });

  // show draws the collections of a trace of the given length. It draws live bytes only if objects are followed.
  show(collections: Collections, rows: readonly CollectionRow[], followed: boolean, length: number): void {
    const lines = linesOf(collections, followed), most = mostOf(lines);
    const picture = drawing(
      "svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": descriptionOf(lines) },
      ...scale(most), ...times(length),
      ...rows.map((row) => band(row, length)),
      ...lines.map((line) => curve(line, length, most)),
    );
    const legend = element(
      "figcaption", { class: "heap-legend" },
      ...lines.map(({ name, className }) => element("span", { class: className }, name)),
      element("span", { class: "heap-pause" }, "pause of the JVM"),
    );
    replace(this.root, picture, legend);
  }
}

// linesOf returns the curves. After a pause within a collection the heap is not collected yet, so such points are left
// out unless the trace has no others.
function linesOf({ to, used, total, live, pause }: Collections, followed: boolean): Line[] {
  const whole = pause.some((is) => !is), counts = (i: number) => !whole || !pause[i];
  const points = (bytes: number[]) =>
    to.map((time, i): [number, number] => [time, bytes[i]!]).filter(([, value], i) => value > 0 && counts(i));
  const lines = [
    { name: "size of the heap", className: "heap-total", points: points(total) },
    { name: "in use after the collection", className: "heap-used", points: points(used) },
    { name: "recorded objects that live", className: "heap-live", points: followed ? points(live) : [] },
  ];
  return lines.filter((line) => line.points.length > 0);
}

function mostOf(lines: readonly Line[]): number {
  return Math.max(1, ...lines.map((line) => line.points.reduce((most, [, bytes]) => Math.max(most, bytes), 0)));
}

function descriptionOf(lines: readonly Line[]): string {
  const parts = lines.map(({ name, points }) => {
    const last = points[points.length - 1]!;
    return `${name}: ${size(mostOf([{ name, className: "", points }]))} at most, ${size(last[1])} at last`;
  });
  return `Bytes after each garbage collection; ${parts.join("; ")}`;
}

function x(time: number, length: number): number {
  return LEFT + ((WIDTH - LEFT) * Math.min(Math.max(time, 0), length)) / Math.max(length, 1);
}

function y(bytes: number, most: number): number {
  return HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * bytes) / most;
}

function curve({ className, points }: Line, length: number, most: number): SVGElement {
  const at = points.map(([time, bytes]) => `${x(time, length).toFixed(1)},${y(bytes, most).toFixed(1)}`);
  if (at.length > 1) return drawing("polyline", { class: className, points: at.join(" ") });
  const [[time, bytes]] = points as [[number, number]];
  return drawing("circle", { class: className, cx: x(time, length), cy: y(bytes, most), r: 3 });
}

function band(row: CollectionRow, length: number): SVGElement {
  const left = x(row.from, length), right = x(row.from + Math.max(row.paused, 0), length);
  return drawing(
    "rect",
    {
      class: "heap-pause", x: left.toFixed(1), y: TOP, width: Math.max(1, right - left).toFixed(1),
      height: HEIGHT - BOTTOM - TOP,
    },
    drawing("title", {}, collectionText(row)),
  );
}

// scale returns lines for three sizes, with their texts.
function scale(most: number): SVGElement[] {
  return [0, most / 2, most].flatMap((bytes) => [
    drawing("line", { class: "heap-grid", x1: LEFT, x2: WIDTH, y1: y(bytes, most), y2: y(bytes, most) }),
    drawing("text", { x: LEFT - 6, y: y(bytes, most) + 4, "text-anchor": "end" }, size(bytes)),
  ]);
}

function times(length: number): SVGElement[] {
  const { first, step } = ticksOf(0, length / (WIDTH - LEFT)), texts: SVGElement[] = [];
  for (let time = first; time < length * 0.97; time += step)
    texts.push(drawing("text", { x: x(time, length), y: HEIGHT - 4 }, time === 0 ? "0" : moment(time, step)));
  return texts;
}
