package schema

import (
	"bytes"
	"cmp"
	"context"
	"errors"

	"github.com/trcx/trcx/trace"
)

// The JSON that trcx writes, by the names that its outputs and schemas have.
const (
	Model = "model" // a document
	Lines = "jsonl" // a stream of lines
)

// membersOf says which of the two has a member of the name in its first object, and the other has not.
var membersOf = map[string]string{"kind": Lines, "trace": Model, "threads": Model, "objects": Model, "deadlocks": Model}

// errDecided ends the reading of a head that has said enough.
var errDecided = errors.New("it is decided")

// Recognise tells by the first bytes of an input which JSON it is, "model" or "jsonl"; head may be cut off anywhere.
// White space and a byte order mark may stand in front. The first members decide, in whatever order they stand; where
// they do not, a stream is what has another object behind the first one.
//
// Any other object is "model" too, also one that is cut off too early to tell: who has it checked learns what it lacks.
// What does not begin like an object is not recognised (ok is false); nor is an array, whatever is in it.
func Recognise(head []byte) (name string, ok bool) {
	r := &reader{source: newSource(context.Background(), bytes.NewReader(head), make([]byte, len(head)+1))}
	if !r.beginsObject() {
		return "", false
	}
	err := r.members(nil, func(member string, _ trace.Place) error {
		if name = membersOf[member]; name != "" {
			return errDecided
		}
		_, err := r.value(nil)
		return err
	})
	if err == nil {
		name = Model
		if r.space(); r.take("{") {
			name = Lines
		}
	}
	return cmp.Or(name, Model), true
}

// beginsObject says whether an object begins here, behind white space, and goes there.
func (r *reader) beginsObject() bool {
	r.mark()
	r.space()
	if c, _ := r.peek(); c != '{' {
		return false
	}
	behind := bytes.TrimLeft(r.buf[r.at+1:], " \t\r\n")
	return len(behind) == 0 || behind[0] == '"' || behind[0] == '}'
}
