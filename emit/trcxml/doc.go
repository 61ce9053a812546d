// Package trcxml writes traces in the XML of Eclipse TPTP, in the form that its tools load: the preamble in TPTP's
// order, one element a line, attributes in the order of the table in package trace.
//
// It consumes events (trace.Event). An element whose text in the input is already in this form is copied.
package trcxml
