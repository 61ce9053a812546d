// Package normalize gives traces that other programs wrote the form that TPTP's own agents gave theirs: names of
// classes with slashes, one spelling of each attribute, nothing that TPTP does not know.
//
// It is a stage of the walk, between a reader and a writer of trcxml, for those who ask for it: without it a writer
// keeps what it does not know. Each kind of change is a row of a table; how often it was made, and where first, is
// reported.
package normalize
