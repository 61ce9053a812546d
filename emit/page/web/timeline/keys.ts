// What keys do while the lanes have the focus.

export interface Commands {
  pan(share: number): void; // by a share of the window
  zoom(factor: number): void;
  edge(end: boolean): void;
  whole(): void;
  lane(by: number): void;
  page(by: number): void;
  step(by: number): void; // to the next or previous event in the lane
  select(): void;
  clear(): void;
  back(): void;
  forward(): void;
  help(): void;
}

type Press = [keys: string[], shown: string, does: string, act: (commands: Commands, shift: boolean) => void];

const presses: Press[] = [
  [["ArrowLeft"], "←", "Earlier (with Shift by a whole window)", ({ pan }, shift) => pan(shift ? -1 : -0.1)],
  [["ArrowRight"], "→", "Later (with Shift by a whole window)", ({ pan }, shift) => pan(shift ? 1 : 0.1)],
  [["a"], "A", "Earlier, as in Perfetto", ({ pan }) => pan(-0.1)],
  [["d"], "D", "Later", ({ pan }) => pan(0.1)],
  [["w"], "W", "Zoom in", (commands) => commands.zoom(1 / 1.5)],
  [["s"], "S", "Zoom out", (commands) => commands.zoom(1.5)],
  [["ArrowUp"], "↑", "The lane above", (commands) => commands.lane(-1)],
  [["ArrowDown"], "↓", "The lane below", (commands) => commands.lane(1)],
  [["PageUp"], "Page up", "A page of lanes up", (commands) => commands.page(-1)],
  [["PageDown"], "Page down", "A page of lanes down", (commands) => commands.page(1)],
  [["+", "="], "+", "Zoom in", (commands) => commands.zoom(1 / 1.5)],
  [["-", "_"], "−", "Zoom out", (commands) => commands.zoom(1.5)],
  [["0"], "0", "The whole trace", (commands) => commands.whole()],
  [["Home"], "Home", "The start of the trace", (commands) => commands.edge(false)],
  [["End"], "End", "The end of the trace", (commands) => commands.edge(true)],
  [["["], "[", "The event before in the lane", (commands) => commands.step(-1)],
  [["]"], "]", "The next event in the lane", (commands) => commands.step(1)],
  [
    ["Enter", " "],
    "Enter",
    "Select what is in the lane at the middle of the window, or nearest to it; again: go to the details",
    (commands) => commands.select(),
  ],
  [["Escape"], "Esc", "Nothing is selected (in the details too)", (commands) => commands.clear()],
  [
    ["Backspace"],
    "Backspace", "Back to the window before (with Shift forward)",
    (commands, shift) => (shift ? commands.forward() : commands.back()),
  ],
  [["?"], "?", "Help", (commands) => commands.help()],
];

// KEYS is for the help overlay.
export const KEYS: [keys: string, does: string][] = presses.map(([, shown, does]) => [shown, does]);

export function listenToKeys(target: HTMLElement, commands: Commands): void {
  target.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const press = presses.find(([keys]) => keys.includes(event.key));
    if (!press) return;
    event.preventDefault();
    press[3](commands, event.shiftKey);
  });
}
