// Package xmlscan is a streaming XML 1.0 (fifth edition) tokenizer. It accepts exactly the well-formed documents, and
// runs of fragments.
//
// Token data aliases the buffer and is valid until the next call of Next. A token that is incomplete in the buffer is
// read again when there is more input, so tokens do not depend on the sizes of reads. External entities are read only
// through Options.Open; Limits bounds nesting, sizes and entity expansion.
//
// A tag that differs from an earlier one only in digits is matched as a whole; every other tag takes the complete path:
// templates affect speed, never results. The layers above, convert/trcxml and internal/grammar, keep what they learn
// about tags in columns by the numbers of templates and patterns.
//
//	scanner.go, token.go                   the Scanner, its parts and its current token
//	template.go                            templates, patterns, columns: the cache of tags
//	tag.go, value.go, name.go              start and end tags, attribute values, names
//	content.go, chars.go                   text, comments, characters; eight bytes at a time
//	entity.go                              entities and their expansion
//	doctype.go, subset.go, declaration.go  DOCTYPE, its declarations, attribute defaults
//	encoding.go, error.go                  decoding to UTF-8; positions, syntax errors, limits
//	resume.go                              recovery after errors; scanners for parts of one input
package xmlscan
