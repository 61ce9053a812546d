// Package diff compares the statistics of two sets of traces, a base and a head, and judges which times changed beyond
// noise.
//
// It consumes the statistics of analyze/contention, and the calls and samples of analyze/methods. Rows are joined by
// their names: threads by the pattern of their names, classes of monitors, methods. A change is beyond noise if the
// number of lengths or their distribution says so; for methods only numbers and sums are known. Thresholds are limits
// of growth that a user gives, for CI.
package diff
