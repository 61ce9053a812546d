// Package trcxml reads traces in the XML of Eclipse TPTP: the second step of the walk, from the tokens of
// internal/xmlscan to trace.Event.
//
// It takes what agents and Workbenches really wrote: documents, bare fragments, files without </TRACE>, one line of
// many megabytes. What the table of trace does not know is kept on the event. What is wrong is reported as a finding,
// and reading goes on after it where that is safe.
package trcxml
