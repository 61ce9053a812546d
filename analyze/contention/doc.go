// Package contention adds up how long threads were blocked, waited, joined and slept: by thread, class of monitor,
// monitor, method, place in the program, and pair of waiter and owner.
//
// It consumes the model that convert/enrich emits. A Collector consumes one trace and returns its Statistics.
// Statistics of several traces, collected or loaded, are merged by Merged, in any order and grouping with the same
// result. Counts, totals, minima and maxima are exact; percentiles are within 0.05 %. All lengths are in nanoseconds.
package contention
