package trace

import "bytes"

// The names of annotations by which traces of logs of other formats say what their elements cannot. Only the writers
// that give such a log back read them.
const (
	// LocationsAnnotation lists the locations in the code of the frames of the event's stack, hexadecimal, with one
	// blank between them.
	LocationsAnnotation = "locations"
	// CallAnnotation says which method a wait is a call of: CallWait or CallJoin.
	CallAnnotation = "call"
	CallWait       = "wait"
	CallJoin       = "join"
	// UnloggedAnnotation, of the value 1, is that of an element that is not in the log, and has to be so that what
	// follows can have happened.
	UnloggedAnnotation = "unlogged"
	// LineAnnotation is among the events of a trace. Its value is a line of a monitor log of which no element could
	// be made.
	LineAnnotation = "monlog"
	// SwitchAnnotation is a switch of threads that has no element, as the log of switches has it.
	SwitchAnnotation = "switch"
	// ActiveAnnotation is how long the thread says it was active: milliseconds, or ActiveUnknown.
	ActiveAnnotation = "active"
	ActiveUnknown    = "unknown"
)

// Annotation is the value of the first annotation of the name that is directly inside the element, as the JVM had
// it; ok is false if there is none. It is for what only people and few programs read: what every reader needs of
// annotations is in the other fields.
func (x *Extra) Annotation(name string) (value string, ok bool) {
	for found := range x.annotations(name) {
		return found, true
	}
	return "", false
}

// Annotations are the values of all annotations of the name that are directly inside the element, in their order.
func (x *Extra) Annotations(name string) (values []string) {
	for found := range x.annotations(name) {
		values = append(values, found)
	}
	return values
}

func (x *Extra) annotations(name string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
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
			if depth == 0 && bytes.HasPrefix(tag, annotationTag) && string(valueIn(tag, nameBegin)) == name {
				if value := valueIn(tag, valueBegin); value != nil && !yield(unescapeJava(resolve(value))) {
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

// tagEnd is where the > is that ends the tag, or -1; in the values of attributes there may be others.
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

// valueIn is the value of the attribute that begins so; nil if the tag does not have it.
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

// resolve returns the text that the value of an attribute means; see AppendValue.
func resolve(value []byte) []byte {
	if bytes.IndexByte(value, '&') < 0 {
		return value
	}
	for c, reference := range inValue {
		if reference != "" && c != '&' {
			value = bytes.ReplaceAll(value, []byte(reference), []byte{byte(c)})
		}
	}
	return bytes.ReplaceAll(value, []byte(inValue['&']), []byte{'&'})
}
