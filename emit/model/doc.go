// Package model writes the computed model of a trace as JSON: grouped by thread (JSON), or as a stream of lines
// (JSONLines).
//
// It consumes the model's records. Both formats have the fields of the
// fifteen events by the table trace.ModelTypes; the JSON Schemas in this folder describe the results, and what the
// tests write is checked against them.
package model
