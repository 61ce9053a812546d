// Column is a column of a table.
export interface Column<Row> {
  id: string;
  label: string;
  // The tooltip of the heading.
  explain?: string;
  // In pixels, until it is dragged.
  width: number;
  number?: boolean;
  // The column is as wide as the others leave it.
  grows?: boolean;
  // Sorted by this; numbers come with the greatest first.
  order: (row: Row) => number | string;
  // The text of the cell, which the search finds. It may be a name of a trace.
  text: (row: Row) => string;
  // An element instead of the text.
  cell?: (row: Row) => Node;
}
