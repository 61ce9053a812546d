package monlog

import (
	"bytes"

	"github.com/trcx/trcx/trace"
)

// Recognises reports whether a text begins like a log: one of its first lines has a time and the name of an event.
func Recognises(head []byte) bool {
	return anyLine(head, func(line []byte) bool {
		text, at := field(line, 0)
		if _, reading := parseTime(text); reading == trace.Unreadable || at > len(line) {
			return false
		}
		if name, _ := field(line, at); kindOf(name) != nil {
			return true
		}
		_, ok := replaceComma(nil, line, at)
		return ok
	})
}

// RecognisesMetadata reports whether a text begins like a metadata file: one of its first lines describes a class or a
// method, and none is a line of a log.
func RecognisesMetadata(head []byte) bool {
	return !Recognises(head) && anyLine(head, func(line []byte) bool {
		fields := bytes.Split(line, []byte{','})
		switch {
		case len(fields) == 2:
			signature := bytes.TrimSpace(fields[0])
			_, ok := className(string(signature))
			return ok && (signature[0] == 'L' || signature[0] == '[')
		case len(fields) >= 4:
			_, isID := hexadecimal(fields[0])
			_, isClass := className(string(bytes.TrimSpace(fields[3])))
			return isID && isClass && isMethodSignature(string(bytes.TrimSpace(fields[2])))
		}
		return false
	})
}

// anyLine reports whether a function holds for one of the lines. The last one may be truncated.
func anyLine(head []byte, like func(line []byte) bool) bool {
	head = bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF"))
	for line := range bytes.Lines(head) {
		if like(bytes.TrimRight(line, "\r\n")) {
			return true
		}
	}
	return false
}
