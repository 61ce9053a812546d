import type { Arrow, Arrows, InteractionStyle } from "../source.js";
import { Dash, type Point, type Raster, Steps } from "./raster.js";
import type { Rows } from "./rows.js";
import { arrowAt } from "./window.js";

// Arrows lead from the lane of the acting thread to the lane of the affected thread. If there are too many, only those
// that ended the longest waits are drawn.

const MOST_DRAWN = 80;
const MANY = 40; // if there are more, arrows are translucent, so that lanes show through
const REACH = 5; // CSS pixels around an arrow within which it is found

// Part is the visible part of the lanes, in CSS pixels.
export interface Part {
  from: number; // the time at the left edge
  perPixel: number;
  scroll: number;
  width: number;
  height: number;
}

// Chooser chooses the arrows that are drawn.
export class Chooser {
  // by table: the rows where its arrows begin and end
  private placed = new Map<Arrows, { from: Int32Array; to: Int32Array }>();
  private rows: Rows | null = null;
  private readonly occupied = new Set<number>(); // places
  private readonly found = new Drawn();

  // choose fills `into` with the arrows to draw. It returns how many more the view has, exactly only if `counting`.
  choose(
    tables: readonly Arrows[], rows: Rows, part: Part, shown: readonly boolean[], counting: boolean, into: Drawn,
  ): number {
    this.place(tables, rows);
    const { found } = this;
    found.count = 0;
    let seen = 0;
    const most = counting ? MOST_DRAWN : Math.min(MOST_DRAWN, 12 + Math.ceil((2 * MOST_DRAWN) / tables.length));
    for (const table of tables) seen += this.chooseOf(table, rows, part, shown, most, counting);
    seen -= found.merge(into, this.occupied);
    return seen;
  }

  // place finds the rows of the arrows of new tables, or of all tables if the rows have changed.
  private place(tables: readonly Arrows[], rows: Rows): void {
    if (this.rows === rows && tables.length === this.placed.size && tables.every((table) => this.placed.has(table)))
      return;
    const before = this.rows === rows ? this.placed : null, rowOf = (thread: number) => rows.of(thread);
    this.placed = new Map(
      tables.map((table) => [
        table,
        before?.get(table) ?? {
          from: Int32Array.from(table.thread, rowOf), to: Int32Array.from(table.toThread, rowOf),
        },
      ]),
    );
    this.rows = rows;
  }

  // chooseOf finds the first visible arrows of a table. It returns the number of visible ones, counting each place
  // once.
  private chooseOf(
    table: Arrows, rows: Rows, { from, perPixel, scroll, width, height }: Part, shown: readonly boolean[], most: number,
    counting: boolean,
  ): number {
    const { time, toTime, type, count } = table, placed = this.placed.get(table)!, { found, occupied } = this,
      { centres } = rows;
    const to = from + width * perPixel, start = found.count, bottom = scroll + height;
    let seen = 0;
    occupied.clear();
    for (let i = 0; i < count; i++) {
      if ((time[i] < from && toTime[i] < from) || (time[i] > to && toTime[i] > to)) continue;
      const row = placed.from[i], toRow = placed.to[i];
      if (row < 0 || toRow < 0 || row === toRow || !shown[type[i]]) continue;
      const y = centres[row], toY = centres[toRow];
      if ((y < scroll && toY < scroll) || (y > bottom && toY > bottom)) continue;
      seen++;
      if (found.count - start >= most) {
        if (counting) continue;
        break;
      }
      const x = (time[i] - from) / perPixel, toX = (toTime[i] - from) / perPixel,
        same = placeOf(x, toX, row, toRow, type[i]);
      if (occupied.has(same)) seen--;
      else found.add(table, i, x, y - scroll, toX, toY - scroll, same);
      occupied.add(same);
    }
    return seen;
  }
}

// placeOf returns a number for the place of an arrow. Of arrows at the same place only one is drawn.
function placeOf(x: number, toX: number, row: number, toRow: number, type: number): number {
  return ((Math.round(x) * 8191 + Math.round(toX)) * 8191 + row) * 8191 + toRow + type * 0.125;
}

// Drawn is a table of drawn arrows and their places, to draw them and to find one at a point.
export class Drawn {
  count = 0;
  readonly tables: Arrows[] = [];
  readonly rows: number[] = []; // of the tables
  readonly x: number[] = [];
  readonly y: number[] = [];
  readonly toX: number[] = [];
  readonly toY: number[] = [];
  private readonly places: number[] = [];

  add(table: Arrows, row: number, x: number, y: number, toX: number, toY: number, place: number): void {
    const i = this.count++;
    this.tables[i] = table;
    this.rows[i] = row;
    this.x[i] = x;
    this.y[i] = y;
    this.toX[i] = toX;
    this.toY[i] = toY;
    this.places[i] = place;
  }

  // merge fills `into` with the arrows that ended the longest waits, one per place. It returns their number, and the
  // number of those whose place was occupied.
  merge(into: Drawn, occupied: Set<number>): number {
    const order = Array.from({ length: this.count }, (_, i) => i).sort((a, b) => this.waited(b) - this.waited(a));
    let blocked = 0;
    occupied.clear();
    into.count = 0;
    for (const i of order) {
      if (into.count === MOST_DRAWN) break;
      if (occupied.has(this.places[i])) blocked++;
      else into.add(this.tables[i], this.rows[i], this.x[i], this.y[i], this.toX[i], this.toY[i], this.places[i]);
      occupied.add(this.places[i]);
    }
    return into.count + blocked;
  }

  type(i: number): number {
    return this.tables[i].type[this.rows[i]];
  }

  private waited(i: number): number {
    return this.tables[i].waited[this.rows[i]];
  }

  is(i: number, { event, toEvent, type }: Arrow): boolean {
    const table = this.tables[i], row = this.rows[i];
    return table.event[row] === event && table.toEvent[row] === toEvent && table.type[row] === type;
  }

  // at returns the arrow nearest to a point within REACH, or null.
  at(x: number, y: number): Arrow | null {
    let best = REACH, found = -1;
    for (let i = 0; i < this.count; i++) {
      const distance = distanceTo(x, y, this.x[i], this.y[i], this.toX[i], this.toY[i]);
      if (distance < best) {
        best = distance;
        found = i;
      }
    }
    return found < 0 ? null : arrowAt(this.tables[found], this.rows[found]);
  }
}

function distanceTo(x: number, y: number, x0: number, y0: number, x1: number, y1: number): number {
  const dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
  const part = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / length));
  return Math.hypot(x - x0 - part * dx, y - y0 - part * dy);
}

// Pen has the image and the styles for arrows. A CSS pixel is `ratio` pixels of the screen wide.
export interface Pen {
  raster: Raster;
  ratio: number;
  styles: InteractionStyle[];
  colours: Uint32Array; // by type
  dashes: (Dash | null)[]; // by type
}

// penFor returns a pen for an image.
export function penFor(raster: Raster, ratio: number, styles: InteractionStyle[], colours: Uint32Array): Pen {
  const dashes = styles.map(({ dash }) => (dash?.length ? new Dash(dash.map((part) => part * ratio)) : null));
  return { raster, ratio, styles, colours, dashes };
}

// linesOf returns the lines of arrows, to draw in parts of the image. The most important one is last.
export function linesOf(pen: Pen, drawn: Drawn): Steps[] {
  const alpha = drawn.count > MANY ? 0.6 : 1, lines: Steps[] = [];
  for (let i = drawn.count - 1; i >= 0; i--)
    lines.push(lineOf(pen, drawn.type(i), drawn.x[i], drawn.y[i], drawn.toX[i], drawn.toY[i], alpha, 0));
  return lines;
}

// drawArrows draws lines and then heads.
export function drawArrows(pen: Pen, drawn: Drawn, lines: readonly Steps[]): void {
  const { raster, ratio } = pen, far = FAR * ratio;
  raster.lines(lines);
  for (let i = drawn.count - 1; i >= 0; i--) {
    const x = drawn.toX[i] * ratio, y = drawn.toY[i] * ratio;
    if (x < raster.left - far || x > raster.right + far || y < raster.top - far || y > raster.bottom + far) continue;
    head(pen, drawn.type(i), drawn.x[i], drawn.y[i], drawn.toX[i], drawn.toY[i]);
  }
}

// FAR is more than the size of any head, in CSS pixels.
const FAR = 24;

// highlight redraws one arrow, wider.
export function highlight(pen: Pen, drawn: Drawn, arrow: Arrow): void {
  for (let i = 0; i < drawn.count; i++) {
    if (drawn.is(i, arrow)) draw(pen, arrow.type, drawn.x[i], drawn.y[i], drawn.toX[i], drawn.toY[i], 2);
  }
}

// sample draws an arrow for the legend.
export function sample(pen: Pen, type: number, width: number, height: number): void {
  draw(pen, type, 1, height / 2, width - 3, height / 2, 0);
}

function draw(pen: Pen, type: number, x: number, y: number, toX: number, toY: number, wider: number): void {
  pen.raster.lines([lineOf(pen, type, x, y, toX, toY, 1, wider)]);
  head(pen, type, x, y, toX, toY);
}

// lineOf returns the line of an arrow, without its head.
function lineOf(
  { ratio, styles, colours, dashes }: Pen, type: number, x: number, y: number, toX: number, toY: number, alpha: number,
  wider: number,
): Steps {
  const style = styles[type], length = Math.hypot(toX - x, toY - y) || 1;
  // the line ends inside the head
  const stop = style.head === "open" || style.head === "bar" ? 0 : Math.min(length, sizeOf(style) * 0.7) / length;
  return new Steps({
    x: x * ratio, y: y * ratio, toX: (toX - (toX - x) * stop) * ratio, toY: (toY - (toY - y) * stop) * ratio,
    width: ((style.width || 1) + wider) * ratio, dash: dashes[type], colour: colours[type], alpha,
  });
}

function sizeOf(style: InteractionStyle): number {
  return 5.5 + (style.width || 1);
}

function head(
  { raster, ratio, styles, colours }: Pen, type: number, x: number, y: number, toX: number, toY: number,
): void {
  const style = styles[type], colour = colours[type], length = Math.hypot(toX - x, toY - y) || 1;
  const ux = (toX - x) / length, uy = (toY - y) / length, size = sizeOf(style), half = size * 0.5;
  const at = (along: number, across: number): Point => [
    (toX + along * ux - across * uy) * ratio, (toY + along * uy + across * ux) * ratio,
  ];
  const stroke = (from: Point, to: Point) =>
    raster.line(from[0], from[1], to[0], to[1], Math.max(1.5, style.width) * ratio, null, colour, 1);
  switch (style.head) {
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
