import {
  type Lane, BLOCKED, DEAD, DEADLOCKED, IN_IO, JOINING, PARKED, RUNNING, SLEEPING, TIMED_STATES, TIMED_WAITING, TIMEOUT,
  WAITING,
} from "../source.js";
import { type Palette, PATTERN_SIZE } from "./palette.js";
import { NARROW, Raster } from "./raster.js";
import type { Parts } from "./store.js";
import { firstAt, firstEndingAfter } from "./window.js";

// Painter draws lanes pixel by pixel. Without a graphics processor this is several times as fast as a call per
// rectangle.
//
// A lane is first summed up by pixel columns. A column with only one state is *solid*. Adjacent columns that are solid
// in one state are filled at once, and show its pattern if they are wide enough. In other columns the states share the
// height.
//
// It has more than 15 fields: a buffer for each step of a picture. They are reused, so that a frame allocates nothing.
//
// A painted picture can be moved or stretched to another view. Then only new and invalid parts are painted, within the
// clip.

const NOT_SOLID = 0;
// the states in which a thread does not run, from top to bottom
const HELD = Uint8Array.of(DEADLOCKED, BLOCKED, WAITING, TIMED_WAITING, PARKED, JOINING, IN_IO, SLEEPING);
const LEAST_SHARE = 1 / 128; // of a column, shown as one pixel
const PATTERN_FROM = 6; // CSS pixels
const MARKS_APART = 7, TICKS_APART = 4; // CSS pixels between marks of one type: more of them would only hide each other

export class Painter {
  lanes = new Raster(new Uint32Array(1), 1, 1);
  lanesImage = new ImageData(1, 1);
  overlay = this.lanes; // for drawing over the lanes
  overlayImage = this.lanesImage;
  private pixels = new Uint32Array(1); // the lanes, then the overlay, then rows of each state's pattern
  private width = 1;
  private height = 1;
  private ratio = 1;
  private strip = 1; // the length of a pattern's row
  private solid = new Uint8Array(1); // by column: state + 1
  private shares = new Float32Array(1); // by column, by state
  private marked = new Int32Array(8); // by type: the column of its last mark
  private palette!: Palette;
  private from = 0;
  private scale = 1; // columns a nanosecond
  private source = new Int32Array(1); // by column: the column of the previous picture that it is stretched from
  private stretched = new Uint32Array(1); // a row that is being stretched
  private phase = 0; // the shift of patterns, which move with the spans

  // resize makes an image of the given size in screen pixels.
  resize(width: number, height: number, ratio: number, palette: Palette): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.ratio = ratio;
    this.palette = palette;
    this.strip = this.width + PATTERN_SIZE * Math.ceil(ratio);
    const area = this.width * this.height, patterns = palette.states.length * this.patternRows() * this.strip;
    const buffer = new ArrayBuffer(4 * (2 * area + patterns));
    this.pixels = new Uint32Array(buffer);
    this.lanes = new Raster(this.pixels, this.width, this.height);
    this.lanesImage = new ImageData(new Uint8ClampedArray(buffer, 0, 4 * area), this.width, this.height);
    this.overlay = new Raster(new Uint32Array(buffer, 4 * area, area), this.width, this.height);
    this.overlayImage = new ImageData(new Uint8ClampedArray(buffer, 4 * area, 4 * area), this.width, this.height);
    this.solid = new Uint8Array(this.width + 1);
    this.shares = new Float32Array(TIMED_STATES * (this.width + 1));
    this.source = new Int32Array(this.width);
    this.stretched = new Uint32Array(this.width);
    this.drawPatterns();
  }

  private patternRows(): number {
    return PATTERN_SIZE * Math.max(1, Math.round(this.ratio));
  }

  private drawPatterns(): void {
    const zoom = Math.max(1, Math.round(this.ratio)), rows = this.patternRows();
    let at = 2 * this.width * this.height;
    for (const colours of this.palette.states) {
      for (let y = 0; y < rows; y++) {
        for (let x = 0; x < this.strip; x++) {
          const drawn = colours.pattern(Math.floor(x / zoom) % PATTERN_SIZE, Math.floor(y / zoom));
          this.pixels[at++] = drawn ? colours.drawn : colours.plain;
        }
      }
    }
  }

  // begin sets the time of the first column.
  begin(from: number, nanosecondsAPixel: number): void {
    this.from = from;
    this.scale = 1 / nanosecondsAPixel;
    const period = this.patternRows();
    this.phase = ((Math.round(from * this.scale) % period) + period) % period;
  }

  // move moves the picture by whole pixels to the left and upward. What appears at the edges must be painted.
  move(left: number, up: number): void {
    const area = this.width * this.height, by = up * this.width + left;
    if (by > 0) this.pixels.copyWithin(0, by, area);
    else this.pixels.copyWithin(-by, 0, area + by);
  }

  // stretch approximates the picture of another time range. It returns the columns that it has filled; the others must
  // be painted.
  stretch(from: number, nanosecondsAPixel: number): [left: number, right: number] {
    const { pixels, width, height, source, stretched } = this, step = nanosecondsAPixel * this.scale;
    let left = 0, right = 0;
    for (let column = 0, at = (from - this.from) * this.scale + step / 2; column < width; column++, at += step) {
      source[column] = Math.floor(at);
      if (at < 0) left = column + 1;
      if (at < width) right = column + 1;
    }
    this.begin(from, nanosecondsAPixel);
    if (right <= left) return [0, 0];
    const filled = stretched.subarray(left, right);
    for (let y = 0, row = 0; y < height; y++, row += width) {
      for (let column = left; column < right; column++) stretched[column] = pixels[row + source[column]];
      pixels.set(filled, row + left);
    }
    return [left, right];
  }

  // cover copies the lanes into the overlay, which is drawn on.
  cover(): void {
    const area = this.width * this.height;
    this.pixels.copyWithin(area, 0, area);
  }

  // band fills the whole width between two heights.
  band(top: number, bottom: number, colour: number): void {
    this.fill(0, this.width, Math.round(top), Math.round(bottom), colour);
  }

  // timeAt returns the time at the left edge of a column.
  timeAt(column: number): number {
    return this.from + column / this.scale;
  }

  // rule draws a vertical line of the grid.
  rule(x: number, colour: number): void {
    const column = Math.round(x), { lanes } = this;
    if (column >= lanes.left && column < lanes.right) this.upright(column, lanes.top, lanes.bottom, colour);
  }

  // bar fills a rectangle between two times.
  bar(from: number, to: number, top: number, bottom: number, colour: number, least = 1): void {
    const left = Math.max(0, Math.floor((from - this.from) * this.scale));
    const right = Math.min(this.width, Math.max(left + least, Math.round((to - this.from) * this.scale)));
    if (right > left) this.fill(left, right, Math.round(top), Math.round(bottom), colour);
  }

  // reach returns how many columns beyond the clip are needed for correct patterns.
  get reach(): number {
    return Math.ceil(PATTERN_FROM * this.ratio) + 1;
  }

  // lane draws the activity of a thread between two heights.
  lane(parts: Parts, top: number, bottom: number): void {
    const { lanes, reach } = this, left = Math.max(0, lanes.left - reach),
      right = Math.min(this.width, lanes.right + reach);
    this.solid.fill(NOT_SOLID, left, right);
    this.shares.fill(0, TIMED_STATES * left, TIMED_STATES * (right + 1));
    for (let part = 0; part < parts.count; part++)
      this.addUp(parts.lanes[part], parts.from[part], parts.to[part], left, right);
    this.put(left, right, Math.round(top), Math.round(bottom));
  }

  // dead draws the thin line of a thread that has ended.
  dead(died: number, end: number, top: number, bottom: number): void {
    const middle = (top + bottom) / 2, half = Math.max(0.5, this.ratio / 2);
    this.bar(died, end, middle - half, middle + half, this.palette.states[DEAD].plain, 0);
  }

  private addUp(lane: Lane, from: number, to: number, least: number, most: number): void {
    const { spans, mixes } = lane;
    for (let row = firstEndingAfter(spans.end, spans.count, from); row < spans.count; row++) {
      const start = spans.start[row];
      if (start >= to) break;
      const end = spans.end[row];
      this.addSpan(spans.state[row], start < from ? from : start, end > to ? to : end, least, most);
    }
    for (let row = firstEndingAfter(mixes.end, mixes.count, from); row < mixes.count && mixes.start[row] < to; row++) {
      this.addMix(
        mixes.times, TIMED_STATES * row, Math.max(from, mixes.start[row]), Math.min(to, mixes.end[row]),
        mixes.end[row] - mixes.start[row], least, most,
      );
    }
  }

  private addSpan(state: number, start: number, end: number, least: number, most: number): void {
    let left = (start - this.from) * this.scale, right = (end - this.from) * this.scale;
    if (right <= least || left >= most) return;
    if (left < least) left = least;
    if (right > most) right = most;
    const first = left | 0, last = right | 0;
    const shares = this.shares;
    if (first === last) {
      shares[TIMED_STATES * first + state] += right - left;
      return;
    }
    shares[TIMED_STATES * first + state] += first + 1 - left;
    if (last > first + 1) this.solid.fill(state + 1, first + 1, last);
    shares[TIMED_STATES * last + state] += right - last;
  }

  private addMix(
    times: Float64Array, at: number, start: number, end: number, length: number, least: number, most: number,
  ): void {
    const left = (start - this.from) * this.scale, right = (end - this.from) * this.scale, { shares } = this;
    if (right <= least || left >= most || length <= 0) return;
    for (
      let column = left < least ? least : left | 0, last = right >= most ? most - 1 : right | 0;
      column <= last;
      column++
    ) {
      const weight = ((right < column + 1 ? right : column + 1) - (left > column ? left : column)) / length,
        to = TIMED_STATES * column;
      for (let state = 0; state < TIMED_STATES; state++) shares[to + state] += times[at + state] * weight;
    }
  }

  // put draws the columns. A column shared by two parts of one span does not interrupt the span.
  private put(left: number, right: number, top: number, bottom: number): void {
    const { solid, shares, lanes } = this;
    for (let column = left; column < right; ) {
      const state = solid[column];
      if (state === NOT_SOLID) {
        if (column >= lanes.left && column < lanes.right) this.stack(column, top, bottom);
        column++;
        continue;
      }
      const first = column++;
      while (
        column < right &&
        (solid[column] === state || (solid[column] === NOT_SOLID && shares[TIMED_STATES * column + state - 1] > 0.99))
      )
        column++;
      this.run(state - 1, first, column, top, bottom);
    }
  }

  private run(state: number, first: number, end: number, top: number, bottom: number): void {
    if (end - first < PATTERN_FROM * this.ratio) {
      this.fill(first, end, top, bottom, this.palette.states[state].plain);
      return;
    }
    const { pixels, width, strip, lanes } = this, rows = this.patternRows(),
      pattern = 2 * this.width * this.height + state * rows * this.strip + this.phase;
    const left = Math.max(first, lanes.left), right = Math.min(end, lanes.right);
    if (right <= left) return;
    for (let y = Math.max(lanes.top, top), last = Math.min(lanes.bottom, bottom); y < last; y++) {
      const row = pattern + ((y - top) % rows) * strip;
      if (right - left > NARROW) pixels.copyWithin(y * width + left, row + left, row + right);
      else for (let x = left; x < right; x++) pixels[y * width + x] = pixels[row + x];
    }
  }

  // stack lets the states of a column share its height: above, at least a pixel each, the states in which threads do
  // not run, and running below.
  private stack(column: number, top: number, bottom: number): void {
    const { shares } = this, { plain } = this.palette, height = bottom - top, at = TIMED_STATES * column;
    const running = shares[at + RUNNING];
    let y = top, total = running, colour = plain[RUNNING];
    for (let i = 0; i < HELD.length; i++) {
      const part = shares[at + HELD[i]];
      if (part < LEAST_SHARE) continue;
      total += part;
      colour = plain[HELD[i]];
      const below = Math.min(bottom, y + Math.max(1, Math.round(part * height)));
      this.upright(column, y, below, colour);
      y = below;
    }
    if (running >= LEAST_SHARE) colour = plain[RUNNING];
    const end = total > 0.97 ? bottom : Math.min(bottom, y + Math.round(running * height)); // rounding leaves no gaps
    if (y < end) this.upright(column, y, end, colour);
  }

  private upright(column: number, top: number, bottom: number, colour: number): void {
    const { pixels, width, lanes } = this, end = (bottom > lanes.bottom ? lanes.bottom : bottom) * width;
    for (let at = (top < lanes.top ? lanes.top : top) * width + column; at < end; at += width) pixels[at] = colour;
  }

  private fill(left: number, right: number, top: number, bottom: number, colour: number): void {
    this.lanes.fill(left, right, top, bottom, colour);
  }

  // ribbon draws the critical path along the lower edge of a lane.
  ribbon(parts: Parts, top: number, bottom: number): void {
    for (let part = 0; part < parts.count; part++) {
      const { path } = parts.lanes[part], from = parts.from[part], to = parts.to[part];
      for (let row = firstEndingAfter(path.end, path.count, from); row < path.count && path.start[row] < to; row++) {
        this.ribbonPart(
          Math.max(from, path.start[row]), Math.min(to, path.end[row]), top, bottom, path.latency[row] === 1,
        );
      }
    }
  }

  private ribbonPart(from: number, to: number, top: number, bottom: number, latency: boolean): void {
    const left = Math.max(0, Math.floor((from - this.from) * this.scale)),
      right = Math.min(this.width, Math.max(left + 1, Math.round((to - this.from) * this.scale)));
    if (right <= left) return;
    const first = Math.round(top), end = Math.round(bottom), edge = Math.max(1, Math.round(this.ratio));
    this.fill(left, right, first - edge, end + edge, this.palette.background);
    if (!latency) return this.fill(left, right, first, end, this.palette.path);
    const dash = Math.max(2, Math.round(2 * this.ratio));
    for (let x = left; x < right; x += 2 * dash) this.fill(x, Math.min(right, x + dash), first, end, this.palette.path);
  }

  // instants draws the marks of interactions above the lane of their thread, and timeouts as ticks across it. `shown`
  // selects the types.
  instants(parts: Parts, top: number, bottom: number, shown: readonly boolean[]): void {
    this.marked.fill(-100);
    for (let part = 0; part < parts.count; part++) {
      const { instants } = parts.lanes[part], to = parts.to[part];
      for (
        let row = firstAt(instants.time, instants.count, parts.from[part]);
        row < instants.count && instants.time[row] <= to;
        row++
      ) {
        const type = instants.type[row], column = Math.floor((instants.time[row] - this.from) * this.scale);
        if (!shown[type] || column - this.marked[type] < (type === TIMEOUT ? TICKS_APART : MARKS_APART) * this.ratio)
          continue;
        this.marked[type] = column;
        if (type === TIMEOUT) this.tick(column, top, bottom, this.palette.marks[type]);
        else this.mark(column, top, this.palette.marks[type]);
      }
    }
  }

  // tick draws a line across the lane, with a short one on top of it.
  private tick(column: number, top: number, bottom: number, colour: number): void {
    const wide = Math.max(1, Math.round(this.ratio)), first = Math.round(top) - 3 * wide,
      end = Math.round(bottom) + 2 * wide;
    this.fill(column - wide, column + 2 * wide, first + wide, end, this.palette.background);
    this.fill(column, column + wide, first, end, colour);
    this.fill(column - 2 * wide, column + 3 * wide, first, first + wide, colour);
  }

  // mark draws a small triangle that points down at the lane.
  private mark(column: number, top: number, colour: number): void {
    const half = Math.round(2.5 * this.ratio), foot = Math.round(top) + Math.round(this.ratio);
    for (let i = 0; i <= half; i++) this.fill(column - i, column + i + 1, foot - i, foot - i + 1, colour);
  }
}
