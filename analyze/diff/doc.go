// Package diff says what has become slower from one trace to another: a base and a head, each with the statistics of
// contention.
//
// Rows that mean the same are put side by side: threads by the pattern of their names, classes of monitors, methods.
// Whether a difference is more than noise follows from how often something was and how its lengths are spread.
// Thresholds that a user gives decide for CI.
package diff
