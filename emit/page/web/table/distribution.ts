import { drawing } from "../element.js";
import { counted, duration } from "../format.js";
import type { Distribution } from "../source.js";

// A plot of interval lengths has a bar for each bin, on a logarithmic axis shared by all rows of a table, so that rows
// can be compared.

const WIDTH = 132;
const HEIGHT = 18;
const FEWEST_BINS = 12; // fewer bins would make wide bars
const BINS_A_DECADE = 2 * Math.log2(10);

// Axis is the range of bins shared by the plots of a table, both ends included. A bin is half a power of two.
export interface Axis {
  first: number;
  last: number;
}

// axisOf returns the axis for all distributions, or null if they have no intervals.
export function axisOf(distributions: Iterable<Distribution>): Axis | null {
  let first = Infinity;
  let last = -Infinity;
  for (const d of distributions) {
    if (d.count === 0 || d.bins.length < 2) continue;
    first = Math.min(first, d.bins[0]);
    last = Math.max(last, d.bins[0] + d.bins.length - 2);
  }
  if (first > last) return null;
  const missing = Math.max(0, FEWEST_BINS - (last - first + 1));
  first = Math.max(0, first - Math.ceil(missing / 2));
  return { first, last: Math.max(last, first + FEWEST_BINS - 1) };
}

// axisText describes the range of the axis.
export function axisText(axis: Axis): string {
  return `${duration(edge(axis.first))} – ${duration(edge(axis.last + 1))}, logarithmic`;
}

// distributionText describes the plot in words.
export function distributionText(d: Distribution): string {
  if (d.count === 0) return "no intervals";
  if (d.count === 1) return `one interval of ${duration(d.total)}`;
  const range = `from ${duration(d.min)} to ${duration(d.max)}`;
  return `${counted(d.count, "interval")} ${range}; half up to ${duration(d.p50)}, 90 % up to ${duration(d.p90)}`;
}

// plot draws the distribution as a picture with a label.
export function plot(d: Distribution, axis: Axis | null, state?: number): SVGSVGElement {
  const text = distributionText(d);
  const picture = drawing(
    "svg",
    { class: "plot", role: "img", "aria-label": text, width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}` },
    drawing("title", {}, text),
  );
  if (state !== undefined) picture.style.setProperty("--kind", `var(--state-${state})`);
  if (!axis || d.count === 0) return picture;
  const step = WIDTH / (axis.last - axis.first + 1);
  picture.append(drawing("path", { class: "plot-grid", d: decades(axis, step) }));
  picture.append(drawing("path", { class: "plot-bars", d: bars(d, axis, step) }));
  picture.append(
    drawing("path", { class: "plot-median", d: `M${round(x(Math.max(1, d.p50), axis, step))} 0V${HEIGHT}` }),
  );
  return picture;
}

// bars returns bars whose heights are the square roots of the counts, so that one long interval is visible next to
// thousands of short ones.
function bars(d: Distribution, axis: Axis, step: number): string {
  const counts = d.bins.slice(1);
  const most = Math.sqrt(Math.max(...counts));
  const width = Math.max(1, step - (step > 3 ? 1 : 0));
  let path = "";
  counts.forEach((count, i) => {
    if (count === 0) return;
    const height = Math.max(1.5, ((HEIGHT - 2) * Math.sqrt(count)) / most);
    path += `M${round((d.bins[0] + i - axis.first) * step)} ${HEIGHT}v${round(-height)}h${round(width)}V${HEIGHT}z`;
  });
  return path;
}

// decades returns thin lines at powers of ten.
function decades(axis: Axis, step: number): string {
  let path = "";
  for (let bin = Math.ceil(axis.first / BINS_A_DECADE) * BINS_A_DECADE; bin <= axis.last + 1; bin += BINS_A_DECADE) {
    path += `M${round((bin - axis.first) * step)} 0V${HEIGHT}`;
  }
  return path;
}

function x(length: number, axis: Axis, step: number): number {
  return (2 * Math.log2(length) - axis.first) * step;
}

function edge(bin: number): number {
  return 2 ** (bin / 2);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
