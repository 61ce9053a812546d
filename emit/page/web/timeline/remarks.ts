import { count, duration } from "../format.js";
import type { Scene } from "./scene.js";

// Omissions are what the reader of a drawing must know.
export interface Omissions {
  arrows: number; // in the view, but not drawn
  sums: boolean; // short intervals in the view are summed up
  served: boolean; // a server has more detail
  threads: number; // the number shown
}

// remarksOf returns a sentence for each kind of omission.
export function remarksOf({ store, about }: Scene, { arrows, sums, served, threads }: Omissions): string[] {
  const remarks: string[] = [], omitted = store.omitted(), undrawn = arrows + (served ? omitted : 0);
  if (store.problem()) remarks.push(store.problem());
  if (undrawn > 0) remarks.push(`${count(undrawn)} more arrows are not drawn, those with the shortest waits: zoom in.`);
  if (!served && omitted > 0)
    remarks.push(`This page leaves out ${count(omitted)} arrows of the trace; trcx serve has them.`);
  if (sums && served)
    remarks.push("Short intervals are summed up: their states share the height of the lane. Click to zoom in.");
  if (sums && !served)
    remarks.push(`Intervals shorter than ${duration(about.resolution)} are there only in sums; trcx serve has them.`);
  if (threads === 0) remarks.push("No threads are shown.");
  return remarks;
}
