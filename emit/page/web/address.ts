// The fragment of the page's address keeps the tab and the window of time, for links, reloads and the way back.

export interface Place {
  tab: string;
  // Index of the trace in About.traces.
  trace: number;
  // The window in nanoseconds since the trace's start; null for the whole trace.
  window: [number, number] | null;
}

export function readAddress(): Place {
  const fields = new URLSearchParams(location.hash.slice(1));
  return {
    tab: fields.get("tab") ?? "", trace: Number(/^\d{1,4}$/.exec(fields.get("trace") ?? "")?.[0] ?? 0),
    window: readWindow(fields.get("window")),
  };
}

// writeAddress changes the address without a new history entry, since panning passes hundreds of places.
export function writeAddress(place: Place): void {
  const window = place.window ? `&window=${Math.round(place.window[0])}-${Math.round(place.window[1])}` : "";
  const trace = place.trace ? `&trace=${place.trace}` : "";
  try {
    history.replaceState(null, "", `#tab=${encodeURIComponent(place.tab)}${trace}${window}`);
  } catch {
    // browsers refuse more than some hundred changes in half a minute; the next allowed one is enough
  }
}

function readWindow(text: string | null): [number, number] | null {
  const match = /^(\d{1,16})-(\d{1,16})$/.exec(text ?? "");
  if (!match) return null;
  const from = Number(match[1]);
  const to = Number(match[2]);
  return from < to ? [from, to] : null;
}
