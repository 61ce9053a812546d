package trace

import (
	"bytes"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// ObjectState is what the recorder read from the fields of an object that a thread waited for, or the peer of a socket.
type ObjectState struct {
	Session int
	Object  ObjectID
	Time    Time
	Text    string // names with numbers, with blanks between: permits=0 queued=2. The number of a peer is an address
}

// objectStateNames are the names of the numbers of states, and NotePeer, whose value is host:port.
var objectStateNames = []string{NotePeer, "permits", "count", "state", "owner", "holds", "queued", "readers", "reader", "writers",
	"waiters", "parties", "arrived", "phase", "done", "runner", "dependents", "inQueue", "workers", "maximum", "worker",
	"active", "capacity", "parallelism", "self", "standard", "terminates"}

// AppendTo appends the state as the value of the annotation NoteState.
func (s *ObjectState) AppendTo(dst []byte) []byte {
	dst = s.Time.AppendTo(append(append(dst, s.Object.String()...), ' '))
	return append(append(dst, ' '), s.Text...)
}

// Parse sets the state to the value of an annotation NoteState. ok is false if the value has another form.
func (s *ObjectState) Parse(value []byte) (ok bool) {
	object, rest, _ := bytes.Cut(value, []byte{' '})
	moment, text, _ := bytes.Cut(rest, []byte{' '})
	at, reading := ParseTime(moment)
	*s = ObjectState{Object: ObjectFrom(object), Time: at, Text: string(text)}
	return len(object) > 0 && reading == Exact && isState(s.Text)
}

// maxNumbers limits the numbers of a state.
const maxNumbers = 64

func isState(text string) bool {
	if strings.Count(text, " ") >= maxNumbers {
		return false
	}
	for word := range strings.SplitSeq(text, " ") {
		name, number, _ := strings.Cut(word, "=")
		if name == NotePeer && number != "" {
			continue
		}
		_, err := strconv.ParseInt(number, 10, 64)
		if err != nil || number[0] == '+' || !slices.Contains(objectStateNames, name) {
			return false
		}
	}
	return true
}

// Peer returns the peer of a socket, as host:port; "" if the state has none.
func (s *ObjectState) Peer() string {
	for peer := range s.values(NotePeer) {
		return peer
	}
	return ""
}

// values iterates over the values of the name, in their order.
func (s *ObjectState) values(of string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.SplitSeq(s.Text, " ") {
			if name, value, _ := strings.Cut(word, "="); name == of && !yield(value) {
				return
			}
		}
	}
}

// Numbers returns the numbers of the name, in their order.
func (s *ObjectState) Numbers(name string) (numbers []int64) {
	for text := range s.values(name) {
		number, _ := strconv.ParseInt(text, 10, 64)
		numbers = append(numbers, number)
	}
	return numbers
}

// Number returns the number of the name; ok is false if the state has none.
func (s *ObjectState) Number(name string) (number int64, ok bool) {
	numbers := s.Numbers(name)
	if len(numbers) == 0 {
		return 0, false
	}
	return numbers[0], true
}
