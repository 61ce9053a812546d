// Package schema validates the model as JSON, a document (json) or a stream of lines (jsonl), against JSON Schemas.
//
// It also checks the integrity that schemas cannot express: ids that count from 1, references that resolve. Recognise
// detects which of the two an input is; Check validates it and reports findings. Its input is what emit/model writes:
//
//	check.go, recognise.go         Check and Recognise
//	reader.go, value.go, path.go   JSON values with their places, of the tokens of internal/jsontext
//	document.go, stream.go         one piece after the other: an event, a thread without its events, a line
//	judge.go, demands.go           validates a piece against its schema
//	embed.go, compile.go           the schemas
//	documentids.go, streamids.go   check ids, references and counts of a document and of a stream
//	reference.go                   the largest references
//	rules.go, message.go           rules and messages
//
// Memory is bounded, whatever the length of the input: only the current piece is kept, up to a limit. A list of any
// length is validated item by item, and its object with an empty list instead. Of unknown members only the syntax is
// checked. Nothing is ever loaded: the schemas are embedded, and $schema or $ref in the input are ordinary members.
package schema
