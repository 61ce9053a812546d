// Package query selects the elements of a trace that match an XPath 1.0 expression, one element at a time.
//
// A Finder is a sink after a reader. It makes a small tree of each element (a document with a TRACE that has this
// element only), evaluates the expression on it with antchfx/xpath, and passes the results to a Printer. So a trace may
// have any length. An expression is compiled in these steps:
//
//	lex.go, parse.go, function.go    text to tree with types, with the place of a syntax error
//	check.go, level.go, refuse.go    refuses what one element at a time cannot answer
//	unknownname.go                   names that no trace has
//	filter.go, prefilter.go          names and attributes without which an element cannot match
//	order.go, rewrite.go             tree to text for the library
//
// The others run it:
//
//	finder.go, tree.go, navigator.go the Finder, the tree of an element, and its limits of time and memory
//	print.go                         the Printer
//
// The library's own parser does not export its tree, accepts much that is no XPath, and has no places in its errors.
// Some expressions it evaluates differently from the standard: rewrite.go writes equivalent ones.
package query
