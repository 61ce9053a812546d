// Package xmlscan is the tokenizer: it turns the bytes of an XML 1.0 document (fifth edition), or of a run of XML
// fragments, into tokens, and accepts exactly what is well-formed.
//
// It is on the ground floor next to trace and knows nothing of traces. The walk's first step is here: bytes ->
// Scanner -> tokens with byte offsets -> convert/trcxml and dtd.
//
// Two things shape the code. A trace is a few dozen element kinds repeated millions of times, so tags have a fast path
// (tag.go): names are recognised by comparing machine words, and each element kind predicts its next attribute from the
// last element of its kind. Whatever the fast path does not expect falls through, attribute by attribute, to code that
// accepts all that is legal (name.go, value.go); correctness never depends on a prediction. And input comes in pieces
// of any size: a token that is not complete in the buffer is begun again when more has been read, so the tokens do not
// depend on the reads.
//
// The scanner fetches nothing by itself: external subsets and entities are left out, unless Options.Open opens them.
// Entities are expanded within Limits. What the declarations of a document say is in its Doctype, for dtd to judge by.
package xmlscan
