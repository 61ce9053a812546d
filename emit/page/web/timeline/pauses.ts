import { type CollectionRow, collectionText } from "../heap/columns.js";
import type { Raster } from "./raster.js";
import type { View } from "./view.js";

const ALPHA = 0.35;

// Pauses are the times in which the JVM was stopped for garbage collections, drawn as bands across all lanes.
export class Pauses {
  private readonly rows: CollectionRow[]; // in the order of time

  constructor(rows: readonly CollectionRow[]) {
    this.rows = rows.filter(({ paused }) => paused > 0).sort((a, b) => a.from - b.from);
  }

  get isEmpty(): boolean {
    return this.rows.length === 0;
  }

  // text describes the pause at a time or within reach of it, or returns "".
  text(time: number, reach: number): string {
    const row = this.rows[this.firstEndingAfter(time - reach)];
    return row && row.from <= time + reach ? collectionText(row) : "";
  }

  // draw tints the columns of the view's pauses, each once and at least one pixel wide.
  draw(raster: Raster, view: View, colour: number): void {
    const column = (time: number) => Math.floor(((time - view.from) * raster.width) / view.length);
    let drawn = 0;
    for (let i = this.firstEndingAfter(view.from); i < this.rows.length && this.rows[i]!.from <= view.to; i++) {
      const { from, paused } = this.rows[i]!;
      const left = Math.max(drawn, column(from)), right = Math.max(left, column(from + paused) + 1, drawn);
      raster.tint(left, Math.min(right, raster.width), 0, raster.height, colour, ALPHA);
      drawn = Math.max(drawn, right);
    }
  }

  // firstEndingAfter returns the index of the first pause that ends after a time. Pauses do not overlap.
  private firstEndingAfter(time: number): number {
    let low = 0, high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1, { from, paused } = this.rows[middle]!;
      if (from + paused <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
