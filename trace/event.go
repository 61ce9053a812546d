package trace

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/trcx/trcx/internal/digits"
)

// Event is one element of a trace: a layout, which many elements share, and the text that it refers to. It and the
// slices it returns are valid until the next event is read; use Clone to keep it.
//
// The values of the attributes are the texts in the trace, with XML's own escapes resolved. A time, an id or a name is
// decoded by the method that returns it.
type Event struct {
	Kind Kind
	// Session is the index of the recording that the event belongs to.
	Session int
	// Offset is where the element begins, in bytes of the decompressed input of its session.
	Offset int64
	// Time is the element's time attribute; Reading says how far it could be understood.
	Time    Time
	Reading Reading
	// Extra holds what the table of elements does not have, so that it can be written back; nil for nearly every
	// element.
	Extra *Extra
	// Source locates the element; nil where its place is not known.
	Source Source

	present uint32 // bit i: the attribute at position i of the element's row is present
	layout  *Layout
	text    []byte // what the layout's spans refer to
}

// Source is what events come from.
type Source interface {
	// Locate returns the place of the event in the input, and the text of its start tag, which may be cut off. It may
	// be called only for the event that was read last.
	Locate(e *Event) (Place, []byte)
}

// Extra is what an element has beyond the table.
type Extra struct {
	Known
	// Name is the name of a Foreign element.
	Name string
	// Attributes are those that the element's row does not have, in the order of the input.
	Attributes []NamedValue
	// Inner is what is between the element's tags: elements and character data, as XML text.
	Inner []byte
	// Elements counts the elements inside.
	Elements []ElementCount
	// Stacks has the values of the annotations named stack directly inside the element. The first that IsStack is the
	// thread's stack.
	Stacks [][]byte
}

// Known is what the annotations of an element report: what the recorder knows and no rule can conclude.
type Known struct {
	// By is the thread that caused the event, if the input has it: the thread that released the monitor before a
	// monContendedEntered, or that ended the wait before a monWaited.
	By ThreadID
	// Inferred reports that the element was not observed: the program that wrote it has concluded it.
	Inferred bool
	// Park reports that a wait or a block is one of java.util.concurrent, which parks threads.
	Park bool
	// IO is the operation that a wait waits for, or NoIO.
	IO IO
	// Init is the thread that initialises the class, for a monWait that waits for an initialisation; else unknown.
	Init ThreadID
	// Again reports that the thread of a monContendedEnter was already blocked: only the owner is new.
	Again bool
	// GaveUp is why a monContendedEntered ended without the lock; 0 if it did not.
	GaveUp GaveUp
	// LockFrom is the thread that released the lock that a monWaited has got again.
	LockFrom ThreadID
	// Lock is the lock that the condition of a monWait belongs to.
	Lock ObjectID
	// Wakes lists the ids of the threads that a callNotify wakes, with blanks between; see Woken. It is nil if the
	// input does not report them, and empty if the call wakes no thread.
	Wakes []byte
	// CPU is the CPU time in nanoseconds that the thread has used until the event; 0 if unknown.
	CPU int64
}

// Layout returns the layout of the event.
func (e *Event) Layout() *Layout {
	if e.layout == nil {
		return &noLayout
	}
	return e.layout
}

// Clone returns a copy of the event that stays valid, but for its Source.
func (e *Event) Clone() *Event {
	b := &EventBuilder{}
	b.Copy(e)
	if e.Extra != nil {
		b.Extra = e.Extra.clone()
	}
	return &b.Event
}

// clone returns a copy of everything.
func (x *Extra) clone() *Extra {
	own := *x
	own.Attributes, own.Elements = slices.Clone(x.Attributes), slices.Clone(x.Elements)
	own.Inner, own.Stacks, own.Wakes = bytes.Clone(x.Inner), slices.Clone(x.Stacks), bytes.Clone(x.Wakes)
	for i := range own.Stacks {
		own.Stacks[i] = bytes.Clone(own.Stacks[i])
	}
	return &own
}

// Raw returns the whole element as it is in the input, if a writer would write it byte for byte so; else nil.
func (e *Event) Raw() []byte {
	raw := e.Layout().raw
	return e.text[raw.begin:raw.end]
}

// Inferred reports whether the element was concluded, not reported by a recorder; see Extra.
func (e *Event) Inferred() bool { return e.Extra != nil && e.Extra.Inferred }

// Park reports that a wait or a block is one of java.util.concurrent; see Extra.
func (e *Event) Park() bool { return e.Extra != nil && e.Extra.Park }

// IsAgain reports whether a monContendedEnter only names the owner of the lock on which its thread is already blocked;
// see Extra.
func (e *Event) IsAgain() bool { return e.Kind == MonContendedEnter && e.Park() && e.Extra.Again }

// IO is the operation that a wait waits for, or NoIO; see Extra.
func (e *Event) IO() IO {
	if e.Extra == nil {
		return NoIO
	}
	return e.Extra.IO
}

// Known returns what the annotations of the event report; see Extra.
func (e *Event) Known() Known {
	if e.Extra == nil {
		return Known{}
	}
	return e.Extra.Known
}

// By is the thread that caused the event, if the input has it; see Extra.
func (e *Event) By() ThreadID {
	if e.Extra == nil {
		return ThreadID{}
	}
	return e.Extra.By
}

// Positions has bit i set if the attribute at position i of the element's row is present.
func (e *Event) Positions() uint32 { return e.present }

// At returns the value at the position of the element's row; it must be there.
func (e *Event) At(position int) []byte {
	value := e.layout.spans[position]
	return e.text[value.begin:value.end]
}

// Has reports whether the element has the attribute.
func (e *Event) Has(a Attr) bool {
	position := e.Kind.Element().Position(a)
	return position >= 0 && e.present>>position&1 != 0
}

// Value returns the attribute's text, or nil if the element does not have the attribute.
func (e *Event) Value(a Attr) []byte {
	position := e.Kind.Element().Position(a)
	if position < 0 || e.present>>position&1 == 0 {
		return nil
	}
	return e.At(position)
}

// Timed reports whether the element has a time that could be read.
func (e *Event) Timed() bool { return e.Reading == Exact || e.Reading == Truncated }

// Text returns the attribute as the string that the JVM had; see unescapeJava.
func (e *Event) Text(a Attr) string { return unescapeJava(e.Value(a)) }

// Thread is the thread that acts in the element.
func (e *Event) Thread() ThreadID { return ThreadID{e.ID(e.Kind.Element().thread)} }

// Object is the object of an attribute such as objIdRef.
func (e *Event) Object(a Attr) ObjectID { return ObjectID{e.ID(a)} }

// Class is the class of an attribute such as classIdRef.
func (e *Event) Class(a Attr) ClassID { return ClassID{e.ID(a)} }

// ID is the id of an attribute such as methodIdRef.
func (e *Event) ID(a Attr) ID { return e.id(e.Kind.Element().position[a]) }

// id returns the id at the position of the element's row, counted from 1. There is no id at 0 and for a missing
// attribute.
func (e *Event) id(position int8) ID {
	if position == 0 || e.present>>(position-1)&1 == 0 {
		return ID{}
	}
	value := e.layout.spans[position-1]
	if length := value.end - value.begin; length-1 < 8 && value.end >= 8 {
		shift := (64 - 8*length) & 63
		word := (binary.LittleEndian.Uint64(e.text[value.end-8:]) ^ digits.Zeros) >> shift << shift
		if digits.Others(word) == 0 && (word>>shift&0xFF > 0 || length == 1) {
			return ID{number: digits.Join(word) + 1}
		}
	}
	return IDFrom(e.text[value.begin:value.end])
}

// Flag reports whether the attribute is set: 1 or true.
func (e *Event) Flag(a Attr) bool {
	value := string(e.Value(a))
	return value == "1" || value == "true"
}

// Timeout is the attribute timeout in milliseconds, or NoTimeout if it is not a decimal number of 0 or more.
func (e *Event) Timeout() int64 {
	if value, ok := digits.Number(e.Value(AttrTimeout)); ok {
		return value
	}
	return NoTimeout
}

// Named lists the element's attributes with names, the ones in the table first.
func (e *Event) Named() []NamedValue {
	var named []NamedValue
	for position, attribute := range e.Kind.Element().Attributes {
		if e.present>>position&1 != 0 {
			named = append(named, NamedValue{attribute.Name, unescapeJava(e.At(position))})
		}
	}
	if e.Extra != nil {
		named = append(named, e.Extra.Attributes...)
	}
	return named
}

// Name is the element's name in the XML.
func (e *Event) Name() string {
	if e.Kind == Foreign && e.Extra != nil {
		return e.Extra.Name
	}
	return e.Kind.String()
}
