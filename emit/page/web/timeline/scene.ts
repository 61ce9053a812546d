import type { About, PathDocument } from "../source.js";
import type { GroupTimes } from "./groups.js";
import type { Hit } from "./hit.js";
import type { Legend } from "./legend.js";
import type { Palette } from "./palette.js";
import type { Pauses } from "./pauses.js";
import type { Rows } from "./rows.js";
import type { Store } from "./store.js";
import type { View } from "./view.js";

// Scene is the state of the timeline. All parts of the timeline share one object.
export interface Scene {
  readonly about: About;
  readonly view: View;
  readonly store: Store;
  readonly legend: Legend;
  readonly groupTimes: GroupTimes;
  rows: Rows;
  palette: Palette;
  path: PathDocument | null;
  pauses: Pauses | null; // null: unknown yet
  scroll: number; // CSS pixels above the view
  cursor: number; // index of the row with the keyboard cursor; -1 for none
  hover: Hit | null;
  selected: Selected | null;
  flash: number; // intensity of the halo around the selection, from 0 to 1
  range: [from: number, to: number] | null; // the range that the pointer is marking
}

// Selected is the selected interval, instant, arrow or piece of the critical path.
export interface Selected {
  hit: Hit;
  thread: number;
  event: number;
  from: number;
  to: number;
}
