// Package methods answers where the time of a program went, method by method: from recorded calls (methodEntry and
// methodExit), from calls that the recorder has summed up, and from samples.
//
// A Collector is a sink of convert. It follows the open calls of each thread and keeps a calling-context tree of each.
// Everything else is computed from the trees: the path shows whether a call is recursive, or the outermost one of its
// class. Memory is bounded by methods, nodes of the trees and open calls, not by calls.
//
//	collector.go   consumes events; names of methods and classes
//	thread.go      the rules by which entries and exits become calls
//	aggregated.go  calls that the recorder has summed up or counted
//	samples.go     samples, which are no calls
//	tree.go        the nodes of the trees, and what a node sums up
//	table.go       methods, classes, packages, threads, callers and callees, from the nodes
//	calltree.go    the tree as people and programs see it; invocations.go: callers and callees; flow.go: calls in time
//	coverage.go    which methods were called, of all
//	hot.go         the method that a thread ran most; within.go: in pieces of its time
//	extract.go     what profiles of other programs have
//	page.go        what the page shows, with limits; longest.go: the longest calls
//	order.go       what an answer shows, in which order
//	report.go      tables for people; json.go: for programs
//
// Events of a thread count in the order of the file, and a time that goes back is the latest time of the thread. An
// entry closes open calls whose stack depth is not below its own: they have lost their exits. An exit closes the call
// with its ticket, or without a ticket the innermost call of its method, and the calls above it, which are lost; an
// exit without a call is stray and counts nowhere. The end of a thread closes its calls, as lost ones, the end of the
// trace as open ones. The base time of a call is the time while it is innermost, its cumulative time is all of it.
package methods
