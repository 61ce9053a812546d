// Package trcxml decodes traces in the XML of Eclipse TPTP: tokens of internal/xmlscan become trace.Event.
//
// It accepts everything that agents and Workbenches write: documents, bare fragments, files without </TRACE>, single
// lines of many megabytes. Attributes and content that the table of trace does not have are kept on the event. Damage
// is reported as a finding, and reading resumes at the next element where that is safe.
//
//	reader.go     the loop over tokens; documents, roots, recovery after errors
//	decode.go     start tags to events; columns by template and pattern
//	children.go   content of elements: annotations and unknown elements
//	unclosed.go   elements without end tags
//	validation.go rules; validation by a grammar; places and quotes of findings
//	parallel.go   chunks of one document, read by several goroutines
package trcxml
