import { Chooser, Drawn, drawArrows, linesOf, type Part, type Pen, penFor } from "./arrows.js";
import type { Raster, Steps } from "./raster.js";
import type { Scene } from "./scene.js";

// ArrowLayer draws the arrows over the lanes. It computes their lines once per change of the picture, which is drawn in
// parts.
export class ArrowLayer {
  readonly drawn = new Drawn();
  omitted = 0; // arrows in the view that are not drawn
  private readonly chooser = new Chooser();
  private lines: readonly Steps[] = [];
  private pen: Pen | null = null;

  // prepare chooses the arrows for a part of the lanes. During movement it does not count them.
  prepare(scene: Scene, part: Part, raster: Raster, ratio: number, moving: boolean): void {
    const { rows, store, legend } = scene;
    const more = this.chooser.choose(store.arrows(), rows, part, legend.shown, !moving, this.drawn);
    if (!moving) this.omitted = more;
    this.lines = linesOf(this.penFor(raster, ratio, scene), this.drawn);
  }

  draw(scene: Scene, raster: Raster, ratio: number): void {
    drawArrows(this.penFor(raster, ratio, scene), this.drawn, this.lines);
  }

  // penFor returns the pen for an image.
  penFor(raster: Raster, ratio: number, { about, palette }: Scene): Pen {
    if (this.pen?.raster !== raster || this.pen.colours !== palette.marks) {
      this.pen = penFor(raster, ratio, about.interactions, palette.marks);
    }
    return this.pen;
  }
}
