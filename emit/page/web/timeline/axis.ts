import { moment } from "../format.js";
import type { Palette } from "./palette.js";

// The ticks of the time axis are at multiples of 1, 2 or 5 times a power of ten nanoseconds.

export interface Ticks {
  first: number;
  step: number;
}

// ticksOf returns the ticks of a window, at least `apart` pixels apart.
export function ticksOf(from: number, perPixel: number, apart = 110): Ticks {
  const least = Math.max(1, perPixel * apart), power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least) ?? 10 * power;
  return { first: Math.ceil(from / step) * step, step };
}

// drawAxis draws the ticks with their times.
export function drawAxis(
  context: CanvasRenderingContext2D, from: number, perPixel: number, width: number, height: number, palette: Palette,
): void {
  const { first, step } = ticksOf(from, perPixel);
  context.fillStyle = palette.css.background;
  context.fillRect(0, 0, width, height);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (let i = 0; first + i * step <= from + width * perPixel; i++) {
    const time = first + i * step, x = Math.round((time - from) / perPixel) + 0.5;
    context.fillStyle = palette.css.line;
    context.fillRect(x - 0.5, height - 7, 1, 7);
    context.fillStyle = palette.css.faint;
    const text = time === 0 ? "0" : moment(time, step);
    if (x + 4 + context.measureText(text).width <= width) context.fillText(text, x + 4, height / 2);
  }
}
