// Package analyse sums up one trace in rows: a pure function of the file's bytes, its name and the options.
//
//	analyse.go    File: one file to rows; what is wrong with it is a row, too
//	counts.go     statistics, blame, deadlocks and the diagnosis as rows
//	hours.go      the same hour by hour
//	labels.go     labels from the path and from the trace
package analyse
