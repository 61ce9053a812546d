package schema

import (
	"bytes"
	"cmp"
	"errors"

	"github.com/trcx/trcx/trace"
)

// The names of the JSON outputs and their schemas.
const (
	Model = "model" // a document
	Lines = "jsonl" // a stream of lines, each an object
)

// membersOf maps members of the first object to the output, if only one of the two has them.
var membersOf = map[string]string{"kind": Lines, "trace": Model, "threads": Model, "objects": Model, "deadlocks": Model}

// errRecognised ends the reading of a head.
var errRecognised = errors.New("recognised")

// Recognise returns the name of the JSON that an input begins with, "model" or "jsonl". head is its first bytes, cut
// off anywhere, after white space and a byte order mark. The first members decide, in any order; if they do not, an
// input with a second object is "jsonl".
//
// Any other object is "model", even one that is cut off before the first member. Inputs that do not begin with an
// object are not recognised, nor are arrays: ok is false.
func Recognise(head []byte) (name string, ok bool) {
	r := newReader(bytes.NewReader(head), max(len(head)+1, 64))
	if !r.beginsObject() {
		return "", false
	}
	err := r.members(nil, func(member string, _ trace.Place) error {
		if name = membersOf[member]; name != "" {
			return errRecognised
		}
		_, err := r.value(nil)
		return err
	})
	if err == nil {
		name = Model
		if r.Space(); r.Accept("{") {
			name = Lines
		}
	}
	return cmp.Or(name, Model), true
}

// beginsObject skips white space and reports whether an object begins there.
func (r *reader) beginsObject() bool {
	r.Mark()
	if r.Space() != '{' {
		return false
	}
	rest := bytes.TrimLeft(r.Ahead(1)[1:], " \t\r\n")
	return len(rest) == 0 || rest[0] == '"' || rest[0] == '}'
}
