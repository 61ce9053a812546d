package trace

import (
	"bytes"
	"iter"

	"github.com/trcx/trcx/internal/xmltext"
)

// Annotation returns the value, as the JVM had it, of the first annotation of the name directly inside the element. ok
// is false if the element has no such annotation. The annotations that every reader needs are in the other fields.
func (x *Extra) Annotation(name string) (value string, ok bool) {
	for found, text := range x.annotations() {
		if string(found) == name {
			return unescapeJava(xmltext.Resolve(text)), true
		}
	}
	return "", false
}

// Annotations returns the values of all annotations of the name directly inside the element, in their order.
func (x *Extra) Annotations(name string) (values []string) {
	for found, text := range x.annotations() {
		if string(found) == name {
			values = append(values, unescapeJava(xmltext.Resolve(text)))
		}
	}
	return values
}

// AllAnnotations iterates over the names and values of all annotations that are directly inside the element.
func (x *Extra) AllAnnotations() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for name, text := range x.annotations() {
			if !yield(string(name), unescapeJava(xmltext.Resolve(text))) {
				return
			}
		}
	}
}

// annotations iterates over the names and values as the XML has them.
func (x *Extra) annotations() iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		if x == nil {
			return
		}
		depth := 0
		for rest := x.Inner; ; {
			begin := bytes.IndexByte(rest, '<')
			if begin < 0 {
				return
			}
			rest = rest[begin+1:]
			end := tagEnd(rest)
			if end < 0 {
				return
			}
			tag := rest[:end]
			rest = rest[end+1:]
			if len(tag) > 0 && tag[0] == '/' {
				depth--
				continue
			}
			if depth == 0 && bytes.HasPrefix(tag, annotationTag) {
				if value := valueIn(tag, valueBegin); value != nil && !yield(valueIn(tag, nameBegin), value) {
					return
				}
			}
			if len(tag) == 0 || tag[len(tag)-1] != '/' {
				depth++
			}
		}
	}
}

// The inside of an element is written by readers, in one form: double quotes, one blank before each attribute.
var annotationTag, nameBegin, valueBegin = []byte("annotation "), []byte(` name="`), []byte(` value="`)

// tagEnd returns the offset of the > that ends the tag, or -1. Values of attributes may have others.
func tagEnd(text []byte) int {
	quoted := false
	for i, c := range text {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '>' && !quoted:
			return i
		}
	}
	return -1
}

// valueIn returns the value of the attribute that begins with begin; nil if the tag does not have it.
func valueIn(tag, begin []byte) []byte {
	at := bytes.Index(tag, begin)
	if at < 0 {
		return nil
	}
	value, _, ok := bytes.Cut(tag[at+len(begin):], []byte{'"'})
	if !ok {
		return nil
	}
	return value[:len(value):len(value)]
}
