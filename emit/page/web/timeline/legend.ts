import { element } from "../element.js";
import { type About, DEAD, TIMEOUT } from "../source.js";
import { penFor, sample } from "./arrows.js";
import { type Palette, swatch } from "./palette.js";
import { Raster } from "./raster.js";

// Legend explains colours, patterns and arrows, and switches interactions and the critical path on and off.

export class Legend {
  readonly root = element("div", { class: "timeline-legend", role: "group", "aria-label": "Legend" });
  readonly shown: boolean[]; // by interaction code
  path = true;
  pauses = true;
  private readonly states: HTMLCanvasElement[] = [];
  private readonly kinds: HTMLCanvasElement[] = [];
  private readonly ribbon = canvasOf(26, 12);
  private readonly band = canvasOf(14, 12);

  constructor(private readonly about: About, private readonly changed: () => void) {
    this.shown = about.interactions.map(() => true);
    const states = element("ul", { class: "timeline-states", "aria-label": "States" });
    for (const state of about.states) {
      const canvas = canvasOf(22, 12);
      this.states.push(canvas);
      states.append(element("li", {}, canvas, state.label));
    }
    const kinds = element("div", {
      class: "timeline-kinds", role: "group", "aria-label": "Interactions: shown or not",
    });
    about.interactions.forEach((interaction, type) => {
      const canvas = canvasOf(30, 12);
      this.kinds.push(canvas);
      kinds.append(
        this.toggle(interaction.label, canvas, interaction.name, () => (this.shown[type] = !this.shown[type])),
      );
    });
    kinds.append(this.toggle(about.path.label, this.ribbon, "path", () => (this.path = !this.path)));
    this.root.append(states, kinds);
  }

  // addPauses adds a switch for pauses of the JVM.
  addPauses(palette: Palette): void {
    if (this.band.isConnected) return;
    this.root.lastElementChild!.append(
      this.toggle("GC pauses", this.band, "pauses", () => (this.pauses = !this.pauses)),
    );
    this.draw(palette);
  }

  private toggle(label: string, canvas: HTMLCanvasElement, name: string, turn: () => boolean): HTMLButtonElement {
    const made = element(
      "button",
      { type: "button", class: "timeline-toggle", "aria-pressed": "true", "data-kind": name },
      canvas, label,
    );
    made.addEventListener("click", () => {
      made.setAttribute("aria-pressed", String(turn()));
      this.changed();
    });
    return made;
  }

  draw(palette: Palette): void {
    this.states.forEach((canvas, state) => this.drawState(canvas, state, palette));
    this.kinds.forEach((canvas, type) => this.drawKind(canvas, type, palette));
    const context = sharp(this.ribbon);
    context.fillStyle = palette.css.path;
    context.fillRect(1, 4, 24, 4);
    const band = sharp(this.band);
    band.globalAlpha = 0.6;
    band.fillStyle = palette.css.pause;
    band.fillRect(4, 0, 6, 12);
  }

  private drawState(canvas: HTMLCanvasElement, state: number, palette: Palette): void {
    if (state < DEAD) return swatch(canvas, palette.states[state], 22, 12);
    const context = sharp(canvas);
    context.fillStyle = palette.css.states[state];
    context.fillRect(0, 5, 22, 2);
  }

  private drawKind(canvas: HTMLCanvasElement, type: number, palette: Palette): void {
    const context = sharp(canvas), { width, height } = canvas, ratio = devicePixelRatio;
    if (type === TIMEOUT) {
      context.fillStyle = palette.interactions[type];
      context.fillRect(14, 0, 2, 12);
      return context.fillRect(12, 0, 6, 2);
    }
    const image = context.createImageData(width, height),
      raster = new Raster(new Uint32Array(image.data.buffer), width, height);
    raster.pixels.fill(palette.background);
    sample(penFor(raster, ratio, this.about.interactions, palette.marks), type, 30, 12);
    context.putImageData(image, 0, 0);
  }
}

function canvasOf(width: number, height: number): HTMLCanvasElement {
  const made = element("canvas", { "aria-hidden": "true" });
  made.style.width = `${width}px`;
  made.style.height = `${height}px`;
  return made;
}

// sharp clears a canvas and sizes it in screen pixels.
function sharp(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const ratio = devicePixelRatio, context = canvas.getContext("2d")!;
  canvas.width = Math.round(parseFloat(canvas.style.width) * ratio);
  canvas.height = Math.round(parseFloat(canvas.style.height) * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}
