import { element } from "../element.js";
import { ArrowLayer } from "./arrowlayer.js";
import type { Part } from "./arrows.js";
import { ticksOf } from "./axis.js";
import { type Connector, connectorsOf, drawConnector } from "./connectors.js";
import type { Hit } from "./hit.js";
import { LanePainter } from "./lanepainter.js";
import { Overlay } from "./overlay.js";
import { Painter } from "./painter.js";
import type { Palette } from "./palette.js";
import { Picker } from "./pick.js";
import type { Rows } from "./rows.js";
import type { Scene } from "./scene.js";
import type { View } from "./view.js";

// Picture is the content of the lanes' image. It may lag behind the view, and some of its rows may be invalid.
interface Picture {
  from: number; // the time at its left edge
  perPixel: number; // nanoseconds a pixel of the screen
  scroll: number; // CSS pixels
  rows: Rows;
  fresh: boolean; // painted for exactly this view, not moved or stretched
}

// Area is a part of the picture, in whole screen pixels.
type Area = [left: number, right: number, top: number, bottom: number];

// milliseconds per frame for painting invalid rows, while the picture moves and at rest
const BUDGET = 2, BUDGET_AT_REST = 6;
const CHEAP = 3.5; // milliseconds that painting all rows at once may take

// LaneCanvas draws the visible rows and finds what is drawn at a point. It paints lanes pixel by pixel, and over them
// arrows, connectors and the selection.
export class LaneCanvas {
  readonly canvas = element("canvas", {
    class: "timeline-lanes", tabindex: 0, role: "application", "aria-roledescription": "timeline",
  });
  width = 1; // CSS pixels
  height = 1;
  private ratio = 1; // pixels of the screen in a CSS pixel
  private picture: Picture | null = null;
  private readonly invalid = new Set<number>(); // rows of the picture
  private rowCost = 0; // moving average of the milliseconds for one row
  // Pixels are written to the canvas directly, never drawn by a graphics processor.
  private readonly context = this.canvas.getContext("2d", { alpha: false, willReadFrequently: true })!;
  private readonly painter = new Painter();
  private readonly lanePainter = new LanePainter(this.painter);
  private readonly picker = new Picker();
  private readonly arrows = new ArrowLayer();
  private connectors: Connector[] = [];

  resize(width: number, height: number, palette: Palette): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.ratio = devicePixelRatio;
    this.canvas.width = Math.round(this.width * this.ratio);
    this.canvas.height = Math.round(this.height * this.ratio);
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.context.fillStyle = palette.css.background; // an opaque canvas is black until it is painted
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    this.painter.resize(this.canvas.width, this.canvas.height, this.ratio, palette);
    this.picture = null;
  }

  // invalidate makes the next draw repaint all lanes at once.
  invalidate(): void {
    this.picture = null;
  }

  // invalidateRows makes the next draws repaint the lanes of some threads, a few per frame.
  invalidateRows(threads: readonly number[]): void {
    for (const thread of threads) {
      const index = this.picture?.rows.of(thread) ?? -1;
      if (index >= 0) this.invalid.add(index);
    }
  }

  // invalidateVisible does the same for all visible rows.
  invalidateVisible(scene: Scene): void {
    const [first, last] = this.visible(scene);
    for (let index = first; index <= last; index++) this.invalid.add(index);
  }

  // rest makes the next draws repaint a picture that was moved or stretched.
  rest(scene: Scene): void {
    if (!this.picture || this.picture.fresh) return;
    this.picture.fresh = true;
    this.invalidateVisible(scene);
  }

  // done reports whether everything is painted.
  get done(): boolean {
    return this.picture !== null && this.invalid.size === 0;
  }

  // omitted returns the number of arrows in the view that are not drawn.
  get omitted(): number {
    return this.arrows.omitted;
  }

  // perPixel returns the nanoseconds of one CSS pixel.
  perPixel(view: View): number {
    return view.length / this.width;
  }

  // visible returns the first and the last visible row.
  visible({ rows, scroll }: Scene): [first: number, last: number] {
    return [Math.max(0, rows.at(scroll)), Math.min(rows.all.length - 1, rows.at(scroll + this.height))];
  }

  // hit returns what is drawn at a point of the canvas.
  hit(scene: Scene, x: number, y: number): Hit | null {
    return this.picker.at(scene, x, y, this.perPixel(scene.view), this.arrows.drawn.at(x, y));
  }

  // listed returns everything that the visible lanes show, and their number.
  listed(scene: Scene): { hits: Hit[]; lanes: number } {
    return this.picker.listed(scene, ...this.visible(scene), this.perPixel(scene.view));
  }

  // hasSums reports whether short intervals in the view are summed up.
  hasSums(scene: Scene): boolean {
    return this.picker.hasSums(scene, ...this.visible(scene), this.perPixel(scene.view));
  }

  // draw draws the scene. While the view moves, the existing picture is moved and stretched, and invalid rows are
  // painted within a time budget. What appears at the edges of a moved picture is always painted. With `moving`, more
  // movement may follow.
  draw(scene: Scene, moving: boolean): void {
    const [first, last] = this.visible(scene), cheap = this.rowCost * (last - first + 1) < CHEAP, { painter } = this;
    if (this.picture?.rows !== scene.rows || !this.canFollow(scene) || (cheap && !this.isAt(scene))) {
      this.paintAll(scene, moving);
    } else {
      const edges = this.follow(scene, moving);
      this.prepare(scene, moving);
      for (const edge of edges) this.paint(scene, edge);
      this.paintInvalid(scene, moving ? BUDGET : BUDGET_AT_REST);
    }
    const covered = Overlay.isNeeded(scene);
    if (covered) {
      painter.cover();
      new Overlay(scene, this.arrows.penFor(painter.overlay, this.ratio, scene), this.arrows.drawn).draw();
    }
    this.context.putImageData(covered ? painter.overlayImage : painter.lanesImage, 0, 0);
  }

  // isAt reports whether the picture shows exactly the view.
  private isAt({ view, scroll }: Scene): boolean {
    const { picture } = this, perPixel = view.length / this.canvas.width;
    return picture !== null && picture.from === view.from && picture.perPixel === perPixel && picture.scroll === scroll;
  }

  // canFollow reports whether the picture has much of the view.
  private canFollow({ view, scroll }: Scene): boolean {
    const { from, perPixel, scroll: scrolled } = this.picture!, length = perPixel * this.canvas.width;
    const zoom = view.length / length, common = Math.min(view.to, from + length) - Math.max(view.from, from);
    return zoom < 4 && zoom > 0.25 && common > 0.2 * Math.min(length, view.length)
      && Math.abs(scroll - scrolled) < 0.8 * this.height;
  }

  private paintAll(scene: Scene, moving: boolean): void {
    const { view, scroll, rows } = scene, { width, height } = this.canvas, perPixel = view.length / width;
    const began = performance.now(), [first, last] = this.visible(scene);
    this.picture = { from: view.from, perPixel, scroll, rows, fresh: true };
    this.painter.begin(view.from, perPixel);
    this.invalid.clear();
    this.prepare(scene, moving);
    this.paint(scene, [0, width, 0, height]);
    this.measure(performance.now() - began, last - first + 1);
  }

  private measure(milliseconds: number, rows: number): void {
    if (rows > 0) this.rowCost += 0.3 * (milliseconds / rows - this.rowCost);
  }

  // follow moves and stretches the picture to the view, as well as possible. It returns the areas left empty.
  private follow(scene: Scene, moving: boolean): Area[] {
    const { view, scroll } = scene, picture = this.picture!, { width, height } = this.canvas,
      perPixel = view.length / width;
    const edges: Area[] = [];
    if (Math.abs(perPixel / picture.perPixel - 1) > 1e-9) this.stretch(scene, perPixel);
    const left = Math.round((view.from - picture.from) / perPixel),
      up = Math.round((scroll - picture.scroll) * this.ratio);
    if (left !== 0 || up !== 0) {
      this.painter.move(left, up);
      picture.fresh = false;
      if (left !== 0) edges.push(left > 0 ? [width - left, width, 0, height] : [0, -left, 0, height]);
      if (up !== 0) edges.push(up > 0 ? [0, width, height - up, height] : [0, width, 0, -up]);
    }
    picture.from = moving ? picture.from + left * perPixel : view.from;
    picture.scroll = moving ? picture.scroll + up / this.ratio : scroll;
    this.painter.begin(picture.from, perPixel);
    return edges;
  }

  private stretch(scene: Scene, perPixel: number): void {
    const picture = this.picture!, { from } = scene.view, [left, right] = this.painter.stretch(from, perPixel);
    picture.from = from;
    picture.perPixel = perPixel;
    picture.fresh = false;
    this.clear(scene, 0, left);
    this.clear(scene, right, this.canvas.width);
    this.invalidateVisible(scene);
  }

  // prepare computes the arrows and connectors over the lanes.
  private prepare(scene: Scene, moving: boolean): void {
    const { from, perPixel, scroll } = this.picture!, { width, height, ratio } = this;
    const part: Part = { from, perPixel: perPixel * ratio, scroll, width, height };
    this.arrows.prepare(scene, part, this.painter.lanes, ratio, moving);
    this.connectors = scene.legend.path ? connectorsOf(scene, part) : [];
  }

  // paintInvalid paints invalid rows for `budget` milliseconds, and at least one.
  private paintInvalid(scene: Scene, budget: number): void {
    const { all } = scene.rows, { scroll } = this.picture!, [first, last] = this.visible(scene),
      began = performance.now();
    let painted = 0;
    for (const index of this.invalid) {
      this.invalid.delete(index);
      if (index < first || index > last) continue;
      const { top, height } = all[index], edge = (y: number) => Math.round((y - scroll) * this.ratio);
      this.paint(scene, [0, this.canvas.width, edge(top), edge(top + height)]);
      painted++;
      if (performance.now() - began > budget) break;
    }
    this.measure(performance.now() - began, painted);
  }

  private paint(scene: Scene, area: Area): void {
    const { painter, ratio, arrows } = this, { rows } = scene, { scroll, perPixel } = this.picture!,
      [, , top, bottom] = area;
    painter.lanes.clip(...area);
    const first = Math.max(0, rows.at(scroll + top / ratio));
    const last = Math.min(rows.all.length - 1, rows.at(scroll + (bottom - 0.5) / ratio));
    this.paintGround(scene, first, last);
    for (let index = first; index <= last; index++)
      this.lanePainter.paint(scene, rows.all[index], scroll, perPixel, ratio);
    for (const connector of this.connectors) drawConnector(connector, painter.lanes, ratio, scene.palette);
    arrows.draw(scene, painter.lanes, ratio);
    painter.lanes.clip();
  }

  // clear paints only the background of the lanes between two columns, which are invalid then.
  private clear(scene: Scene, left: number, right: number): void {
    if (left >= right) return;
    this.painter.lanes.clip(left, right);
    this.paintGround(scene, ...this.visible(scene));
    this.painter.lanes.clip();
  }

  // paintGround paints the background of the lanes, and the grid.
  private paintGround({ rows, palette, cursor }: Scene, first: number, last: number): void {
    const { painter, ratio } = this, { from, perPixel, scroll } = this.picture!;
    let end = 0;
    for (let index = first; index <= last; index++) {
      const row = rows.all[index], top = (row.top - scroll) * ratio, striped = row.thread === 0 || index % 2 === 1;
      end = top + row.height * ratio;
      painter.band(top, end, index === cursor ? palette.cursor : striped ? palette.stripe : palette.background);
    }
    painter.band(end, this.canvas.height, palette.background);
    const ticks = ticksOf(from, perPixel * ratio), to = from + perPixel * this.canvas.width;
    for (let time = ticks.first, i = 0; time <= to; time = ticks.first + ++i * ticks.step) {
      painter.rule((time - from) / perPixel, palette.grid);
    }
  }
}
