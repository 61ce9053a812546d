// Package switchlog reads the log of thread switches: triples of the acting thread, what it does, and the thread that
// it does it to, some with how long the acting thread was active. There are no times and no objects in it.
//
// It is a reader of convert: records become elements (trace.Event) through a transcript.Transcript. The format was
// published as a listing of six records in a description of the agent that writes it; docs/formats/switchlog.md says
// what is read, what becomes of it, and by which rule times are made up.
package switchlog
