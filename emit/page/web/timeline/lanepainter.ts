import { TIMED_STATES } from "../source.js";
import type { Painter } from "./painter.js";
import { barOf, type Row } from "./rows.js";
import type { Scene } from "./scene.js";
import { Parts } from "./store.js";

// LanePainter paints one row: a thread's lane, or the sum over the threads of a collapsed group.
export class LanePainter {
  private readonly parts = new Parts();

  constructor(private readonly painter: Painter) {}

  // paint paints a row within the painter's clip. A screen pixel is `perPixel` nanoseconds wide.
  paint(scene: Scene, row: Row, scroll: number, perPixel: number, ratio: number): void {
    const { store, about, legend } = scene, { painter, parts } = this, { lanes, reach } = painter;
    const [top, bottom] = barOf(row, scroll, ratio);
    const from = painter.timeAt(Math.max(0, lanes.left - reach)),
      to = painter.timeAt(Math.min(lanes.width, lanes.right + reach));
    if (row.thread === 0) {
      if (row.collapsed) this.paintGroup(scene, row.group, from, to, top, bottom);
      return;
    }
    store.parts(row.thread, from, to, perPixel * ratio, parts);
    if (store.waiting()) this.paintMissing(scene, row.place, from, to, (top + bottom) / 2, 2 * ratio);
    painter.lane(parts, top, bottom);
    const died = about.threads.died[row.place] ?? -1;
    if (died >= 0 && died < to) painter.dead(died, about.duration, top, bottom);
    painter.instants(parts, top, bottom, legend.shown);
    if (legend.path) painter.ribbon(parts, bottom - 3 * ratio, bottom);
  }

  // paintMissing marks the part of a thread's life whose data have not arrived.
  private paintMissing(
    { about, palette }: Scene, place: number, from: number, to: number, middle: number, half: number,
  ): void {
    const { parts, painter } = this, born = about.threads.born[place] ?? 0, died = about.threads.died[place] ?? -1;
    const end = Math.min(to, died < 0 ? about.duration : died);
    let at = Math.max(from, born);
    for (let part = 0; part <= parts.count; part++) {
      const until = part < parts.count ? Math.min(end, parts.from[part]) : end;
      if (until > at) painter.bar(at, until, middle - half, middle + half, palette.missing, 0);
      if (part < parts.count) at = Math.max(at, parts.to[part]);
    }
  }

  private paintGroup(
    { groupTimes, palette }: Scene, group: string, from: number, to: number, top: number, bottom: number,
  ): void {
    const overview = groupTimes.get(group);
    if (!overview) return;
    const { width, times } = overview, buckets = times[0]?.length ?? 0;
    let most = 1;
    for (let bucket = 0; bucket < buckets; bucket++) {
      most = Math.max(most, times.reduce((sum, column) => sum + (column[bucket] ?? 0), 0));
    }
    for (let bucket = Math.max(0, Math.floor(from / width)); bucket < buckets && bucket * width < to; bucket++) {
      let y = bottom, total = 0;
      for (let state = 0; state < TIMED_STATES; state++) {
        total += times[state]?.[bucket] ?? 0;
        const above = Math.round(bottom - ((bottom - top) * total) / most);
        if (above < y) this.painter.bar(bucket * width, (bucket + 1) * width, above, y, palette.states[state].plain, 0);
        y = above;
      }
    }
  }
}
