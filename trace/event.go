package trace

import "encoding/binary"

// Event is one element of a trace, as it was read. It is reused from one element to the next: who keeps it, or a slice
// that it returns, copies it.
//
// The values of the attributes are the texts that stand in the trace, with XML's own escapes resolved; what means more
// than its text (a time, an id, a name) is decoded when it is asked for.
type Event struct {
	Kind Kind
	// Session is the index of the recording that the event belongs to.
	Session int
	// Offset is where the element begins, in bytes of the decompressed input of its session.
	Offset int64
	// Time is the element's time attribute; Reading says how far it could be understood.
	Time    Time
	Reading Reading
	// Extra holds what the table does not know of, so that it can be written back; nil for nearly every element.
	Extra *Extra
	// Source knows where the element stands; nil where that is not known.
	Source Source
	// Memo is, on an event that others are Like, for whoever takes these: to keep what holds for all of them.
	Memo any

	present uint32 // bit i: the attribute at position i of the element's row is there
	values  [MaxAttributes]span
	raw     span   // the whole element, if that is how a writer would write it; else empty
	like    *Event // see Like
	text    []byte // what the spans refer to
	own     []byte // text, where it belongs to the event
	owner   bool   // it does
}

type span struct{ begin, end uint32 }

// Source is what events come from.
type Source interface {
	// Locate returns where the event stands in the input, and its start tag as it stands there, which may be cut off.
	// It may be asked about the event that was taken last only.
	Locate(e *Event) (Place, []byte)
}

// Extra is what an element has beyond the table.
type Extra struct {
	// By is the thread that brought the event about, where the input knows that: who let go of the monitor that a
	// monContendedEntered has got, who ended the wait of a monWaited.
	By ThreadID
	// Inferred says that the input does not report the element: whoever wrote it has concluded it.
	Inferred bool
	// Name is the name of a Foreign element.
	Name string
	// Attributes are those that the element's row does not have, in the order of the input.
	Attributes []NamedValue
	// Inner is what stands between the element's tags: elements and character data, as XML text.
	Inner []byte
	// Elements counts the elements inside.
	Elements []ElementCount
	// Stacks has the values of the annotations named stack that stand directly inside. The first one that IsStack says
	// where the thread was.
	Stacks [][]byte
}

// Reset makes the event an empty element of the kind whose values will be parts of text, or copies if that is nil.
func (e *Event) Reset(kind Kind, text []byte) {
	e.Kind, e.text, e.present = kind, text, 0
	e.own, e.owner = e.own[:0], text == nil
	e.Time, e.Reading, e.raw, e.Extra, e.like = 0, NoTime, span{}, nil, nil
}

// SetSpan sets the attribute at the position of the element's row to text[begin:end] of the text that was given to
// Reset.
func (e *Event) SetSpan(position int, begin, end uint32) {
	e.values[position] = span{begin, end}
	e.present |= 1 << position
}

// Take makes the event an element like another one, of which only the text differs: the attributes stand at the same
// places in it.
func (e *Event) Take(like *Event, text []byte) {
	e.Kind, e.text, e.present = like.Kind, text, like.present
	e.own, e.owner, e.Extra, e.like = e.own[:0], false, nil, like
}

// layout is the event that says where the values are: another one, if this is like it.
func (e *Event) layout() *Event {
	if e.like != nil {
		return e.like
	}
	return e
}

// Like is the event of which this one differs in its digits only, or nil. The attributes of both stand at the same
// places, counted from where their texts begin, and where one has a digit, so has the other; all else is the same.
func (e *Event) Like() *Event { return e.like }

// Bytes is the text that Place counts from; there is more behind the element.
func (e *Event) Bytes() []byte { return e.text }

// Rebased is a copy of the event for Take, whose places in the text count from the byte at begin.
func (e *Event) Rebased(begin uint32) Event {
	like := Event{Kind: e.Kind, present: e.present, values: e.layout().values, raw: e.layout().raw}
	for position := range like.values {
		if e.present>>position&1 != 0 {
			like.values[position].begin -= begin
			like.values[position].end -= begin
		}
	}
	if like.raw.end > 0 {
		like.raw.begin, like.raw.end = like.raw.begin-begin, like.raw.end-begin
	}
	return like
}

// Copied says whether the values are copies and no parts of the text that was given to Reset.
func (e *Event) Copied() bool { return e.owner }

// PutSpan is SetSpan for many: it does not say that the attribute is there, which SetPositions then says of all. The
// position must be below MaxAttributes.
func (e *Event) PutSpan(position uint8, begin, end uint32) {
	e.values[position%MaxAttributes] = span{begin, end}
}

// SetPositions says which attributes are there; see Positions.
func (e *Event) SetPositions(present uint32) { e.present = present }

// SetValue sets the attribute at the position of the element's row to a copy of the value. The event must have been
// Reset with a nil text.
func (e *Event) SetValue(position int, value []byte) {
	begin := uint32(len(e.own))
	e.own = append(e.own, value...)
	e.text = e.own
	e.SetSpan(position, begin, uint32(len(e.own)))
}

// SetNumber is SetValue of a decimal number.
func (e *Event) SetNumber(position int, value uint64) {
	begin := uint32(len(e.own))
	e.own = AppendDecimal(e.own, value)
	e.text = e.own
	e.SetSpan(position, begin, uint32(len(e.own)))
}

// SetText sets the attribute, which the element must have, to a string as the JVM had it; see EscapeJava. The event
// must have been Reset with a nil text.
func (e *Event) SetText(a Attr, value string) {
	begin := uint32(len(e.own))
	e.own = EscapeJava(e.own, value)
	e.text = e.own
	e.SetSpan(e.Kind.Element().Position(a), begin, uint32(len(e.own)))
}

// Own makes copies of the values, where they are still parts of the text that was given to Reset.
func (e *Event) Own() {
	if e.owner {
		return
	}
	text, values := e.text, e.layout().values
	e.own, e.owner, e.raw, e.like = e.own[:0], true, span{}, nil
	for position := range e.Kind.Element().Attributes {
		if e.present>>position&1 != 0 {
			value := values[position]
			e.SetValue(position, text[value.begin:value.end])
		}
	}
}

// SetRaw notes that the text given to Reset holds, from begin to end, the whole element, byte for byte as a writer
// would write it.
func (e *Event) SetRaw(begin, end uint32) { e.raw = span{begin, end} }

// Raw is the whole element as it stands in the input, if that is byte for byte what a writer would write; else empty.
func (e *Event) Raw() []byte {
	raw := e.layout().raw
	return e.text[raw.begin:raw.end]
}

// Inferred says that the element was concluded and not reported; see Extra.
func (e *Event) Inferred() bool { return e.Extra != nil && e.Extra.Inferred }

// By is the thread that brought the event about, where the input knows that; see Extra.
func (e *Event) By() ThreadID {
	if e.Extra == nil {
		return ThreadID{}
	}
	return e.Extra.By
}

// Positions has bit i set if the attribute at position i of the element's row is there.
func (e *Event) Positions() uint32 { return e.present }

// At returns the value at the position of the element's row; it must be there.
func (e *Event) At(position int) []byte {
	s := e.layout().values[position]
	return e.text[s.begin:s.end]
}

// Place returns where in the text the value at the position of the element's row begins and ends; it must be there.
func (e *Event) Place(position int) (begin, end uint32) {
	value := e.layout().values[position]
	return value.begin, value.end
}

// Has says whether the element has the attribute.
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

// Timed says whether the element has a time that could be read.
func (e *Event) Timed() bool { return e.Reading == Exact || e.Reading == Truncated }

// Text returns the attribute as the string that the JVM had; see UnescapeJava.
func (e *Event) Text(a Attr) string { return UnescapeJava(e.Value(a)) }

// Thread is the thread that acts in the element.
func (e *Event) Thread() ThreadID { return ThreadID{e.ID(e.Kind.Element().thread)} }

// Object is the object of an attribute such as objIdRef.
func (e *Event) Object(a Attr) ObjectID { return ObjectID{e.ID(a)} }

// Class is the class of an attribute such as classIdRef.
func (e *Event) Class(a Attr) ClassID { return ClassID{e.ID(a)} }

// ID is the id of an attribute such as methodIdRef.
func (e *Event) ID(a Attr) ID { return e.id(e.Kind.Element().position[a]) }

// id is the id at the position of the element's row, which is counted from 1; none if that is 0 or the element does not
// have the attribute.
func (e *Event) id(position int8) ID {
	if position == 0 || e.present>>(position-1)&1 == 0 {
		return ID{}
	}
	value := e.layout().values[position-1]
	if length := value.end - value.begin; length-1 < 8 && value.end >= 8 {
		shift := (64 - 8*length) & 63
		word := (binary.LittleEndian.Uint64(e.text[value.end-8:]) ^ zeros) >> shift << shift
		if notDigits(word) == 0 && (word>>shift&0xFF > 0 || length == 1) {
			return ID{number: eightDigits(word) + 1}
		}
	}
	return IDFrom(e.text[value.begin:value.end])
}

// Flag reads 1 and true as yes, 0 and false as no; anything else, or no attribute, is not set.
func (e *Event) Flag(a Attr) (value, set bool) {
	switch string(e.Value(a)) {
	case "1", "true":
		return true, true
	case "0", "false":
		return false, true
	}
	return false, false
}

// Timeout is the attribute timeout in milliseconds, or NoTimeout if it is not a decimal number of 0 or more.
func (e *Event) Timeout() int64 {
	text := e.Value(AttrTimeout)
	value, n := decimal(text)
	if n == 0 || n != len(text) || value > 1<<62 {
		return NoTimeout
	}
	return int64(value)
}

// Named lists the element's attributes by name, those of the table first.
func (e *Event) Named() []NamedValue {
	var named []NamedValue
	for position, attribute := range e.Kind.Element().Attributes {
		if e.present>>position&1 != 0 {
			named = append(named, NamedValue{attribute.Name, UnescapeJava(e.At(position))})
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
