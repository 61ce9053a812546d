// Column is a column of a table.
export interface Column<Row> {
  id: string;
  label: string;
  // The tooltip of the heading.
  explain?: string;
  // In pixels, until the user drags it.
  width: number;
  number?: boolean;
  // The column gets the width that the others leave.
  grows?: boolean;
  // The sort key; numbers are sorted with the greatest first.
  order: (row: Row) => number | string;
  // The text of the cell, which the search finds. It may be a name from the trace.
  text: (row: Row) => string;
  // An element instead of the text.
  cell?: (row: Row) => Node;
}
