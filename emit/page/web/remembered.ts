// Settings (theme, widths of columns) are kept in the browser's storage or, if that is not allowed, while the page is
// open.

const held = new Map<string, string>();

// remembered returns the value kept under a name, or null.
export function remembered(name: string): string | null {
  const kept = held.get(name);
  if (kept !== undefined) return kept;
  try {
    return localStorage.getItem("trcx." + name);
  } catch {
    return null; // browsers refuse storage to some pages, such as those from disk; the page's own memory is used then
  }
}

// remember keeps a value under a name.
export function remember(name: string, value: string): void {
  held.set(name, value);
  try {
    localStorage.setItem("trcx." + name, value);
  } catch {
    // refused or full: see above
  }
}
