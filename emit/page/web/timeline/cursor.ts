import type { Chart } from "./chart.js";
import type { Scene } from "./scene.js";

// Cursor is the row that the keyboard acts on.
export class Cursor {
  constructor(
    private readonly scene: Scene,
    private readonly chart: Chart,
    private readonly toggleGroup: (group: string) => void,
    private readonly moved: () => void,
  ) {}

  // thread returns the key of the cursor's thread; 0 in a group's header, and without a cursor.
  get thread(): number {
    return this.scene.rows.all[this.scene.cursor]?.thread ?? 0;
  }

  // group returns the group if the cursor is in its header, or null.
  get group(): string | null {
    const row = this.scene.rows.all[this.scene.cursor];
    return row && row.thread === 0 ? row.group : null;
  }

  // time returns the start of the selection if that is in the cursor's lane and in the view, else the middle of the
  // view.
  get time(): number {
    const { selected, view } = this.scene;
    const inView = selected && selected.to >= view.from && selected.from <= view.to && selected.thread === this.thread;
    return inView ? selected.from : (view.from + view.to) / 2;
  }

  // set moves the cursor to a row, or to the nearest one that exists, and scrolls to it.
  set(index: number, centred = false): void {
    const { scene, chart } = this, { all } = scene.rows, limited = Math.max(0, Math.min(all.length - 1, index));
    if (!all[limited]) return;
    scene.cursor = limited;
    chart.scrollIntoView(all[limited], centred);
    scene.scroll = chart.scrollTop;
    this.moved();
  }

  moveBy(rows: number): void {
    this.set(this.scene.cursor + rows);
  }

  movePages(pages: number): void {
    this.moveBy(pages * Math.max(1, Math.floor(this.chart.height / this.scene.rows.laneHeight) - 1));
  }

  // reveal moves the cursor to a thread's lane, and opens its group if necessary. It reports whether the thread is
  // shown.
  reveal(thread: number): boolean {
    let index = this.scene.rows.of(thread);
    if (index < 0) return false;
    if (this.scene.rows.all[index].thread !== thread) {
      this.toggleGroup(this.scene.rows.all[index].group);
      index = this.scene.rows.of(thread);
    }
    this.set(index, true);
    return true;
  }
}
