// Drawing is the part of the timeline that Frames calls.
export interface Drawing {
  // Draws once. With `moving`, more movement may follow, so that speed comes before completeness. Returns whether
  // another frame must follow.
  draw(moving: boolean): boolean;
  // Describes the drawing in words once it is at rest. Returns whether the description is complete.
  describe(): boolean;
  // Movement has ended.
  rest(): void;
}

const REST = 120; // milliseconds without movement after which the drawing is completed

// Frames draws at most once per animation frame, and only after a change. While the drawing moves or is incomplete, the
// element has the attribute data-moving.
export class Frames {
  private frame = 0;
  private movedAt = 0;
  private moving = false;
  private restTimer = 0;
  private changed = true; // since the last complete description

  constructor(private readonly root: HTMLElement, private readonly drawing: Drawing) {}

  // schedule draws in the next animation frame.
  schedule(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw());
  }

  // change draws in the next animation frame, and describes the drawing anew.
  change(): void {
    this.changed = true;
    this.schedule();
  }

  // markChanged makes a later draw describe the drawing anew.
  markChanged(): void {
    this.changed = true;
  }

  // move draws as quickly as possible until nothing has moved for a while.
  move(): void {
    this.movedAt = performance.now();
    if (!this.moving) this.restTimer = window.setTimeout(() => this.rest(), REST);
    this.moving = true;
    this.root.dataset.moving = "";
    this.schedule();
  }

  get isScheduled(): boolean {
    return this.frame !== 0;
  }

  // drawNow draws at once, instead of in the next animation frame.
  drawNow(): void {
    cancelAnimationFrame(this.frame);
    this.draw();
  }

  // still removes the attribute data-moving.
  still(): void {
    delete this.root.dataset.moving;
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.restTimer);
  }

  private draw(): void {
    this.frame = 0;
    const more = this.drawing.draw(this.moving);
    if (!this.moving && this.changed && this.drawing.describe()) {
      this.changed = false;
      this.still();
    }
    if (more) this.schedule();
  }

  private rest(): void {
    const left = REST - (performance.now() - this.movedAt);
    if (left > 1) {
      this.restTimer = window.setTimeout(() => this.rest(), left);
      return;
    }
    this.moving = false;
    this.changed = true;
    this.drawing.rest();
    this.schedule();
  }
}
