// Package trcxml writes traces in the XML of Eclipse TPTP, in the form that its tools load: the preamble in TPTP's
// order, one element a line, attributes in the order of the table in package trace.
//
// It is an end of the walk: elements (trace.Event) come in from a reader and go out as text. An element that already
// stands in the input as it would be written is copied.
package trcxml
