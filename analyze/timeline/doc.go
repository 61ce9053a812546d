// Package timeline keeps what each thread did, so that any window of it can be looked at, as finely as there is room
// for.
//
// It stands beside the other rooms of analyze: a Recorder takes the enriched stream with its segments and writes them,
// thread by thread, into blocks of a file. An Index finds the blocks of a Window, and sums up what is too short to be
// seen there. emit/page, emit/picture and emit/serve show windows.
package timeline
