// Package schema validates the model as JSON, a document (json) or a stream of lines (jsonl), against JSON Schemas.
//
// It also checks what schemas cannot: ids that count from 1, references that resolve. Its input is what emit/model
// writes:
//
//	check.go      detects which of the two an input is, and reports findings
//	reader.go     reads one piece after the other: an event, a thread without its events, a line
//	grammar.go    validates a piece with the JSON Schema library
//	ids.go        checks ids, references and counts
//	rules.go      describes the rules
//
// Memory is bounded, whatever the length of the input: only the current piece is kept. Nothing is ever loaded: the
// schemas are embedded, and $schema or $ref in the input are ordinary members.
package schema
