import type { About } from "../source.js";

// Colours and patterns as numbers, to draw pixel by pixel: a pixel is 0xAABBGGRR.

// The size of a pattern in screen pixels; see patterns.
export const PATTERN_SIZE = 8;

type Pattern = (x: number, y: number) => boolean;

// The pixels of a pattern, by name. x and y are from 0 to 7; beyond that the pattern repeats.
const patterns: Record<string, Pattern> = {
  none: () => false,
  dots: (x, y) => (x < 2 && y < 2) || (x >> 1 === 2 && y >> 1 === 2),
  diagonal: (x, y) => (x + y) % 8 < 2, // rising to the right
  horizontal: (_, y) => y % 4 === 1,
  vertical: (x) => x % 4 === 0,
  cross: (x, y) => (x + y) % 8 === 0 || (x - y + 8) % 8 === 0,
  falling: (x, y) => (x - y + 8) % 8 < 2,
  grid: (x, y) => x % 8 === 3 || y % 8 === 3,
  checks: (x, y) => ((x >> 1) + (y >> 1)) % 2 === 0,
};

// Palette has the colours and patterns of a theme.
export interface Palette {
  dark: boolean;
  states: StateColours[]; // by code
  interactions: string[]; // CSS colours by code
  marks: Uint32Array; // the same as pixels
  plain: Uint32Array; // the colours of states as pixels
  background: number;
  stripe: number; // of every other lane, and of header rows
  cursor: number; // background of the cursor's lane
  grid: number;
  missing: number; // where data have not arrived yet
  path: number;
  text: number;
  accent: number;
  pause: number;
  css: {
    background: string;
    text: string;
    faint: string;
    line: string;
    accent: string;
    path: string;
    pause: string;
    states: string[];
  };
}

export interface StateColours {
  plain: number;
  drawn: number; // the colour of its pattern
  pattern: Pattern;
}

// paletteOf returns the palette of the element's current theme.
export function paletteOf(about: About, root: HTMLElement, light = false): Palette {
  const style = getComputedStyle(root);
  const colour = (name: string, otherwise: string) => (light ? "" : style.getPropertyValue(name).trim()) || otherwise;
  const background = colour("--surface", "#ffffff");
  const back = parsed(background), dark = brightness(back) < 128;
  const text = colour("--text", dark ? "#e8eaed" : "#1f2328"), line = colour("--line", dark ? "#3a3f46" : "#d8dce2"),
    accent = colour("--accent", "#2563eb"), pause = colour("--part-4", "#b8495c");
  const path = dark ? about.path.dark : about.path.light;
  const states = about.states.map((state) => (dark ? state.dark : state.light));
  const interactions = about.interactions.map((interaction) => (dark ? interaction.dark : interaction.light));
  return {
    dark, interactions, marks: Uint32Array.from(interactions.map((css) => pixel(parsed(css)))),
    plain: Uint32Array.from(states, (css) => pixel(parsed(css))),
    states: about.states.map((state, code) => {
      const plain = parsed(states[code]);
      return { plain: pixel(plain), drawn: pixel(inkOf(plain)), pattern: patternOf(state.pattern, code) };
    }),
    background: pixel(back),
    stripe: pixel(mixed(back, parsed(text), dark ? 0.035 : 0.025)),
    cursor: pixel(mixed(back, parsed(accent), 0.13)),
    grid: pixel(mixed(back, parsed(line), 0.55)),
    missing: pixel(mixed(back, parsed(text), 0.09)),
    path: pixel(parsed(path)), text: pixel(parsed(text)), accent: pixel(parsed(accent)),
    pause: pixel(parsed(pause)),
    css: { background, text, line, accent, path, states, pause, faint: colour("--muted", dark ? "#9aa1ab" : "#535e70") },
  };
}

// inkOf returns the colour for a pattern on a colour, the same as in pictures.
function inkOf(colour: Colour): Colour {
  return brightness(colour) > 150 ? mixed(colour, [0, 0, 0], 0.3) : mixed(colour, [255, 255, 255], 0.45);
}

// patternOf returns the pattern of a name. An unknown name gets one of the other patterns, by code.
function patternOf(name: string, code: number): Pattern {
  const others = Object.values(patterns);
  return patterns[name.toLowerCase()] ?? others[1 + (code % (others.length - 1))];
}

// swatch draws a sample of a state: for the legend.
export function swatch(canvas: HTMLCanvasElement, colours: StateColours, width: number, height: number): void {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; i++) {
    const x = i % width, y = Math.floor(i / width);
    pixels[i] = colours.pattern(x % PATTERN_SIZE, y % PATTERN_SIZE) ? colours.drawn : colours.plain;
  }
  context.putImageData(image, 0, 0);
}

type Colour = [red: number, green: number, blue: number];

let measure: CanvasRenderingContext2D | null = null;
const cache = new Map<string, Colour>();

// parsed parses any CSS colour.
export function parsed(css: string): Colour {
  let colour = cache.get(css);
  if (!colour) {
    measure ??= Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", {
      willReadFrequently: true,
    })!;
    measure.fillStyle = "#808080";
    measure.fillStyle = css;
    measure.fillRect(0, 0, 1, 1);
    const [red, green, blue] = measure.getImageData(0, 0, 1, 1).data;
    cache.set(css, (colour = [red, green, blue]));
  }
  return colour;
}

export function mixed(a: Colour, b: Colour, part: number): Colour {
  return [0, 1, 2].map((i) => Math.round(a[i] + part * (b[i] - a[i]))) as Colour;
}

function brightness([red, green, blue]: Colour): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

export function pixel([red, green, blue]: Colour): number {
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}
