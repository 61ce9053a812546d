import type { Arrow, InteractionLook } from "../source.js";
import { Dash, type Line, type Point, type Raster } from "./raster.js";
import type { Rows } from "./rows.js";

// Arrows lead from the lane of the acting thread to that of the affected one. There may be very many; those for which a thread has waited longest are drawn.

const MOST_DRAWN = 80;
const MANY = 40; // from so many on they are fainter, so that lanes are seen behind them
const REACH = 5; // CSS pixels around an arrow in which it is pointed at

// ArrowTable is arrows as columns, those with the longest waits first, with the rows where they begin and end.
export class ArrowTable {
  private readonly sorted: Arrow[];
  private readonly time: Float64Array;
  private readonly toTime: Float64Array;
  private fromRow: Int32Array;
  private toRow: Int32Array;

  constructor(readonly source: readonly Arrow[], rows: Rows) {
    this.sorted = [...source].sort((a, b) => b.waited - a.waited);
    this.time = Float64Array.from(this.sorted, (arrow) => arrow.time);
    this.toTime = Float64Array.from(this.sorted, (arrow) => arrow.toTime);
    this.fromRow = this.toRow = new Int32Array(0);
    this.place(rows);
  }

  // place finds the rows anew.
  place(rows: Rows): void {
    this.fromRow = Int32Array.from(this.sorted, (arrow) => rows.of(arrow.thread));
    this.toRow = Int32Array.from(this.sorted, (arrow) => rows.of(arrow.toThread));
  }

  // choose fills in what is to be drawn, and returns how many arrows more there are in the view. Places are CSS pixels.
  choose(rows: Rows, from: number, perPixel: number, scroll: number, width: number, height: number, shown: readonly boolean[], into: Drawn): number {
    const taken = new Set<number>();
    let more = 0;
    into.count = 0;
    for (let i = 0; i < this.sorted.length; i++) {
      const x = (this.time[i] - from) / perPixel, toX = (this.toTime[i] - from) / perPixel;
      if ((x < 0 && toX < 0) || (x > width && toX > width)) continue;
      const row = this.fromRow[i], toRow = this.toRow[i], type = this.sorted[i].type;
      if (row < 0 || toRow < 0 || row === toRow || !shown[type]) continue;
      const y = rows.centre(row) - scroll, toY = rows.centre(toRow) - scroll;
      if ((y < 0 && toY < 0) || (y > height && toY > height)) continue;
      if (into.count >= MOST_DRAWN) {
        more++;
        continue;
      }
      const same = ((Math.round(x) * 8191 + Math.round(toX)) * 8191 + row) * 8191 + toRow + type * 0.125;
      if (taken.has(same)) continue;
      taken.add(same);
      into.add(this.sorted[i], x, y, toX, toY);
    }
    return more;
  }
}

// Drawn is what has been drawn where: for drawing, and for finding what is pointed at.
export class Drawn {
  count = 0;
  readonly arrows: Arrow[] = [];
  readonly x: number[] = [];
  readonly y: number[] = [];
  readonly toX: number[] = [];
  readonly toY: number[] = [];

  add(arrow: Arrow, x: number, y: number, toX: number, toY: number): void {
    const i = this.count++;
    this.arrows[i] = arrow;
    this.x[i] = x;
    this.y[i] = y;
    this.toX[i] = toX;
    this.toY[i] = toY;
  }

  // at is the arrow nearest to a point, within reach.
  at(x: number, y: number): Arrow | null {
    let best = REACH, found: Arrow | null = null;
    for (let i = 0; i < this.count; i++) {
      const distance = distanceTo(x, y, this.x[i], this.y[i], this.toX[i], this.toY[i]);
      if (distance < best) {
        best = distance;
        found = this.arrows[i];
      }
    }
    return found;
  }
}

function distanceTo(x: number, y: number, x0: number, y0: number, x1: number, y1: number): number {
  const dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
  const part = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / length));
  return Math.hypot(x - x0 - part * dx, y - y0 - part * dy);
}

// Pen is what arrows are drawn with. `ratio` is how many pixels of the screen a CSS pixel is wide.
export interface Pen {
  raster: Raster;
  ratio: number;
  looks: InteractionLook[];
  colours: Uint32Array; // by type
  dashes: (Dash | null)[]; // by type
}

// penFor makes the pen for an image.
export function penFor(raster: Raster, ratio: number, looks: InteractionLook[], colours: Uint32Array): Pen {
  const dashes = looks.map(({ dash }) => (dash?.length ? new Dash(dash.map((part) => part * ratio)) : null));
  return { raster, ratio, looks, colours, dashes };
}

// drawArrows draws them, lines first.
export function drawArrows(pen: Pen, drawn: Drawn): void {
  const alpha = drawn.count > MANY ? 0.6 : 1, lines: Line[] = [];
  for (let i = drawn.count - 1; i >= 0; i--) lines.push(lineOf(pen, drawn.arrows[i].type, drawn.x[i], drawn.y[i], drawn.toX[i], drawn.toY[i], alpha, 0));
  pen.raster.lines(lines);
  for (let i = drawn.count - 1; i >= 0; i--) head(pen, drawn.arrows[i].type, drawn.x[i], drawn.y[i], drawn.toX[i], drawn.toY[i]);
}

// highlight draws one of them once more, wider: it is pointed at, or selected.
export function highlight(pen: Pen, drawn: Drawn, arrow: Arrow): void {
  for (let i = 0; i < drawn.count; i++) {
    if (sameArrow(drawn.arrows[i], arrow)) draw(pen, arrow.type, drawn.x[i], drawn.y[i], drawn.toX[i], drawn.toY[i], 2);
  }
}

function sameArrow(a: Arrow, b: Arrow): boolean {
  return a.event === b.event && a.toEvent === b.toEvent && a.type === b.type;
}

// sample draws an arrow for the legend.
export function sample(pen: Pen, type: number, width: number, height: number): void {
  draw(pen, type, 1, height / 2, width - 3, height / 2, 0);
}

function draw(pen: Pen, type: number, x: number, y: number, toX: number, toY: number, wider: number): void {
  pen.raster.lines([lineOf(pen, type, x, y, toX, toY, 1, wider)]);
  head(pen, type, x, y, toX, toY);
}

// lineOf is the line of an arrow, without its head.
function lineOf({ ratio, looks, colours, dashes }: Pen, type: number, x: number, y: number, toX: number, toY: number, alpha: number, wider: number): Line {
  const look = looks[type], length = Math.hypot(toX - x, toY - y) || 1;
  const stop = look.head === "open" || look.head === "bar" ? 0 : Math.min(length, sizeOf(look) * 0.7) / length; // the line ends inside the head
  return {
    x: x * ratio, y: y * ratio, toX: (toX - (toX - x) * stop) * ratio, toY: (toY - (toY - y) * stop) * ratio,
    width: ((look.width || 1) + wider) * ratio, dash: dashes[type], colour: colours[type], alpha,
  };
}

function sizeOf(look: InteractionLook): number {
  return 5.5 + (look.width || 1);
}

function head({ raster, ratio, looks, colours }: Pen, type: number, x: number, y: number, toX: number, toY: number): void {
  const look = looks[type], colour = colours[type], length = Math.hypot(toX - x, toY - y) || 1;
  const ux = (toX - x) / length, uy = (toY - y) / length, size = sizeOf(look), half = size * 0.5;
  const at = (along: number, across: number): Point => [(toX + along * ux - across * uy) * ratio, (toY + along * uy + across * ux) * ratio];
  const stroke = (from: Point, to: Point) => raster.line(from[0], from[1], to[0], to[1], Math.max(1.5, look.width) * ratio, null, colour, 1);
  switch (look.head) {
    case "open":
      stroke(at(-size, half), at(0, 0));
      return stroke(at(-size, -half), at(0, 0));
    case "bar":
      return stroke(at(0, half + 1), at(0, -half - 1));
    case "diamond":
      return raster.shape([at(0, 0), at(-half, half), at(-size, 0), at(-half, -half)], colour, 1);
    case "double":
      raster.shape([at(-0.8 * size, 0), at(-1.8 * size, half), at(-1.8 * size, -half)], colour, 1);
  }
  raster.shape([at(0, 0), at(-size, half), at(-size, -half)], colour, 1);
}
