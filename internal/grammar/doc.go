// Package grammar compiles the declarations of a DTD and validates the tokens of a document.
//
// It knows XML and not traces: internal/xmlscan reads the declarations and the document, convert/trcxml hands each
// token to a Validator while it reads. Package dtd is its public face.
//
//	grammar.go, declarations.go  compile the declarations; report those that are not valid
//	automaton.go                 content model automata: states, transitions, ambiguity
//	validator.go, attributes.go  validate tokens: the content model's state of each open element; attributes
//	check.go                     validates a whole document by its own DOCTYPE; findings
//
// The validity constraints are from XML 1.0 (fifth edition). A content model that is not deterministic, which the
// recommendation calls an error for compatibility, is reported and used all the same.
package grammar
