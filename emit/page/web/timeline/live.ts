import { toggleButton } from "../element.js";
import type { About, Source } from "../source.js";
import type { View } from "./view.js";

const INTERVAL = 1000; // milliseconds between requests

// LiveEvents are the callbacks of a LiveTrace to the rest of the timeline.
export interface LiveEvents {
  // The trace is longer, has more events or has ended; `before` is its earlier duration.
  grown(before: number, ended: boolean): void;
  // The recording has ended.
  ended(): void;
  // A request was answered.
  updated(): void;
  failed(problem: unknown): void;
}

// LiveTrace asks each second how far a recorded trace has grown, and keeps the view at its end if wanted.
export class LiveTrace {
  readonly button = toggleButton("Follow the end", (on) => this.setFollow(on));
  private follow = false;
  private timer = 0;
  private closed = false;

  constructor(
    private readonly source: Source,
    private readonly about: About,
    private readonly view: View,
    private readonly events: LiveEvents,
  ) {
    this.schedule();
  }

  // growView moves the view to the new end of the trace, unless it shows an earlier part.
  growView(before: number): void {
    if (this.view.to < before - 0.02 * this.view.length) this.setFollow(false);
    this.view.grow(this.about.duration, this.follow);
  }

  setFollow(on: boolean): void {
    this.follow = on;
    this.button.setAttribute("aria-pressed", String(on));
    if (on && !this.view.isWhole) this.view.pan(this.about.duration);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private schedule(): void {
    if (this.about.live && !this.closed) this.timer = window.setTimeout(() => void this.ask(), INTERVAL);
  }

  private async ask(): Promise<void> {
    try {
      const about = await this.source.about();
      if (this.closed) return;
      this.update(about);
    } catch (problem) {
      this.events.failed(problem);
    }
    this.schedule();
  }

  private update(about: About): void {
    const { duration: before, events, live } = this.about, ended = live && !about.live;
    Object.assign(this.about, about); // all parts of the timeline share one object
    if (about.duration > before || about.events > events || about.live !== live) this.events.grown(before, ended);
    if (ended) this.events.ended();
    this.events.updated();
  }
}
