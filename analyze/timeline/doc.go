// Package timeline stores the intervals of all threads so that any window of them can be read, at any resolution.
//
// A Recorder consumes the records of convert/enrich and writes the intervals, thread by thread, into blocks of a file.
// An Index finds the blocks of a Window and merges intervals that are shorter than its resolution. emit/page and
// emit/picture draw windows. Times are in nanoseconds since the trace's start.
package timeline
