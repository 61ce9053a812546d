// Package deadlock finds the deadlocks in which a trace ends, the threads that are stuck because of them, and the
// lock-order inversions that could become deadlocks.
//
// A Finder consumes the records of enrich, of one or more recordings, and returns a Report. All times are
// nanoseconds.
//
// A trace does not record that a thread releases a monitor. So it is inferred whether a thread held one monitor while
// it was blocked on another: see owner.go for the rules, and Evidence for the certainty of the result.
//
//	finder.go, owner.go    the Finder; which thread holds which monitor
//	deadlock.go            deadlocks, and threads stuck because of them
//	kept.go                the same from what a critical.Recorder keeps
//	order.go, cycle.go     the graph of lock orders and its cycles
//	report.go              the Report
//	text.go, phrases.go, sentence.go    the report for people
//	csv.go, json.go        the values of its answer
package deadlock
