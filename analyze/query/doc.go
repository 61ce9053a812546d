// Package query finds the elements of a trace that an XPath 1.0 expression selects, one element at a time, so that the
// trace may have any length.
//
// It looks on behind the reader: a Finder takes elements, makes a small tree of each one (a document with a TRACE that
// has this element only), has antchfx/xmlquery evaluate the expression on it, and gives the results to a printer.
//
// The walk of an expression is parse.go (text to tree, with the place of what is wrong), check.go (what type it has,
// and whether one element is enough to answer it), need.go (which elements can match at all), and spell.go: the library
// accepts much that is no XPath, has no places in its errors, and understands some of what is XPath in its own way; so
// it gets the expression in words that it understands as they are meant.
package query
