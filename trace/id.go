package trace

import (
	"strconv"
	"unique"

	"github.com/trcx/trcx/internal/digits"
)

// ID is the text of an id attribute in a form that can be compared and used as a map key without touching the heap.
// ThreadID, ObjectID and ClassID say what it identifies. Nearly all ids are decimal numbers and are kept as numbers,
// which give the same text back. The others keep their text.
type ID struct {
	number uint64 // the value plus one, if the text is a decimal number without leading zeros, of at most 18 digits
	text   idText // otherwise
}

// idText is the text of an id: one pointer, which is equal for equal texts. The zero idText is no text.
type idText unique.Handle[string]

func textOf(value string) idText { return idText(unique.Make(value)) }

func (t idText) String() string {
	if t == (idText{}) {
		return ""
	}
	return unique.Handle[string](t).Value()
}

// ThreadID, ObjectID and ClassID are the ids of threads, objects and classes. Ids of different kinds do not mix,
// although agents draw them from one space of numbers. The zero value means that there is no id.
type (
	// ThreadID identifies a thread while it lives; the id may be used again after its end.
	ThreadID struct{ ID }
	// ObjectID identifies an object until it is freed or moved.
	ObjectID struct{ ID }
	// ClassID identifies a class until it is unloaded.
	ClassID struct{ ID }
)

// ThreadFrom makes a thread's id of its text; an empty text is no id.
func ThreadFrom(text []byte) ThreadID { return ThreadID{IDFrom(text)} }

// ObjectFrom makes an object's id of its text; an empty text is no id.
func ObjectFrom(text []byte) ObjectID { return ObjectID{IDFrom(text)} }

const zeroNumber = 1 // the number of the text "0"

var sleepText = textOf("-1")

// IDFrom makes an id of its text; an empty text is no id.
func IDFrom(text []byte) ID {
	switch {
	case len(text) == 0:
		return ID{}
	case len(text) > 18 || text[0] == '0' && len(text) > 1:
		return ID{text: textOf(string(text))}
	case string(text) == "-1":
		return ID{text: sleepText}
	}
	value := uint64(0)
	for _, c := range text {
		if c-'0' > 9 {
			return ID{text: textOf(string(text))}
		}
		value = value*10 + uint64(c-'0')
	}
	return ID{number: value + 1}
}

// Known reports whether there is an id.
func (i ID) Known() bool { return i.number != 0 || i.text != (idText{}) }

// Number returns the id as a number, if it is a decimal one as agents write it.
func (i ID) Number() (value uint64, ok bool) { return i.number - 1, i.number != 0 }

// String is the text of the id as it is in the trace.
func (i ID) String() string {
	if i.number != 0 {
		return strconv.FormatUint(i.number-1, 10)
	}
	return i.text.String()
}

// AppendTo appends the text of the id as it is in the trace.
func (i ID) AppendTo(dst []byte) []byte {
	if i.number != 0 {
		return digits.Append(dst, i.number-1)
	}
	return append(dst, i.text.String()...)
}

// IsObject reports whether the id can name an object. Agents write "0" where they know no object, and "-1" where a
// thread sleeps.
func (o ObjectID) IsObject() bool {
	return o.number > zeroNumber || o.number == 0 && o.text != (idText{}) && o.text != sleepText
}

// IsSleep reports whether the id is "-1", which agents write for Thread.sleep.
func (o ObjectID) IsSleep() bool { return o.text == sleepText }
