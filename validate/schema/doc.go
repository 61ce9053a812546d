// Package schema checks the JSON that trcx writes, the model as a document (json) and as a stream of lines (jsonl),
// against the JSON Schemas that it embeds, and against what the two promise beyond these: numbers that count,
// references that lead somewhere.
//
// It stands beside the walk: what it reads is what the walk ends in. Recognise tells the two apart, Check reads one and
// reports findings. The walk inside is source.go (bytes with their places), reader.go (JSON), document.go or stream.go
// (one piece after the other: an event, a thread without its events, a line), judge.go (a piece against its schema),
// census.go and story.go (the promises of a document and of a stream).
//
// A document may be longer than memory. So only the piece at hand is kept, and it is bounded; a list that may be of any
// length is judged item by item, and what it stands in with an empty list in its place. Members that no schema knows
// are read for their syntax alone. Nothing is ever loaded: the schemas are part of the program, and a $schema or $ref
// in the input is a member like any other.
package schema
