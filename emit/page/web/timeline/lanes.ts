import { element } from "../element.js";
import { type About, type Arrow, type PathDocument, TIMED_STATES, TIMEOUT } from "../source.js";
import { Chooser, Drawn, type Pen, drawArrows, highlight, linesOf, penFor } from "./arrows.js";
import { ticksOf } from "./axis.js";
import type { Selected } from "./details.js";
import type { Hit } from "./hit.js";
import type { Legend } from "./legend.js";
import type { Look } from "./look.js";
import { Painter } from "./painter.js";
import type { Raster, Steps } from "./raster.js";
import { type Rows, insetOf } from "./rows.js";
import { Parts, type Store } from "./store.js";
import type { View } from "./view.js";
import { firstAt, firstEndingAfter } from "./window.js";

// LaneCanvas draws the visible rows, and knows what is where. Lanes are painted pixel by pixel; arrows, connectors and the selection are drawn over them.

// Scene is what there is to be drawn.
export interface Scene {
  about: About;
  rows: Rows;
  view: View;
  look: Look;
  store: Store;
  legend: Legend;
  path: PathDocument | null;
  scroll: number; // CSS pixels above the view
  cursor: number; // the row that the keyboard is in; -1: none
  hover: Hit | null;
  selected: Selected | null;
  flash: number; // how strongly the selection is shown, from 0 to 1
  range: [from: number, to: number] | null; // that is being drawn with the pointer
  groupTimes: Map<string, { width: number; times: number[][] }>; // of collapsed groups
}

// Picture is what the lanes show: it may be a little behind the view, and some of its rows may be spoiled.
interface Picture {
  from: number; // the time at its left edge
  perPixel: number; // of the screen
  scroll: number; // CSS pixels
  rows: Rows;
  fresh: boolean; // whether it was painted for just what it shows
}

// How long rows are painted in one frame, in milliseconds, if they are not all to be painted at once: while the picture moves, and when it rests.
const BUDGET = 2, BUDGET_AT_REST = 6;
// What all rows may take to be painted at once all the same.
const CHEAP = 3.5;

export class LaneCanvas {
  readonly canvas = element("canvas", { class: "timeline-lanes", tabindex: 0, role: "application", "aria-roledescription": "timeline" });
  width = 1; // CSS pixels
  height = 1;
  omitted = 0; // arrows in the view that are not drawn
  private ratio = 1;
  private picture: Picture | null = null;
  private readonly spoiled = new Set<number>(); // rows of the picture that are to be painted
  private rowCost = 0; // milliseconds for one row, as seen lately
  private readonly context = this.canvas.getContext("2d", { alpha: false, willReadFrequently: true })!; // pixels are put into it, and never drawn by a graphics processor
  private readonly painter = new Painter();
  private readonly parts = new Parts();
  private readonly chooser = new Chooser();
  private readonly drawn = new Drawn();
  private lines: readonly Steps[] = []; // of the arrows that are drawn
  private connectors: Connector[] = [];
  private pen: Pen | null = null;

  resize(width: number, height: number, look: Look): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.ratio = devicePixelRatio;
    this.canvas.width = Math.round(this.width * this.ratio);
    this.canvas.height = Math.round(this.height * this.ratio);
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.context.fillStyle = look.css.background; // until it is painted: an opaque canvas begins black
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    this.painter.resize(this.canvas.width, this.canvas.height, this.ratio, look);
    this.picture = null;
  }

  // spoil lets the next draw paint all lanes anew, at once.
  spoil(): void {
    this.picture = null;
  }

  // spoilRows lets the next draws paint the lanes of some threads anew, bit by bit.
  spoilRows(threads: readonly number[]): void {
    for (const thread of threads) {
      const index = this.picture?.rows.of(thread) ?? -1;
      if (index >= 0) this.spoiled.add(index);
    }
  }

  // spoilAll does so for all lanes.
  spoilAll(scene: Scene): void {
    const [first, last] = this.visible(scene);
    for (let index = first; index <= last; index++) this.spoiled.add(index);
  }

  // rest lets the next draws paint anew what was only moved and stretched.
  rest(scene: Scene): void {
    if (!this.picture || this.picture.fresh) return;
    this.picture.fresh = true;
    this.spoilAll(scene);
  }

  // done says whether all is painted.
  get done(): boolean {
    return this.picture !== null && this.spoiled.size === 0;
  }

  // nanoseconds of one CSS pixel.
  perPixel(view: View): number {
    return view.length / this.width;
  }

  // visible are the first and the last visible row.
  visible({ rows, scroll }: Scene): [first: number, last: number] {
    return [Math.max(0, rows.at(scroll)), Math.min(rows.all.length - 1, rows.at(scroll + this.height))];
  }

  // draw draws the scene. While it moves, the picture that is there is moved and stretched, and as much of it is painted anew as there is time for. What
  // comes in at the edges of one that is moved is always painted. `moving`: more movement may follow.
  draw(scene: Scene, moving: boolean): void {
    const [first, last] = this.visible(scene), cheap = this.rowCost * (last - first + 1) < CHEAP;
    if (!this.picture || this.picture.rows !== scene.rows || !this.canFollow(scene) || (cheap && !this.isAt(scene))) this.paintAll(scene, moving);
    else {
      const edges = this.follow(scene, moving);
      this.prepare(scene, moving);
      for (const [left, right, top, bottom] of edges) this.paint(scene, left, right, top, bottom);
      this.paintSpoiled(scene, moving ? BUDGET : BUDGET_AT_REST);
    }
    const covered = scene.hover !== null || scene.selected !== null || scene.range !== null;
    if (covered) {
      this.painter.cover();
      this.frame(scene);
    }
    this.context.putImageData(covered ? this.painter.overlayImage : this.painter.lanesImage, 0, 0);
  }

  // isAt says whether the picture shows just what is looked at.
  private isAt({ view, scroll }: Scene): boolean {
    const { picture } = this;
    return picture !== null && picture.from === view.from && picture.perPixel === view.length / this.canvas.width && picture.scroll === scroll;
  }

  // canFollow says whether the picture has much of what is looked at.
  private canFollow({ view, scroll }: Scene): boolean {
    const { from, perPixel, scroll: scrolled } = this.picture!, length = perPixel * this.canvas.width, zoom = view.length / length;
    const common = Math.min(view.to, from + length) - Math.max(view.from, from);
    return zoom < 4 && zoom > 0.25 && common > 0.2 * Math.min(length, view.length) && Math.abs(scroll - scrolled) < 0.8 * this.height;
  }

  private paintAll(scene: Scene, moving: boolean): void {
    const { view, scroll, rows } = scene, began = performance.now(), [first, last] = this.visible(scene);
    this.picture = { from: view.from, perPixel: view.length / this.canvas.width, scroll, rows, fresh: true };
    this.painter.begin(view.from, this.picture.perPixel);
    this.spoiled.clear();
    this.prepare(scene, moving);
    this.paint(scene, 0, this.canvas.width, 0, this.canvas.height);
    this.learn(performance.now() - began, last - first + 1);
  }

  private learn(took: number, rows: number): void {
    if (rows > 0) this.rowCost += 0.3 * (took / rows - this.rowCost);
  }

  // follow makes the picture show what is looked at, as well as it can. It returns the parts where it has nothing.
  private follow(scene: Scene, moving: boolean): [left: number, right: number, top: number, bottom: number][] {
    const { view, scroll } = scene, picture = this.picture!, { width, height } = this.canvas, perPixel = view.length / width, edges: [number, number, number, number][] = [];
    if (Math.abs(perPixel / picture.perPixel - 1) > 1e-9) {
      const [left, right] = this.painter.stretch(view.from, perPixel);
      picture.from = view.from;
      picture.perPixel = perPixel;
      picture.fresh = false;
      this.clear(scene, 0, left);
      this.clear(scene, right, width);
      this.spoilAll(scene);
    }
    const left = Math.round((view.from - picture.from) / perPixel), up = Math.round((scroll - picture.scroll) * this.ratio);
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

  // prepare finds out what is drawn over the lanes.
  private prepare(scene: Scene, moving: boolean): void {
    const { rows, store, legend } = scene, { from, perPixel, scroll } = this.picture!, { width, height } = this;
    const more = this.chooser.choose(store.arrows(), rows, { from, perPixel: perPixel * this.ratio, scroll, width, height }, legend.shown, !moving, this.drawn);
    if (!moving) this.omitted = more;
    this.lines = linesOf(this.penFor(this.painter.lanes, scene), this.drawn);
    this.connectors = legend.path ? this.connect(scene) : [];
  }

  // paintSpoiled paints spoiled rows as long as there is time, but one at least.
  private paintSpoiled(scene: Scene, budget: number): void {
    const { rows } = scene, { scroll } = this.picture!, [first, last] = this.visible(scene), began = performance.now();
    let painted = 0;
    for (const index of this.spoiled) {
      this.spoiled.delete(index);
      if (index < first || index > last) continue;
      const top = Math.round((rows.all[index].top - scroll) * this.ratio);
      this.paint(scene, 0, this.canvas.width, top, Math.round((rows.all[index].top + rows.all[index].height - scroll) * this.ratio));
      painted++;
      if (performance.now() - began > budget) break;
    }
    this.learn(performance.now() - began, painted);
  }

  // paint paints a part of the picture, between whole pixels of the screen.
  private paint(scene: Scene, left: number, right: number, top: number, bottom: number): void {
    const { painter, ratio } = this, { rows } = scene, { scroll } = this.picture!;
    painter.lanes.clip(left, right, top, bottom);
    const first = Math.max(0, rows.at(scroll + top / ratio)), last = Math.min(rows.all.length - 1, rows.at(scroll + (bottom - 0.5) / ratio));
    this.ground(scene, first, last);
    for (let index = first; index <= last; index++) this.paintRow(scene, index);
    for (const connector of this.connectors) this.connector(connector, scene.look);
    drawArrows(this.penFor(painter.lanes, scene), this.drawn, this.lines);
    painter.lanes.clip();
  }

  // clear paints nothing but what is behind the lanes: they follow bit by bit.
  private clear(scene: Scene, left: number, right: number): void {
    if (left >= right) return;
    const [first, last] = this.visible(scene);
    this.painter.lanes.clip(left, right);
    this.ground(scene, first, last);
    this.painter.lanes.clip();
  }

  // ground paints what is behind the lanes.
  private ground({ rows, look, cursor }: Scene, first: number, last: number): void {
    const { painter, ratio } = this, picture = this.picture!, { from, perPixel, scroll } = picture;
    let end = 0;
    for (let index = first; index <= last; index++) {
      const row = rows.all[index], top = (row.top - scroll) * ratio;
      end = top + row.height * ratio;
      painter.band(top, end, index === cursor ? look.cursor : row.thread === 0 || index % 2 === 1 ? look.stripe : look.background);
    }
    painter.band(end, this.canvas.height, look.background);
    const ticks = ticksOf(from, perPixel * ratio), to = from + perPixel * this.canvas.width;
    for (let i = 0; ticks.first + i * ticks.step <= to; i++) painter.rule((ticks.first + i * ticks.step - from) / perPixel, look.grid);
  }

  private paintRow(scene: Scene, index: number): void {
    const { rows, store, about, legend } = scene, { painter, parts, ratio } = this, { perPixel, scroll } = this.picture!, row = rows.all[index];
    const [top, bottom] = this.bar(rows, index, scroll);
    const from = painter.timeAt(Math.max(0, painter.lanes.left - painter.reach)), to = painter.timeAt(Math.min(this.canvas.width, painter.lanes.right + painter.reach));
    if (row.thread === 0) {
      if (row.collapsed) this.paintGroup(scene, row.group, from, to, top, bottom);
      return;
    }
    store.parts(row.thread, from, to, perPixel * ratio, parts);
    this.paintMissing(scene, row.place, from, to, top, bottom);
    painter.lane(parts, top, bottom);
    const died = about.threads.died[row.place] ?? -1;
    if (died >= 0 && died < to) painter.dead(died, about.duration, top, bottom);
    painter.instants(parts, top, bottom, legend.shown);
    if (legend.path) painter.ribbon(parts, bottom - 3 * ratio, bottom);
  }

  // mixes says whether something in the view is summed up.
  mixes(scene: Scene): boolean {
    const { rows, view, store } = scene, { parts } = this, [first, last] = this.visible(scene);
    for (let index = first; index <= last; index++) {
      if (rows.all[index].thread === 0) continue;
      store.parts(rows.all[index].thread, view.from, view.to, this.perPixel(view), parts);
      for (let part = 0; part < parts.count; part++) {
        const { mixes } = parts.lanes[part], found = firstEndingAfter(mixes.end, mixes.count, parts.from[part]);
        if (found < mixes.count && mixes.start[found] < parts.to[part]) return true;
      }
    }
    return false;
  }

  // paintMissing marks the life of the thread where its data have not come yet.
  private paintMissing({ about, look, store }: Scene, place: number, from: number, to: number, top: number, bottom: number): void {
    if (!store.waiting()) return;
    const { parts, painter } = this, middle = (top + bottom) / 2, born = about.threads.born[place] ?? 0, died = about.threads.died[place] ?? -1;
    const end = Math.min(to, died < 0 ? about.duration : died);
    let at = Math.max(from, born);
    for (let part = 0; part <= parts.count; part++) {
      const until = part < parts.count ? Math.min(end, parts.from[part]) : end;
      if (until > at) painter.bar(at, until, middle - 2 * this.ratio, middle + 2 * this.ratio, look.missing, 0);
      if (part < parts.count) at = Math.max(at, parts.to[part]);
    }
  }

  private paintGroup({ groupTimes, look }: Scene, group: string, from: number, to: number, top: number, bottom: number): void {
    const found = groupTimes.get(group);
    if (!found) return;
    const { width, times } = found, buckets = times[0]?.length ?? 0;
    let most = 1;
    for (let bucket = 0; bucket < buckets; bucket++) most = Math.max(most, times.reduce((sum, column) => sum + (column[bucket] ?? 0), 0));
    for (let bucket = Math.max(0, Math.floor(from / width)); bucket < buckets && bucket * width < to; bucket++) {
      let y = bottom, total = 0;
      for (let state = 0; state < TIMED_STATES; state++) {
        total += times[state]?.[bucket] ?? 0;
        const above = Math.round(bottom - ((bottom - top) * total) / most);
        if (above < y) this.painter.bar(bucket * width, (bucket + 1) * width, above, y, look.states[state].plain, 0);
        y = above;
      }
    }
  }

  // bar is where the bar of a lane is, in pixels of the screen.
  private bar(rows: Rows, index: number, scroll: number): [top: number, bottom: number] {
    const row = rows.all[index], inset = insetOf(row);
    const top = Math.round((row.top - scroll + inset) * this.ratio);
    return [top, top + Math.round((row.height - 2 * inset) * this.ratio)];
  }

  // connect finds out where the critical path goes from one lane to another. Lines at one place are drawn once.
  private connect({ path, rows }: Scene): Connector[] {
    const { from: left, perPixel, scroll } = this.picture!, found: Connector[] = [];
    if (!path) return found;
    const pieces = path.pieces, end = left + perPixel * this.canvas.width;
    let lastX = -1, lastTop = 0, lastBottom = 0;
    for (let i = firstPiece(path, left); i > 0 && i < pieces.length && pieces[i].from <= end; i++) {
      const before = pieces[i - 1], piece = pieces[i];
      if (before.to !== piece.from || before.threadKey === piece.threadKey) continue;
      const from = rows.of(before.threadKey), to = rows.of(piece.threadKey);
      if (from < 0 || to < 0 || from === to) continue;
      const lower = (row: number) => rows.all[row].top + rows.all[row].height - insetOf(rows.all[row]) - 1 - scroll;
      const top = Math.max(-2, Math.min(lower(from), lower(to))), bottom = Math.min(this.height + 2, Math.max(lower(from), lower(to)));
      const x = (piece.from - left) / (perPixel * this.ratio);
      if (bottom < 0 || top > this.height || (Math.round(x) === lastX && top >= lastTop && bottom <= lastBottom)) continue;
      [lastX, lastTop, lastBottom] = [Math.round(x), top, bottom];
      found.push({ x, top, bottom });
    }
    return found;
  }

  private connector({ x, top, bottom }: Connector, look: Look): void {
    const raster = this.painter.lanes, edge = Math.max(1, Math.round(this.ratio)), left = Math.round(x * this.ratio) - edge;
    const first = Math.round(top * this.ratio), end = Math.round(bottom * this.ratio) + edge;
    raster.fill(left - edge, left + 3 * edge, first, end, look.background);
    raster.fill(left, left + 2 * edge, first - edge, end, look.path);
  }

  // penFor is the pen for one of the two images.
  private penFor(raster: Raster, { about, look }: Scene): Pen {
    if (this.pen?.raster !== raster || this.pen.colours !== look.marks) this.pen = penFor(raster, this.ratio, about.interactions, look.marks);
    return this.pen;
  }

  // frame draws what is pointed at, what is selected, and the range that is being drawn.
  private frame(scene: Scene): void {
    const { view, look, range } = scene, arrow = arrowOf(scene.selected?.hit) ?? arrowOf(scene.hover);
    if (arrow) highlight(this.penFor(this.painter.overlay, scene), this.drawn, arrow);
    if (scene.hover) this.outline(scene, scene.hover.thread, ...rangeOf(scene, scene.hover), 1);
    if (scene.selected) {
      const { thread, from, to } = scene.selected;
      this.outline(scene, thread, from, to, 2);
      if (scene.flash > 0) this.halo(scene, thread, from, to);
    }
    if (!range) return;
    const left = (range[0] - view.from) / this.perPixel(view), right = (range[1] - view.from) / this.perPixel(view);
    this.painter.overlay.tint(Math.round(left * this.ratio), Math.round(right * this.ratio), 0, this.canvas.height, look.accent, 0.2);
  }

  // box is where something is, in pixels of the screen; null if it is not in the view.
  private box({ rows, view, scroll }: Scene, thread: number, from: number, to: number): [left: number, right: number, top: number, bottom: number] | null {
    const index = rows.of(thread);
    if (index < 0) return null;
    const [top, bottom] = this.bar(rows, index, scroll), perPixel = view.length / this.canvas.width, width = this.canvas.width;
    const left = Math.max(-20, Math.floor((from - view.from) / perPixel)), right = Math.min(width + 20, Math.max(left + 2, Math.ceil((to - view.from) / perPixel)));
    return right < 0 || left > width || top > this.canvas.height || bottom < 0 ? null : [left, right, top, bottom];
  }

  private outline(scene: Scene, thread: number, from: number, to: number, thick: number): void {
    const box = this.box(scene, thread, from, to), raster = this.painter.overlay;
    if (!box) return;
    const edge = Math.round(thick * this.ratio), [left, right, top, bottom] = box;
    raster.frame(left - edge, right + edge, top - edge, bottom + edge, Math.ceil(this.ratio), scene.look.background);
    raster.frame(left, right, top, bottom, edge, scene.look.text);
  }

  // halo is around what has been jumped to, for a moment.
  private halo(scene: Scene, thread: number, from: number, to: number): void {
    const box = this.box(scene, thread, from, to);
    if (!box) return;
    const [left, right, top, bottom] = box, away = Math.round((4 + 9 * (1 - scene.flash)) * this.ratio), thick = Math.round(4 * this.ratio), raster = this.painter.overlay;
    const colour = scene.look.accent, sides: [number, number, number, number][] = [
      [left - away - thick, right + away + thick, top - away - thick, top - away], [left - away - thick, right + away + thick, bottom + away, bottom + away + thick],
      [left - away - thick, left - away, top - away, bottom + away], [right + away, right + away + thick, top - away, bottom + away],
    ];
    for (const side of sides) raster.tint(...side, colour, scene.flash);
  }

  // hit is what is at a point of the canvas: marks before the path, arrows before lanes.
  hit(scene: Scene, x: number, y: number): Hit | null {
    const { rows, view, scroll } = scene, index = rows.at(y + scroll), row = rows.all[index];
    if (!row || y + scroll >= row.top + row.height) return null;
    const perPixel = this.perPixel(view), time = view.from + x * perPixel, inLane = y + scroll - row.top;
    if (row.thread !== 0) scene.store.parts(row.thread, view.from, view.to, perPixel, this.parts);
    else this.parts.clear();
    const bar = insetOf(row);
    return (row.thread !== 0 ? this.instantAt(scene, row.thread, time, 4 * perPixel, inLane <= bar + 3) : null) ?? this.arrowAt(x, y)
      ?? (scene.legend.path && inLane >= row.height - bar - 4 ? this.pathAt(row.thread, time, perPixel) : null) ?? this.spanAt(row.thread, time, perPixel)
      ?? this.deadAt(scene, row.place, row.thread, time);
  }

  private arrowAt(x: number, y: number): Hit | null {
    const arrow = this.drawn.at(x, y);
    return arrow && { kind: "arrow", thread: arrow.toThread, arrow };
  }

  private instantAt({ legend }: Scene, thread: number, time: number, reach: number, above: boolean): Hit | null {
    let best = reach, found: Hit | null = null;
    for (let part = 0; part < this.parts.count; part++) {
      const lane = this.parts.lanes[part], { instants } = lane;
      for (let row = firstAt(instants.time, instants.count, Math.max(time - reach, this.parts.from[part])); row < instants.count && instants.time[row] <= Math.min(time + reach, this.parts.to[part]); row++) {
        const distance = Math.abs(instants.time[row] - time), type = instants.type[row];
        if (distance > best || !legend.shown[type] || (!above && type !== TIMEOUT)) continue;
        best = distance;
        found = { kind: "instant", thread, lane, places: this.parts.places[part], row };
      }
    }
    return found;
  }

  private pathAt(thread: number, time: number, reach: number): Hit | null {
    for (let part = 0; part < this.parts.count; part++) {
      const lane = this.parts.lanes[part], { path } = lane;
      if (time < this.parts.from[part] || time > this.parts.to[part]) continue;
      const row = firstEndingAfter(path.end, path.count, time - reach);
      if (row < path.count && path.start[row] <= time + reach) return { kind: "path", thread, lane, places: this.parts.places[part], row };
    }
    return null;
  }

  // spanAt is the span or mix at a time, or the nearest one within reach: not every span is a pixel wide.
  private spanAt(thread: number, time: number, reach: number): Hit | null {
    for (let part = 0; part < this.parts.count; part++) {
      if (time < this.parts.from[part] || time > this.parts.to[part]) continue;
      const lane = this.parts.lanes[part], places = this.parts.places[part], { spans, mixes } = lane;
      for (const at of [time, time - reach / 2, time + reach / 2]) {
        const mix = firstEndingAfter(mixes.end, mixes.count, at);
        if (mix < mixes.count && mixes.start[mix] <= at) return { kind: "mix", thread, lane, places, row: mix };
        const span = firstEndingAfter(spans.end, spans.count, at);
        if (span < spans.count && spans.start[span] <= at) return { kind: "span", thread, lane, places, row: span };
      }
    }
    return null;
  }

  private deadAt({ about }: Scene, place: number, thread: number, time: number): Hit | null {
    const died = about.threads.died[place] ?? -1;
    return thread !== 0 && died >= 0 && time >= died && time <= about.duration ? { kind: "dead", thread } : null;
  }

  // listed is all that the visible lanes show: for the table alternative.
  listed(scene: Scene): { hits: Hit[]; lanes: number } {
    const { rows, view, store, legend } = scene, hits: Hit[] = [], [first, last] = this.visible(scene), { parts } = this;
    let lanes = 0;
    for (let index = first; index <= last; index++) {
      const thread = rows.all[index].thread;
      if (thread === 0) continue;
      lanes++;
      store.parts(thread, view.from, view.to, this.perPixel(view), parts);
      for (let part = 0; part < parts.count; part++) list(hits, thread, parts, part, legend.shown);
    }
    return { hits, lanes };
  }
}

// Connector is where the critical path goes from one lane to another, in CSS pixels.
interface Connector {
  x: number;
  top: number;
  bottom: number;
}

function list(hits: Hit[], thread: number, parts: Parts, part: number, shown: readonly boolean[]): void {
  const lane = parts.lanes[part], places = parts.places[part], from = parts.from[part], to = parts.to[part], { spans, mixes, instants } = lane;
  for (let row = firstEndingAfter(spans.end, spans.count, from); row < spans.count && spans.start[row] < to; row++) {
    if (spans.start[row] >= from || part === 0) hits.push({ kind: "span", thread, lane, places, row });
  }
  for (let row = firstEndingAfter(mixes.end, mixes.count, from); row < mixes.count && mixes.start[row] < to; row++) hits.push({ kind: "mix", thread, lane, places, row });
  for (let row = firstAt(instants.time, instants.count, from); row < instants.count && instants.time[row] < to; row++) {
    if (shown[instants.type[row]]) hits.push({ kind: "instant", thread, lane, places, row });
  }
}

// firstPiece is the first piece of the path that ends after a time.
function firstPiece({ pieces }: PathDocument, time: number): number {
  let low = 0, high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle].to > time) high = middle;
    else low = middle + 1;
  }
  return Math.max(1, low);
}

function arrowOf(hit: Hit | null | undefined): Arrow | null {
  return hit?.kind === "arrow" ? hit.arrow : null;
}

function rangeOf({ about, rows }: Scene, hit: Hit): [from: number, to: number] {
  switch (hit.kind) {
    case "span": return [hit.lane.spans.start[hit.row], hit.lane.spans.end[hit.row]];
    case "mix": return [hit.lane.mixes.start[hit.row], hit.lane.mixes.end[hit.row]];
    case "path": return [hit.lane.path.start[hit.row], hit.lane.path.end[hit.row]];
    case "instant": return [hit.lane.instants.time[hit.row], hit.lane.instants.time[hit.row]];
    case "arrow": return [hit.arrow.toTime, hit.arrow.toTime];
    case "dead": return [about.threads.died[rows.all[rows.of(hit.thread)]?.place ?? -1] ?? 0, about.duration];
  }
}
