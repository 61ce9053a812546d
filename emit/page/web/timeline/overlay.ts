import type { Arrow } from "../source.js";
import { type Drawn, highlight, type Pen } from "./arrows.js";
import type { Hit } from "./hit.js";
import { barOf } from "./rows.js";
import type { Scene } from "./scene.js";

// Overlay draws over the lanes: pauses of the JVM, the target of the pointer, the selection, and a range being marked.
export class Overlay {
  // pen draws into the image that covers the lanes.
  constructor(private readonly scene: Scene, private readonly pen: Pen, private readonly drawn: Drawn) {}

  // isNeeded reports whether there is something to draw.
  static isNeeded({ hover, selected, range, pauses, legend }: Scene): boolean {
    return hover !== null || selected !== null || range !== null || (legend.pauses && pauses?.isEmpty === false);
  }

  draw(): void {
    const { scene, pen } = this, { view, palette, range, hover, selected } = scene, { raster } = pen;
    if (scene.legend.pauses) scene.pauses?.draw(raster, view, palette.pause);
    const arrow = arrowOf(selected?.hit) ?? arrowOf(hover);
    if (arrow) highlight(pen, this.drawn, arrow);
    if (hover) this.outline(hover.thread, ...rangeOf(scene, hover), 1);
    if (selected) {
      const { thread, from, to } = selected;
      this.outline(thread, from, to, 2);
      if (scene.flash > 0) this.halo(thread, from, to);
    }
    if (!range) return;
    const column = (time: number) => Math.round(((time - view.from) * raster.width) / view.length);
    raster.tint(column(range[0]), column(range[1]), 0, raster.height, palette.accent, 0.2);
  }

  // box returns where something is, in screen pixels, or null if it is not in the view.
  private box(
    thread: number, from: number, to: number,
  ): [left: number, right: number, top: number, bottom: number] | null {
    const { rows, view, scroll } = this.scene, { raster, ratio } = this.pen, { width, height } = raster,
      index = rows.of(thread);
    if (index < 0) return null;
    const [top, bottom] = barOf(rows.all[index], scroll, ratio), perPixel = view.length / width;
    const left = Math.max(-20, Math.floor((from - view.from) / perPixel));
    const right = Math.min(width + 20, Math.max(left + 2, Math.ceil((to - view.from) / perPixel)));
    return right < 0 || left > width || top > height || bottom < 0 ? null : [left, right, top, bottom];
  }

  private outline(thread: number, from: number, to: number, thick: number): void {
    const box = this.box(thread, from, to), { raster, ratio } = this.pen, { palette } = this.scene;
    if (!box) return;
    const edge = Math.round(thick * ratio), [left, right, top, bottom] = box;
    raster.frame(left - edge, right + edge, top - edge, bottom + edge, Math.ceil(ratio), palette.background);
    raster.frame(left, right, top, bottom, edge, palette.text);
  }

  // halo draws a fading frame around the target of a jump.
  private halo(thread: number, from: number, to: number): void {
    const box = this.box(thread, from, to), { raster, ratio } = this.pen, { palette, flash } = this.scene;
    if (!box) return;
    const away = Math.round((4 + 9 * (1 - flash)) * ratio), thick = Math.round(4 * ratio);
    const left = box[0] - away, right = box[1] + away, top = box[2] - away, bottom = box[3] + away;
    raster.tint(left - thick, right + thick, top - thick, top, palette.accent, flash);
    raster.tint(left - thick, right + thick, bottom, bottom + thick, palette.accent, flash);
    raster.tint(left - thick, left, top, bottom, palette.accent, flash);
    raster.tint(right, right + thick, top, bottom, palette.accent, flash);
  }
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
