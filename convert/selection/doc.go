// Package selection is a stage between enrich and an output: it passes on a part of a trace, selected by threads,
// classes of monitors and time.
//
// All records of threads and objects pass, because selected records can name them.
package selection
