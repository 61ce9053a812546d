import { type Arrow, TIMEOUT } from "../source.js";
import type { Hit } from "./hit.js";
import { insetOf } from "./rows.js";
import type { Scene } from "./scene.js";
import { Parts } from "./store.js";
import { firstAt, firstEndingAfter } from "./window.js";

// Picker finds what is drawn at a point of the lanes, and lists all that is drawn.
export class Picker {
  private readonly parts = new Parts();

  // at returns what is at a point in CSS pixels, of which each is `perPixel` nanoseconds wide: marks before arrows,
  // these before the critical path, and that before intervals. `arrow` is the arrow near the point.
  at(scene: Scene, x: number, y: number, perPixel: number, arrow: Arrow | null): Hit | null {
    const { rows, view, scroll, store, legend } = scene, row = rows.all[rows.at(y + scroll)];
    if (!row || y + scroll >= row.top + row.height) return null;
    const { thread } = row, time = view.from + x * perPixel, inLane = y + scroll - row.top, inset = insetOf(row);
    if (inLane >= row.bar) return arrow && { kind: "arrow", thread: arrow.toThread, arrow };
    if (thread !== 0) store.parts(thread, view.from, view.to, perPixel, this.parts);
    else this.parts.clear();
    return (thread !== 0 ? this.instant(scene, thread, time, 4 * perPixel, inLane <= inset + 3) : null)
      ?? (arrow && { kind: "arrow", thread: arrow.toThread, arrow })
      ?? (legend.path && inLane >= row.bar - inset - 4 ? this.pathPart(thread, time, perPixel) : null)
      ?? this.interval(thread, time, perPixel)
      ?? deadAt(scene, row.place, thread, time);
  }

  // instant returns the mark nearest to a time within reach. Marks are above the lane; only those of timeouts cross it.
  private instant({ legend }: Scene, thread: number, time: number, reach: number, above: boolean): Hit | null {
    const { lanes, places, from, to, count } = this.parts;
    let best = reach, found: Hit | null = null;
    for (let part = 0; part < count; part++) {
      const lane = lanes[part], { instants } = lane, last = Math.min(time + reach, to[part]);
      let row = firstAt(instants.time, instants.count, Math.max(time - reach, from[part]));
      for (; row < instants.count && instants.time[row] <= last; row++) {
        const distance = Math.abs(instants.time[row] - time), type = instants.type[row];
        if (distance > best || !legend.shown[type] || (!above && type !== TIMEOUT)) continue;
        best = distance;
        found = { kind: "instant", thread, lane, places: places[part], row };
      }
    }
    return found;
  }

  private pathPart(thread: number, time: number, reach: number): Hit | null {
    const { lanes, places, from, to, count } = this.parts;
    for (let part = 0; part < count; part++) {
      const lane = lanes[part], { path } = lane;
      if (time < from[part] || time > to[part]) continue;
      const row = firstEndingAfter(path.end, path.count, time - reach);
      if (row < path.count && path.start[row] <= time + reach)
        return { kind: "path", thread, lane, places: places[part], row };
    }
    return null;
  }

  // interval returns the span or mix at a time, or the nearest one within reach: a span may be narrower than a pixel.
  private interval(thread: number, time: number, reach: number): Hit | null {
    const { lanes, places: tables, from, to, count } = this.parts;
    for (let part = 0; part < count; part++) {
      if (time < from[part] || time > to[part]) continue;
      const lane = lanes[part], places = tables[part], { spans, mixes } = lane;
      for (const at of [time, time - reach / 2, time + reach / 2]) {
        const mix = firstEndingAfter(mixes.end, mixes.count, at);
        if (mix < mixes.count && mixes.start[mix] <= at) return { kind: "mix", thread, lane, places, row: mix };
        const span = firstEndingAfter(spans.end, spans.count, at);
        if (span < spans.count && spans.start[span] <= at) return { kind: "span", thread, lane, places, row: span };
      }
    }
    return null;
  }

  // listed returns all that the visible lanes show, and the number of these lanes.
  listed(scene: Scene, first: number, last: number, perPixel: number): { hits: Hit[]; lanes: number } {
    const { rows, view, store, legend } = scene, hits: Hit[] = [];
    let lanes = 0;
    for (let index = first; index <= last; index++) {
      const { thread } = rows.all[index];
      if (thread === 0) continue;
      lanes++;
      store.parts(thread, view.from, view.to, perPixel, this.parts);
      for (let part = 0; part < this.parts.count; part++) this.list(hits, thread, part, legend.shown);
    }
    return { hits, lanes };
  }

  private list(hits: Hit[], thread: number, part: number, shown: readonly boolean[]): void {
    const lane = this.parts.lanes[part], places = this.parts.places[part], from = this.parts.from[part],
      to = this.parts.to[part];
    const { spans, mixes, instants } = lane;
    for (let row = firstEndingAfter(spans.end, spans.count, from); row < spans.count && spans.start[row] < to; row++) {
      if (spans.start[row] >= from || part === 0) hits.push({ kind: "span", thread, lane, places, row });
    }
    for (let row = firstEndingAfter(mixes.end, mixes.count, from); row < mixes.count && mixes.start[row] < to; row++) {
      hits.push({ kind: "mix", thread, lane, places, row });
    }
    for (
      let row = firstAt(instants.time, instants.count, from);
      row < instants.count && instants.time[row] < to;
      row++
    ) {
      if (shown[instants.type[row]]) hits.push({ kind: "instant", thread, lane, places, row });
    }
  }

  // hasSums reports whether short intervals in the visible lanes are summed up.
  hasSums({ rows, view, store }: Scene, first: number, last: number, perPixel: number): boolean {
    const { parts } = this;
    for (let index = first; index <= last; index++) {
      if (rows.all[index].thread === 0) continue;
      store.parts(rows.all[index].thread, view.from, view.to, perPixel, parts);
      for (let part = 0; part < parts.count; part++) {
        const { mixes } = parts.lanes[part], found = firstEndingAfter(mixes.end, mixes.count, parts.from[part]);
        if (found < mixes.count && mixes.start[found] < parts.to[part]) return true;
      }
    }
    return false;
  }
}

function deadAt({ about }: Scene, place: number, thread: number, time: number): Hit | null {
  const died = about.threads.died[place] ?? -1;
  return thread !== 0 && died >= 0 && time >= died && time <= about.duration ? { kind: "dead", thread } : null;
}
