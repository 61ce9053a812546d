// Package trace is the vocabulary: what an Eclipse TPTP trace can say, and what trcx computes from it.
//
// It is the ground floor of the house. One table (Elements) holds every element of the format with its
// attributes; the reader's dispatch, the writer's attribute order, the DTD, the rules and the format's
// documentation are all derived from it, so adding an element is adding a row. Next to the table are the values that
// walk through the pipeline: Event (one element as it was read), ModelEvent (one TRC… event as it was computed), the
// exact Time, and the id types. The package does no I/O and depends on nothing.
//
// The walk begins in convert/trcxml, which fills Events, goes through convert/enrich, which turns them into
// ModelEvents, and ends in emit.
package trace
