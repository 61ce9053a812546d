// Package perfetto draws a trace for timeline viewers: as Trace Event JSON, which nearly all of them open, or as
// Perfetto's own protobuf, which is smaller and opens faster.
//
// A Writer consumes the model's records. Each thread is a track (track.go), each of its intervals a slice on it, and
// each interaction an arrow from the cause to the Running event (arrows.go). Calls of methods are slices in those of
// their callers, on tracks of their own (calls.go); samples are instants, or in protobuf those of a profiler. Records
// become marks (mark.go), which are sorted by time, on disk if they are many (writer.go), and written by one of two
// encoders (json.go, protobuf.go).
//
// # Times
//
// The formats require that slices of a track never overlap, but the times of a real thread go back by up to 2 ms. So a
// slice dated earlier begins at the end of the previous one; if no length remains, it becomes an instant. Instants keep
// their times. All times count from the trace's start, or from the earliest time if that is before it.
package perfetto
