import { count, duration, share, size } from "../format.js";
import type { Distribution, Share } from "../source.js";
import { type Axis, axisText, distributionText, plot } from "./distribution.js";
import type { Column } from "./table.js";

// Columns that several tables share.

// durationColumn has times in nanoseconds. The cell for 0 is empty.
export function durationColumn<Row>(
  id: string, label: string,
  of: (row: Row) => number,
  explain?: string,
): Column<Row> {
  return {
    id, label, explain, width: 74, number: true, order: of,
    text: (row) => (of(row) === 0 ? "" : duration(of(row))),
  };
}

// bytesColumn has sizes. The cell for 0 is empty.
export function bytesColumn<Row>(id: string, label: string, of: (row: Row) => number, explain?: string): Column<Row> {
  return {
    id, label, explain, width: 84, number: true, order: of,
    text: (row) => (of(row) === 0 ? "" : size(of(row))),
  };
}

// countColumn has whole numbers. The cell for 0 is empty.
export function countColumn<Row>(id: string, label: string, of: (row: Row) => number, explain?: string): Column<Row> {
  return {
    id, label, explain, width: 60, number: true, order: of,
    text: (row) => (of(row) === 0 ? "" : count(of(row))),
  };
}

// textColumn has names.
export function textColumn<Row>(
  id: string, label: string, width: number,
  of: (row: Row) => string,
  explain?: string,
): Column<Row> {
  return { id, label, explain, width, order: of, text: of };
}

// distributionColumns are the figures and the plot of one distribution per row. The plot has the colour of a state, or
// of the chosen kind of time.
export function distributionColumns<Row>(
  of: (row: Row) => Distribution,
  what: string, axis: Axis | null,
  state?: (row: Row) => number,
): Column<Row>[] {
  const figure = (id: keyof Omit<Distribution, "bins">, label: string, explain: string) =>
    durationColumn<Row>(id, label, (row) => of(row)[id], `${what}: ${explain}`);
  const scale = axis
    ? `; from ${axisText(axis)}; heights by the square root of the number; the line is the median`
    : "";
  return [
    figure("max", "Longest", "the longest interval"),
    figure("mean", "Mean", "total time through the number of intervals"),
    figure("p50", "Median", "half of the intervals are up to so long"),
    figure("p90", "90 %", "nine of ten intervals are up to so long"),
    figure("p99", "99 %", "99 of 100 intervals are up to so long"),
    {
      id: "plot",
      label: "Distribution",
      explain: `${what}: how long the intervals are${scale}. Sorted by the median.`,
      width: 148,
      number: true,
      order: (row) => of(row).p50,
      text: (row) => (of(row).count === 0 ? "" : distributionText(of(row))),
      cell: (row) => plot(of(row), axis, state?.(row)),
    },
  ];
}

// shareText returns the name of the largest share, and its size.
export function shareText<Row extends Share>(rows: readonly Row[], name: (row: Row) => string): string {
  const total = rows.reduce((sum, row) => sum + row.total, 0);
  const most = rows.reduce<Row | null>((best, row) => (best && best.total >= row.total ? best : row), null);
  if (!most) return "";
  return total > 0 ? `${name(most)} (${share(most.total, total)})` : name(most);
}
