// Package query selects the elements of a trace that match an XPath expression, one at a time, so that the trace may
// have any length. The XPath library panics at some expressions, and evaluates others differently from the standard.
//
//	parse.go            accepts the part of XPath that the library evaluates correctly (docs/query.md)
//	filter.go           conditions on names and attributes that an element must meet to match
//	finder.go, tree.go  the Finder, the tree of an element for the library, and the limit of time and memory
//	print.go            the Printer
package query
