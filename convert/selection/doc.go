// Package selection lets through the part of a trace that a question is about: some threads, some classes of monitors,
// some of the time.
//
// It stands behind segment, before analyze and emit. What it takes out is out for all that follows; only threads and
// objects are described all the same, for others name them.
package selection
