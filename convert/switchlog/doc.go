// Package switchlog reads the log of thread switches: records of an acting thread, its action and the affected thread,
// some with the time for which the acting thread was active. The log has no times of day and no objects.
//
// It is a reader of convert and emits elements through convert/builder. The only public example is a listing of six
// records in a description of the agent. docs/formats/switchlog.md documents what is read and how times are computed.
//
//	scanner.go             split lines into records
//	reader.go, thread.go   track threads, compute times, emit elements, report defects
package switchlog
