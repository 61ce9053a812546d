// RowSelection has the keys of a table's selected rows, and the focused row. Its methods take indexes of visible rows.
export class RowSelection<Row> {
  readonly keys = new Set<string>();
  at = 0; // the row with the focus
  private anchor = 0; // where a range of the selection began

  // single: at most one row is selected, and a second click on it clears the selection.
  constructor(
    private readonly single: boolean,
    private readonly keyOf: (row: Row) => string,
    private readonly rows: () => readonly Row[],
  ) {}

  has(row: Row): boolean {
    return this.keys.has(this.keyOf(row));
  }

  // set selects these rows and no others.
  set(keys: Iterable<string>): void {
    this.keys.clear();
    for (const key of keys) this.keys.add(key);
  }

  // only selects one row and no others. If that row alone is selected, it clears the selection.
  only(i: number): void {
    const row = this.rows()[i];
    if (!row) return;
    const again = this.single && this.has(row);
    this.set(again ? [] : [this.keyOf(row)]);
    this.anchor = i;
  }

  // toggle adds a row to the selection, or removes it.
  toggle(i: number): void {
    const row = this.rows()[i];
    if (!row) return;
    const key = this.keyOf(row), had = this.keys.delete(key);
    if (this.single) this.keys.clear();
    if (!had) this.keys.add(key);
    this.anchor = i;
  }

  // range selects the rows from the anchor on; with keep, in addition to others.
  range(to: number, keep: boolean): void {
    if (!keep) this.keys.clear();
    const rows = this.rows();
    for (let i = Math.min(this.anchor, to); i <= Math.max(this.anchor, to); i++) {
      const row = rows[i];
      if (row) this.keys.add(this.keyOf(row));
    }
  }

  // anchorAt makes a row the begin of the next range.
  anchorAt(i: number): void {
    this.anchor = i;
  }

  everything(): void {
    for (const row of this.rows()) this.keys.add(this.keyOf(row));
  }

  // dropMissing drops the keys of rows that are gone.
  dropMissing(all: readonly Row[]): void {
    const left = new Set(all.map(this.keyOf));
    for (const key of [...this.keys]) if (!left.has(key)) this.keys.delete(key);
  }
}
