// Raster draws antialiased lines and shapes into an image. Without a graphics processor it is ten times as fast as a
// canvas.

// NARROW is the number of pixels up to which setting them one by one is faster than a call.
export const NARROW = 24;

export type Point = [x: number, y: number];

const MOST_CORNERS = 8;

export class Raster {
  // Only pixels between these are drawn: the clip.
  left = 0;
  right: number;
  top = 0;
  bottom: number;
  private readonly edges = new Float64Array(3 * MOST_CORNERS);

  // pixels: the image row by row, opaque; it may be followed by something else.
  constructor(readonly pixels: Uint32Array, readonly width: number, readonly height: number) {
    this.right = width;
    this.bottom = height;
  }

  // clip limits drawing to a part of the image, by default all of it.
  clip(left = 0, right = this.width, top = 0, bottom = this.height): void {
    this.left = Math.max(0, left);
    this.right = Math.min(this.width, right);
    this.top = Math.max(0, top);
    this.bottom = Math.min(this.height, bottom);
  }

  // fill fills a rectangle of whole pixels, within the clip.
  fill(left: number, right: number, top: number, bottom: number, colour: number): void {
    const first = left < this.left ? this.left : left, end = right > this.right ? this.right : right,
      last = bottom > this.bottom ? this.bottom : bottom;
    if (end <= first) return;
    const { pixels, width } = this, begin = top < this.top ? this.top : top;
    if (end - first > NARROW) {
      for (let y = begin; y < last; y++) pixels.fill(colour, y * width + first, y * width + end);
      return;
    }
    for (let y = begin; y < last; y++) {
      for (let at = y * width + first, stop = y * width + end; at < stop; at++) pixels[at] = colour;
    }
  }

  // tint blends a rectangle with a colour.
  tint(left: number, right: number, top: number, bottom: number, colour: number, alpha: number): void {
    for (let y = Math.max(this.top, top); y < Math.min(this.bottom, bottom); y++) {
      for (let x = Math.max(this.left, left); x < Math.min(this.right, right); x++)
        this.blend(y * this.width + x, colour, alpha);
    }
  }

  // frame draws the outline of a rectangle, `thick` pixels outside of it.
  frame(left: number, right: number, top: number, bottom: number, thick: number, colour: number): void {
    this.fill(left - thick, right + thick, top - thick, top, colour);
    this.fill(left - thick, right + thick, bottom, bottom + thick, colour);
    this.fill(left - thick, left, top, bottom, colour);
    this.fill(right, right + thick, top, bottom, colour);
  }

  // line draws a line of a given width, with dashes and gaps in turn if it has some.
  line(
    x: number, y: number, toX: number, toY: number, width: number, dash: Dash | null, colour: number, alpha: number,
  ): void {
    this.lines([new Steps({ x, y, toX, toY, width, dash, colour, alpha })]);
  }

  // lines draws lines row by row of the image, rather than one after the other, as an upright line is at a different
  // place of memory in each row.
  lines(lines: readonly Steps[]): void {
    const steep = lines.filter((line) => line.steep && this.touches(line));
    if (steep.length > 0) this.upright(steep);
    for (const line of lines) {
      if (line.steep || !this.touches(line)) continue;
      for (let x = Math.max(this.left, line.first), end = Math.min(this.right, line.end); x < end; x++)
        this.step(line, x, x, this.width, this.top, this.bottom);
    }
  }

  private upright(lines: readonly Steps[]): void {
    for (let y = this.top; y < this.bottom; y++) {
      for (let i = 0; i < lines.length; i++) {
        if (y >= lines[i].first && y < lines[i].end) this.step(lines[i], y, y * this.width, 1, this.left, this.right);
      }
    }
  }

  // touches reports whether a line may be visible.
  private touches({ steep, first, end, least, most }: Steps): boolean {
    const [from, to, begin, stop] = steep
      ? [this.top, this.bottom, this.left, this.right]
      : [this.left, this.right, this.top, this.bottom];
    return first < to && end > from && least < stop && most > begin;
  }

  // step draws one step of a line, between `least` and `most`. `row` is where the pixels of the step begin, `side` the
  // distance between them.
  private step(line: Steps, i: number, row: number, side: number, least: number, most: number): void {
    const past = i + 0.5 - line.from;
    if (line.dash !== null && line.dash.isGap((past < 0 ? -past : past) * line.stretch)) return;
    const centre = line.across + past * line.slope, begin = centre - line.half, stop = centre + line.half,
      { alpha, colour } = line;
    const first = Math.floor(begin), final = Math.floor(stop);
    if (final < least || first >= most) return;
    if (first === final) return this.blend(row + first * side, colour, alpha * (stop - begin));
    if (first >= least) this.blend(row + first * side, colour, alpha * (first + 1 - begin));
    for (let j = first < least ? least : first + 1, end = final < most ? final : most; j < end; j++)
      this.blend(row + j * side, colour, alpha);
    if (final < most) this.blend(row + final * side, colour, alpha * (stop - final));
  }

  // shape fills a convex shape of up to MOST_CORNERS corners in clockwise order.
  shape(points: readonly Point[], colour: number, alpha: number): void {
    const corners = points.length, { edges } = this;
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    for (let i = 0; i < corners; i++) {
      const [ax, ay] = points[i], [bx, by] = points[(i + 1) % corners], length = Math.hypot(bx - ax, by - ay) || 1;
      edges[3 * i] = (by - ay) / length;
      edges[3 * i + 1] = (ax - bx) / length;
      edges[3 * i + 2] = -(ax * edges[3 * i] + ay * edges[3 * i + 1]);
      left = Math.min(left, ax);
      right = Math.max(right, ax);
      top = Math.min(top, ay);
      bottom = Math.max(bottom, ay);
    }
    right = Math.min(this.right, Math.ceil(right));
    bottom = Math.min(this.bottom, Math.ceil(bottom));
    for (let y = Math.max(this.top, Math.floor(top)); y < bottom; y++) {
      for (let x = Math.max(this.left, Math.floor(left)); x < right; x++) {
        let outside = -1; // how far the pixel's centre is outside of the shape
        for (let at = 0; at < 3 * corners; at += 3) {
          const distance = edges[at] * (x + 0.5) + edges[at + 1] * (y + 0.5) + edges[at + 2];
          if (distance > outside) outside = distance;
        }
        if (outside < 0.5) this.blend(y * this.width + x, colour, alpha * (outside <= -0.5 ? 1 : 0.5 - outside));
      }
    }
  }

  // blend mixes a pixel with a colour.
  private blend(at: number, colour: number, alpha: number): void {
    const under = this.pixels[at] | 0, over = colour | 0, part = (alpha * 256) | 0, rest = 256 - part;
    const redBlue = (((under & 0xff00ff) * rest + (over & 0xff00ff) * part) >>> 8) & 0xff00ff;
    const green = (((under & 0xff00) * rest + (over & 0xff00) * part) >>> 8) & 0xff00;
    this.pixels[at] = 0xff000000 | redBlue | green;
  }
}

// Line is a line to be drawn, in pixels.
export interface Line {
  x: number;
  y: number;
  toX: number;
  toY: number;
  width: number;
  dash: Dash | null;
  colour: number;
  alpha: number;
}

// Steps are a line in steps along its longer direction, from `first` to `end`.
export class Steps {
  readonly steep: boolean; // whether that is from top to bottom
  readonly first: number;
  readonly end: number;
  readonly from: number; // where the line begins, for its dashes
  readonly across: number; // its position across the direction there
  readonly slope: number;
  readonly stretch: number; // its length per step
  readonly half: number; // half of its width, across the direction
  readonly least: number; // the pixels that it covers across the direction
  readonly most: number;
  readonly dash: Dash | null;
  readonly colour: number;
  readonly alpha: number;

  constructor(line: Line) {
    const steep = (this.steep = Math.abs(line.toY - line.y) >= Math.abs(line.toX - line.x));
    const to = steep ? line.toY : line.toX;
    this.from = steep ? line.y : line.x;
    this.across = steep ? line.x : line.y;
    this.slope = to === this.from ? 0 : ((steep ? line.toX : line.toY) - this.across) / (to - this.from);
    this.stretch = Math.sqrt(1 + this.slope * this.slope);
    this.half = (line.width / 2) * this.stretch;
    this.first = Math.round(Math.min(this.from, to));
    this.end = Math.round(Math.max(this.from, to));
    const toAcross = steep ? line.toX : line.toY;
    this.least = Math.min(this.across, toAcross) - this.half - 1;
    this.most = Math.max(this.across, toAcross) + this.half + 1;
    this.dash = line.dash;
    this.colour = line.colour;
    this.alpha = line.alpha;
  }
}

// Dash is a sequence of dashes and gaps, in pixels.
export class Dash {
  private readonly gaps: Uint8Array; // per half pixel

  constructor(parts: readonly number[]) {
    const gaps: number[] = [];
    parts.forEach((part, i) => gaps.push(...new Array<number>(Math.max(1, Math.round(2 * part))).fill(i % 2)));
    this.gaps = Uint8Array.from(gaps);
  }

  isGap(at: number): boolean {
    return this.gaps[((2 * at) | 0) % this.gaps.length] === 1;
  }
}
