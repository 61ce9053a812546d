import type { Hit, HitText } from "./hit.js";
import type { LaneCanvas } from "./lanes.js";
import type { Scene } from "./scene.js";
import { Tooltip } from "./tooltip.js";

// Hover highlights what is under the pointer and describes it in a tooltip.
export class Hover {
  private readonly tooltip = new Tooltip();
  // as of the last pointer move
  private pointer: { x: number; y: number; clientX: number; clientY: number } | null = null;

  private hint = ""; // of the tooltip

  constructor(
    private readonly scene: Scene,
    private readonly lanes: LaneCanvas,
    private readonly text: HitText,
    private readonly served: boolean,
  ) {
    document.body.append(this.tooltip.root);
  }

  // point sets the pointer's position, in the lanes and in the window.
  point(x: number, y: number, { clientX, clientY }: PointerEvent): void {
    this.pointer = { x, y, clientX, clientY };
  }

  // update finds what is under the pointer.
  update(): void {
    const { pointer, scene, tooltip } = this;
    if (!pointer) return;
    this.pointer = null;
    const hit = this.lanes.hit(scene, pointer.x, pointer.y), same = hit !== null && sameHit(hit, scene.hover);
    this.lanes.canvas.classList.toggle("on", hit !== null);
    scene.hover = hit;
    if (!hit) return tooltip.hide();
    const hint = hit.kind === "mix" && this.served ? "Click to zoom in." : this.pauseAt(pointer.x);
    if (same && hint === this.hint) tooltip.move(pointer.clientX, pointer.clientY);
    else tooltip.show(hit, this.text, hint, pointer.clientX, pointer.clientY);
    this.hint = hint;
  }

  // pauseAt describes the pause of the JVM at a column of the lanes.
  private pauseAt(x: number): string {
    const { view, pauses, legend } = this.scene, perPixel = this.lanes.perPixel(view);
    return (legend.pauses && pauses?.text(view.from + x * perPixel, 2 * perPixel)) || "";
  }

  // clear ends the highlight. It reports whether something was highlighted.
  clear(): boolean {
    this.pointer = null;
    this.tooltip.hide();
    const highlighted = this.scene.hover !== null;
    this.scene.hover = null;
    return highlighted;
  }

  close(): void {
    this.tooltip.root.remove();
  }
}

function sameHit(a: Hit, b: Hit | null): boolean {
  if (!b || a.kind !== b.kind || a.thread !== b.thread) return false;
  if (a.kind === "arrow") return b.kind === "arrow" && a.arrow === b.arrow;
  return a.kind === "dead" || (b.kind !== "arrow" && b.kind !== "dead" && a.lane === b.lane && a.row === b.row);
}
