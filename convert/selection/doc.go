// Package selection is a stage between enrich and an output: it passes on the part of a trace that was asked for, by
// threads, classes of monitors and time.
//
// All records of threads and objects pass, for selected records can name them.
package selection
