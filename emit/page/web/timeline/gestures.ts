import type { View } from "./view.js";

// Pointer gestures over the lanes and the time axis.

export const MOUSE: [gesture: string, does: string][] = [
  ["Ctrl + wheel, or wheel on the time axis", "Zoom in and out at the pointer"],
  ["Shift + wheel, or wheel sideways", "Move in time"],
  ["Wheel", "Scroll through the threads"],
  ["Drag", "Move in time, and scroll through the threads"],
  ["Shift + drag, or drag on the time axis", "Zoom to what is marked"],
  ["Click", "Select; a sum of short intervals is zoomed into"],
  ["Double-click", "Zoom to the interval"],
  ["Drag on the overview", "Move or resize the window; double-click: the whole trace"],
];

export interface Gestures {
  view: View;
  perPixel(): number;
  scrollBy(pixels: number): boolean; // reports whether anything was scrolled
  range(range: [from: number, to: number] | null): void;
  point(x: number, y: number, event: PointerEvent): void;
  leave(): void;
  click(x: number, y: number): void;
  doubleClick(x: number, y: number): void;
}

const STILL = 4; // pixels that the pointer may move in a click

export function listenToWheel(target: HTMLElement, onAxis: boolean, gestures: Gestures): void {
  target.addEventListener(
    "wheel",
    (event) => {
      const unit =
        event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
      const x = event.deltaX * unit, y = event.deltaY * unit;
      const zooms = event.ctrlKey || event.metaKey || onAxis, sideways = event.shiftKey || Math.abs(x) > Math.abs(y);
      if (!zooms && !sideways) { // the browser scrolls the page if all lanes in this direction are visible
        if (gestures.scrollBy(y)) event.preventDefault();
        return;
      }
      event.preventDefault();
      if (!zooms)
        return gestures.view.pan((event.shiftKey && x === 0 ? y : x) * gestures.perPixel());
      const at = gestures.view.from + (event.clientX - target.getBoundingClientRect().left) * gestures.perPixel();
      gestures.view.zoom(Math.exp(Math.max(-240, Math.min(240, y)) * 0.0022), at);
    },
    { passive: false },
  );
}

export function listenToPointer(target: HTMLElement, onAxis: boolean, gestures: Gestures): void {
  target.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const box = target.getBoundingClientRect(), x = event.clientX - box.left;
    if (onAxis || event.shiftKey) mark(target, event, gestures, box.left, x);
    else move(target, event, gestures);
  });
  target.addEventListener("dblclick", (event) => {
    const box = target.getBoundingClientRect();
    if (!onAxis) gestures.doubleClick(event.clientX - box.left, event.clientY - box.top);
  });
  if (onAxis) return;
  target.addEventListener("pointermove", (event) => {
    const box = target.getBoundingClientRect();
    if (event.buttons === 0) gestures.point(event.clientX - box.left, event.clientY - box.top, event);
  });
  target.addEventListener("pointerleave", () => gestures.leave());
}

// mark zooms to the range between two places.
function mark(target: HTMLElement, start: PointerEvent, gestures: Gestures, left: number, x: number): void {
  const timeAt = (at: number) => gestures.view.from + at * gestures.perPixel();
  let range: [number, number] | null = null;
  drag(target, start, (event) => {
    const at = event.clientX - left;
    range = Math.abs(at - x) < STILL ? null : [timeAt(Math.min(x, at)), timeAt(Math.max(x, at))];
    gestures.range(range);
  }, () => {
    gestures.range(null);
    if (range) gestures.view.set(range[0], range[1]);
  });
}

function move(target: HTMLElement, start: PointerEvent, gestures: Gestures): void {
  let last = start, moved = false;
  drag(target, start, (event) => {
    if (!moved && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < STILL) return;
    moved = true;
    target.classList.add("dragged");
    gestures.leave();
    gestures.view.pan((last.clientX - event.clientX) * gestures.perPixel());
    gestures.scrollBy(last.clientY - event.clientY);
    last = event;
  }, (cancelled) => {
    target.classList.remove("dragged");
    const box = target.getBoundingClientRect();
    if (!moved && !cancelled) gestures.click(start.clientX - box.left, start.clientY - box.top);
  });
}

function drag(
  target: HTMLElement, start: PointerEvent,
  moved: (event: PointerEvent) => void,
  ended: (cancelled: boolean) => void,
): void {
  const stop = new AbortController();
  target.setPointerCapture(start.pointerId);
  target.addEventListener("pointermove", moved, { signal: stop.signal });
  for (const name of ["pointerup", "pointercancel"] as const) {
    target.addEventListener(name, () => {
      stop.abort();
      ended(name === "pointercancel");
    }, { signal: stop.signal });
  }
}
