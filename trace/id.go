package trace

import "strconv"

// id is the text of an id attribute in a form that can be compared and used as a map key without touching the heap.
// Nearly all ids are decimal numbers; those are kept as the number, which gives the same text back. The rest keep their text.
type id struct {
	number uint64 // the value plus one, if the text is a decimal number without leading zeros, of at most 18 digits
	text   string // otherwise
}

// ThreadID, ObjectID and ClassID are the ids of threads, objects and classes. Ids of different kinds do not mix, although
// agents draw them from one space of numbers. The zero value means that there is no id.
type (
	// ThreadID identifies a thread while it lives; the id may be used again after its end.
	ThreadID struct{ id }
	// ObjectID identifies an object until it is freed or moved.
	ObjectID struct{ id }
	// ClassID identifies a class until it is unloaded.
	ClassID struct{ id }
)

// ThreadFrom makes a thread's id of its text; an empty text is no id.
func ThreadFrom(text []byte) ThreadID { return ThreadID{idFrom(text)} }

// ObjectFrom makes an object's id of its text; an empty text is no id.
func ObjectFrom(text []byte) ObjectID { return ObjectID{idFrom(text)} }

// ClassFrom makes a class's id of its text; an empty text is no id.
func ClassFrom(text []byte) ClassID { return ClassID{idFrom(text)} }

const (
	sleepText  = "-1"
	zeroNumber = 1 // the number of the text "0"
)

func idFrom(text []byte) id {
	switch {
	case len(text) == 0:
		return id{}
	case len(text) > 18 || text[0] == '0' && len(text) > 1:
		return id{text: string(text)}
	case string(text) == sleepText:
		return id{text: sleepText}
	}
	value := uint64(0)
	for _, c := range text {
		if c-'0' > 9 {
			return id{text: string(text)}
		}
		value = value*10 + uint64(c-'0')
	}
	return id{number: value + 1}
}

// Known says whether there is an id at all.
func (i id) Known() bool { return i.number != 0 || i.text != "" }

// Number returns the id as a number, if it is a decimal one as agents write it.
func (i id) Number() (value uint64, ok bool) { return i.number - 1, i.number != 0 }

// String is the text of the id as it stands in the trace.
func (i id) String() string {
	if i.number != 0 {
		return strconv.FormatUint(i.number-1, 10)
	}
	return i.text
}

// AppendTo appends the text of the id as it stands in the trace.
func (i id) AppendTo(dst []byte) []byte {
	if i.number != 0 {
		return appendDecimal(dst, i.number-1)
	}
	return append(dst, i.text...)
}

// IsObject says whether the id can be that of an object: agents write "0" where they know no object, and "-1" where a
// thread sleeps.
func (o ObjectID) IsObject() bool {
	return o.number > zeroNumber || o.number == 0 && o.text != "" && o.text != sleepText
}

// IsSleep says whether the id is the "-1" that stands for Thread.sleep.
func (o ObjectID) IsSleep() bool { return o.text == sleepText }

func appendDecimal(dst []byte, value uint64) []byte {
	if value < 10 {
		return append(dst, byte('0'+value))
	}
	return strconv.AppendUint(dst, value, 10)
}
