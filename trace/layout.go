package trace

import "github.com/trcx/trcx/internal/digits"

// Layout is where the values of an element are in its text. Layouts of tags that differ only in their digits are
// learned once and shared by their events. A layout does not change after that.
type Layout struct {
	kind    Kind
	timed   bool   // the element has a time attribute
	clock   uint32 // offset of its time, if that is ten digits, a point and nine digits; else 0
	present uint32 // bit i: the attribute at position i of the element's row is present
	short   uint32 // see Short
	decimal uint32 // see Decimal
	spans   [maxAttributes]span
	raw     span // the whole element, if a writer would write it so; else empty
}

// span is a part of a text, in bytes.
type span struct{ begin, end uint32 }

var noLayout Layout

// NewLayout returns the event's layout for texts that begin at byte begin of the event's text and differ from it only
// in digits. The values of the event must be parts of the text given to EventBuilder.ResetText.
func (e *Event) NewLayout(begin uint32) *Layout {
	l := &Layout{kind: e.Kind, present: e.present}
	time := e.Kind.Element().Position(AttrTime)
	for position := range l.spans {
		if e.present>>position&1 == 0 {
			continue
		}
		value, at := e.At(position), e.layout.spans[position]
		l.spans[position] = span{at.begin - begin, at.end - begin}
		if len(value)-1 < 8 && len(value) > 0 && value[len(value)-1] < 0x80 {
			l.short |= 1 << position
		}
		if _, n := digits.Prefix(value); n == len(value) && n > 0 {
			l.decimal |= 1 << position
		}
		if position != time {
			continue
		}
		l.timed = true
		if _, reading := ParseTime(value); reading == Exact && len(value) == commonSize && value[10] == '.' {
			l.clock = l.spans[position].begin
		}
	}
	if raw := e.layout.raw; raw.end > 0 {
		l.raw = span{raw.begin - begin, raw.end - begin}
	}
	return l
}

// Decode makes the event an element of the layout, with a text that the layout fits, and reads its time. It keeps
// Session, Offset and Source. At least 8 bytes of text must follow each value.
func (l *Layout) Decode(e *Event, text []byte) {
	e.Kind, e.present, e.layout, e.text, e.Extra = l.kind, l.present, l, text, nil
	if l.clock > 0 {
		if t, ok := joinCommon((*[commonSize]byte)(text[l.clock:])); ok {
			e.Time, e.Reading = t, Exact
			return
		}
	}
	e.Time, e.Reading = 0, NoTime
	if l.timed {
		e.Time, e.Reading = ParseTime(e.Value(AttrTime))
	}
}

// Restore sets the event as an earlier Decode of the same text did. Its time is the one that Decode read, Exact or
// NoTime.
func (l *Layout) Restore(e *Event, text []byte, time Time) {
	e.Kind, e.present, e.layout, e.text, e.Extra = l.kind, l.present, l, text, nil
	e.Time, e.Reading = time, NoTime
	if l.timed {
		e.Reading = Exact
	}
}

// Short has bit i set if the value at position i of the element's row has one to eight bytes, the last one ASCII. Bits
// are set only in layouts of Event.NewLayout.
func (l *Layout) Short() uint32 { return l.short }

// Decimal has bit i set if the value at position i of the element's row consists of one or more digits. Bits are set
// only in layouts of Event.NewLayout.
func (l *Layout) Decimal() uint32 { return l.decimal }
