// Package model writes the computed model of a trace as JSON: grouped by thread (Grouped, "json"), or as a stream of
// lines (Lines, "jsonl").
//
// It is the end of the walk: convert/enrich gives its events to one of the two. Both write the fields of the
// fifteen events by the table trace.ModelTypes; the JSON Schemas in this folder describe the results, and what the
// tests write is checked against them.
package model
