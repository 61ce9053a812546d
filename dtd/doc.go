// Package dtd is the DTD engine: it compiles the declarations of a DTD into a Grammar, and judges the tokens of a
// document by it as they come.
//
// It knows XML and not traces, and stands on internal/xmlscan, which reads the declarations and the document. In the
// walk it looks on: convert/trcxml hands each token to a Validator while it reads. The grammar of traces is trace.dtd,
// which is derived from the table of package trace; a test proves that the two agree.
//
// What is judged are the validity constraints of XML 1.0 (fifth edition). Content models become automata; models that
// are not deterministic, which the recommendation calls an error for compatibility's sake, are reported and decided all
// the same.
package dtd
