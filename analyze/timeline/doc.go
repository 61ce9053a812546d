// Package timeline stores the intervals of all threads, so that any window of them can be read at any resolution.
//
// A Recorder consumes the records of enrich and writes the intervals, thread by thread, into blocks of a file.
// An Index finds the blocks of a Window and merges intervals that are shorter than its resolution. emit/page and
// emit/picture draw windows. Times are in nanoseconds since the trace's start.
//
//	recorder.go, threadrecords.go, record.go  the Recorder; blocks of a thread's records
//	index.go, saved.go, codec.go              the Index, its file and the codec of that
//	threads.go                                what is known of a thread, live or not
//	view.go, extract.go, window.go, lane.go   Requests, the Windows for them, lanes with merged intervals
//	overview.go, strip.go                     sums over all threads
//	detail.go, replay.go                      one event; the intervals of a part of the trace
//	texts.go                                  tables of texts and frames
package timeline
