// Package perfetto draws a trace for timeline viewers: as Trace Event JSON, which nearly all of them open, or as
// Perfetto's own protobuf, which is smaller and opens faster.
//
// convert/enrich puts its intervals and events into a Sink. Each thread is a track, each of
// its segments a slice on it, each interaction an arrow from who acted to who ran again. What comes is turned into
// marks (mark.go), which are sorted by time on disk when there is much of them (sink.go), and written by one of two
// formats (json.go, protobuf.go). What a cause is bound to in the end decides on the arrows (arrows.go).
//
// # Times
//
// The formats want slices of a track that never overlap, but the times of a real thread go back by up to 2 ms. So a
// slice begins where the one before has ended, if it is dated earlier; a segment that has no length then becomes an
// instant. Instants stand where they are dated. All times count from the trace's start or, should something be dated
// before it, from that.
package perfetto
