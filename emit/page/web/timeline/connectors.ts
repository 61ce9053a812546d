import type { PathDocument, PathPiece } from "../source.js";
import type { Palette } from "./palette.js";
import type { Raster } from "./raster.js";
import { insetOf } from "./rows.js";
import type { Scene } from "./scene.js";
import type { Part } from "./arrows.js";

// Connector is a vertical line where the critical path goes from one lane to another, in CSS pixels.
export interface Connector {
  x: number;
  top: number;
  bottom: number;
}

// connectorsOf returns the connectors in a part of the lanes. Lines at the same place are returned once.
export function connectorsOf(
  { path, rows }: Scene, { from: left, perPixel, scroll, width, height }: Part,
): Connector[] {
  const found: Connector[] = [];
  if (!path) return found;
  const { pieces } = path, end = left + perPixel * width;
  let lastX = -1, lastTop = 0, lastBottom = 0;
  const lower = (index: number) => rows.all[index].top + rows.all[index].bar - insetOf(rows.all[index]) - 1 - scroll;
  for (let i = firstPiece(path, left); i > 0 && i < pieces.length && pieces[i].from <= end; i++) {
    const piece = pieces[i], before = pieceBefore(pieces, i);
    if (piece.threadKey === undefined || before?.threadKey === undefined || before.threadKey === piece.threadKey)
      continue;
    const from = rows.of(before.threadKey), to = rows.of(piece.threadKey);
    if (from < 0 || to < 0 || from === to) continue;
    const top = Math.max(-2, Math.min(lower(from), lower(to))),
      bottom = Math.min(height + 2, Math.max(lower(from), lower(to)));
    const x = (piece.from - left) / perPixel;
    if (bottom < 0 || top > height || (Math.round(x) === lastX && top >= lastTop && bottom <= lastBottom)) continue;
    [lastX, lastTop, lastBottom] = [Math.round(x), top, bottom];
    found.push({ x, top, bottom });
  }
  return found;
}

// pieceBefore returns the piece from which the path comes to another one, also by way of pauses; undefined if it has been
// left out.
function pieceBefore(pieces: readonly PathPiece[], i: number): PathPiece | undefined {
  while (i > 0 && pieces[i - 1].to === pieces[i].from)
    if (pieces[--i].kind !== "pause") return pieces[i];
  return undefined;
}

// drawConnector draws a connector. A CSS pixel is `ratio` pixels of the screen wide.
export function drawConnector({ x, top, bottom }: Connector, raster: Raster, ratio: number, palette: Palette): void {
  const edge = Math.max(1, Math.round(ratio)), left = Math.round(x * ratio) - edge;
  const first = Math.round(top * ratio), end = Math.round(bottom * ratio) + edge;
  raster.fill(left - edge, left + 3 * edge, first, end, palette.background);
  raster.fill(left, left + 2 * edge, first - edge, end, palette.path);
}

// firstPiece returns the index of the first piece of the path that ends after a time; at least 1.
function firstPiece({ pieces }: PathDocument, time: number): number {
  let low = 0, high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle].to > time) high = middle;
    else low = middle + 1;
  }
  return Math.max(1, low);
}
