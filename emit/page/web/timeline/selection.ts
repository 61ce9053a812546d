import type { EventLink, Source } from "../source.js";
import type { Cursor } from "./cursor.js";
import { Details, type SpanRow } from "./details.js";
import type { Display } from "./display.js";
import type { Hit, HitText } from "./hit.js";
import type { Scene, Selected } from "./scene.js";
import { atTime, laneWith, neighbour } from "./seek.js";
import type { Status } from "./status.js";
import { valueOf } from "./window.js";

const FLASH = 1200; // milliseconds

// Selection selects intervals, instants, arrows and pieces of the critical path, by pointer, keyboard and links, and
// shows their details.
export class Selection {
  readonly details: Details;
  private flashUntil = 0;

  constructor(
    private readonly scene: Scene,
    private readonly source: Source,
    private readonly display: Display,
    private readonly cursor: Cursor,
    private readonly text: HitText,
    private readonly status: Status,
    toRow: (row: SpanRow) => void,
  ) {
    this.details = new Details(scene.about, source, text, {
      event: (thread, event) => void this.follow(thread, event),
      moment: (thread, time) => this.jump(thread, null, time, time),
      row: toRow,
      zoom: (from, to) => scene.view.zoomTo(from, to),
      close: () => this.clear(),
    });
    this.details.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      this.clear();
    });
  }

  // updateFlash sets the intensity of the halo. It reports whether the halo will change further.
  updateFlash(): boolean {
    const left = this.flashUntil - performance.now();
    this.scene.flash = Math.max(0, Math.min(1, left / FLASH));
    return left > 0;
  }

  // clear ends the selection.
  clear(): void {
    const { scene, display } = this;
    if (!scene.selected) return;
    display.frames.markChanged();
    scene.selected = null;
    this.details.hide();
    display.measure();
    this.focusLanes();
  }

  // click selects what is at a point of the lanes. It zooms into a sum of short intervals if a server has the detail.
  click(x: number, y: number): void {
    this.focusLanes();
    const { scene } = this, { rows } = scene, row = rows.at(y + scene.scroll),
      hit = this.display.lanes.hit(scene, x, y);
    if (row >= 0 && y + scene.scroll < rows.height) this.cursor.set(row);
    if (!hit) this.clear();
    else if (this.isCoarse(hit)) scene.view.zoomTo(...this.text.range(hit));
    else this.select(hit);
  }

  // zoomInto zooms to what is at a point of the lanes.
  zoomInto(x: number, y: number): void {
    const hit = this.display.lanes.hit(this.scene, x, y);
    if (hit) this.scene.view.zoomTo(...this.text.range(hit));
  }

  // jump scrolls to a thread, moves the view to a time if necessary, and selects the event or, without one, what the
  // thread did then.
  jump(thread: number, event: number | null, from: number, to: number): void {
    if (!this.cursor.reveal(thread)) {
      return this.status.notify(`${this.text.thread(thread)} is not among the threads that are shown.`);
    }
    this.bring(from, to);
    void this.attempt(() => (event ? this.selectEvent(thread, event, from, to) : this.selectAt(thread, from, to)));
  }

  // jumpToHit does the same for a row of the listing.
  jumpToHit(hit: Hit): void {
    if (!this.cursor.reveal(hit.thread)) return;
    if (this.isCoarse(hit)) this.scene.view.zoomTo(...this.text.range(hit));
    else this.show(hit);
  }

  // selectAtCursor selects what is at the cursor. If the selection is in that lane already, the details get the focus.
  async selectAtCursor(toggleGroup: (group: string) => void): Promise<void> {
    const { selected } = this.scene, { thread, group, time } = this.cursor;
    if (selected && selected.thread === thread && !this.details.root.hidden) return this.details.root.focus();
    if (group !== null) return toggleGroup(group);
    if (thread !== 0) await this.attempt(() => this.selectNear(thread, time));
  }

  // step selects the next (by > 0) or the previous event in the lane of the cursor.
  async step(by: number): Promise<void> {
    const { thread, time } = this.cursor;
    if (thread === 0) return;
    await this.attempt(async () => {
      const hit = await this.neighbour(thread, time, by);
      if (hit) this.show(hit);
      else
        this.status.notify(by > 0 ? "No event comes after it in this lane." : "No event comes before it in this lane.");
    });
  }

  private select(hit: Hit): void {
    const { scene, display } = this, [from, to] = this.text.range(hit);
    const selected: Selected = {
      hit, thread: hit.thread, event: this.text.event(hit), from: hit.kind === "arrow" ? to : from, to,
    };
    display.frames.markChanged();
    scene.selected = selected;
    const narrower = this.details.root.hidden;
    void this.details.show(selected, () => this.ending(selected));
    if (narrower) display.measure();
    display.frames.schedule();
  }

  // show moves the view to a hit if necessary, selects it, and draws attention to it.
  private show(hit: Hit): void {
    this.bring(...this.text.range(hit));
    this.flash(hit);
  }

  private flash(hit: Hit): void {
    this.select(hit);
    this.flashUntil = performance.now() + (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : FLASH);
  }

  // ending returns the links to what ended the wait of an interval.
  private async ending(selected: Selected): Promise<EventLink[]> {
    const lane = await laneWith(this.source, selected.thread, selected.to);
    const next = lane && atTime(lane, selected.to);
    const event = next?.kind === "span" ? valueOf(next.lane.spans.event, next.row) : 0;
    return event && event !== selected.event ? (await this.source.detail(selected.thread, event)).causes : [];
  }

  private async follow(thread: number, event: number): Promise<void> {
    await this.attempt(async () => {
      const detail = await this.source.detail(thread, event);
      this.jump(thread, event, detail.time, detail.time + detail.length);
    });
  }

  private async selectEvent(thread: number, event: number, from: number, to: number): Promise<void> {
    const found = await laneWith(this.source, thread, from);
    const span = found?.lane.spans.event?.indexOf(event) ?? -1,
      instant = found?.lane.instants.event?.indexOf(event) ?? -1;
    if (found && span >= 0) this.flash({ kind: "span", thread, ...found, row: span });
    else if (found && instant >= 0) this.flash({ kind: "instant", thread, ...found, row: instant });
    else await this.selectAt(thread, from, to);
  }

  private async selectAt(thread: number, from: number, to: number): Promise<void> {
    const lane = await laneWith(this.source, thread, from),
      hit = lane && atTime(lane, from === to ? from : from + (to - from) / 2);
    if (hit) this.flash(hit);
  }

  // selectNear selects what a thread did at a time, else the nearest item.
  private async selectNear(thread: number, time: number): Promise<void> {
    const lane = await laneWith(this.source, thread, time);
    const hit = (lane && atTime(lane, time)) ?? (await this.nearestTo(thread, time));
    if (hit) this.show(hit);
    else this.status.notify("There is nothing in this lane.");
  }

  private async nearestTo(thread: number, time: number): Promise<Hit | null> {
    const [before, after] = await Promise.all([this.neighbour(thread, time, -1), this.neighbour(thread, time, 1)]);
    if (!before || !after) return before ?? after;
    return time - this.text.range(before)[1] <= this.text.range(after)[0] - time ? before : after;
  }

  private neighbour(thread: number, time: number, by: number): Promise<Hit | null> {
    return neighbour(this.source, thread, time, by, this.scene.about.duration);
  }

  private bring(from: number, to: number): void {
    this.scene.view.bring(from, to, this.display.chart.width);
  }

  // isCoarse reports whether a hit is a sum whose intervals a server has singly.
  private isCoarse(hit: Hit): boolean {
    return hit.kind === "mix" && this.source.served;
  }

  private focusLanes(): void {
    this.display.lanes.canvas.focus({ preventScroll: true });
  }

  // attempt reports the failure of an action.
  private async attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (problem) {
      this.status.fail(problem);
    }
  }
}
