// Package allocation sums up the allocations that a trace records, by class, call stack, thread, method and package:
// how many objects and bytes were allocated and freed, how many live, and whose live objects grow in number from one
// full garbage collection to the next.
//
// A Collector is a sink of the records of package enrich with Options.Allocations. Samples are estimates: an object of
// s bytes is sampled with the probability p = 1 - e^(-s/I) where the mean distance of samples is I bytes, so it
// represents 1/p objects and s/p bytes.
//
//	estimate.go           sums, of objects or of samples
//	collector.go          consumes records
//	objects.go            objects that live, by id
//	cell.go               sums by class, call stack and thread
//	collections.go        which collections are full
//	series.go             live objects at full collections
//	rows.go               groups cells
//	samples.go            sums by class and call stack, for profiles
//	curve.go              collections, and the bytes that lived after each
//	report.go, json.go    the report for people and for programs; extract.go: for a page
//
// Memory is in proportion to live objects and different call stacks.
package allocation
