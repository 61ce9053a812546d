// Package model writes the computed model of a trace as JSON: grouped by thread (JSON), or as a stream of lines
// (JSONLines).
//
// It consumes the model's records. Both formats have the fields of the fifteen events by the table of
// trace.ModelType.Row. JSON Schemas (validate/schema) describe the output, and tests check it against them.
package model
