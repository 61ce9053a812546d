package trace

import "github.com/trcx/trcx/internal/digits"

// EventBuilder builds an event, attribute by attribute, for readers of any format. The event has a layout of its own,
// so an EventBuilder must not be copied. The event is valid until the next Reset.
type EventBuilder struct {
	Event
	own    []byte // values that are copies
	owned  bool   // the event's text is own
	layout Layout
}

// Reset begins an element of the kind without attributes. Its values will be copies. Session, Offset and Source stay.
func (b *EventBuilder) Reset(kind Kind) {
	b.own = b.own[:0]
	b.ResetText(kind, b.own)
	b.owned = true
}

// ResetText begins an element of the kind without attributes. Its values will be parts of the text.
func (b *EventBuilder) ResetText(kind Kind, text []byte) {
	b.Kind, b.present, b.text, b.owned = kind, 0, text, false
	b.Time, b.Reading, b.Extra = 0, NoTime, nil
	b.layout.kind, b.layout.present, b.layout.raw = kind, 0, span{}
	b.Event.layout = &b.layout
}

// SetSpan sets the attribute at the position of the element's row to text[begin:end] of the text given to ResetText.
func (b *EventBuilder) SetSpan(position int, begin, end uint32) {
	b.layout.spans[position%maxAttributes] = span{begin, end}
	b.present |= 1 << (position % maxAttributes)
	b.layout.present = b.present
}

// SetRaw sets that the text given to ResetText is, from begin to end, the whole element, byte for byte as a writer
// would write it.
func (b *EventBuilder) SetRaw(begin, end uint32) { b.layout.raw = span{begin, end} }

// SetValue sets the attribute at the position of the element's row to a copy of the value, in which XML's escapes are
// resolved.
func (b *EventBuilder) SetValue(position int, value []byte) {
	begin := len(b.own)
	b.own = append(b.own, value...)
	b.setOwn(position, begin)
}

// SetNumber sets the attribute at the position of the element's row to a decimal number.
func (b *EventBuilder) SetNumber(position int, value uint64) {
	begin := len(b.own)
	b.own = digits.Append(b.own, value)
	b.setOwn(position, begin)
}

// SetText sets the attribute, which the element must have, to a string as the JVM had it; see EscapeJava.
func (b *EventBuilder) SetText(a Attr, value string) {
	begin := len(b.own)
	b.own = EscapeJava(b.own, value)
	b.setOwn(b.Kind.Element().Position(a), begin)
}

// setOwn sets the attribute to the end of the copied values.
func (b *EventBuilder) setOwn(position, begin int) {
	b.text = b.own
	b.SetSpan(position, uint32(begin), uint32(len(b.own)))
}

// Copy makes the event a copy of e with copied values. e may be the builder's own event. Extra and Source are not
// copied but shared with e.
func (b *EventBuilder) Copy(e *Event) {
	if from := e.Layout(); from != &b.layout || !b.owned {
		text, spans := e.text, from.spans
		present, time, reading, extra := e.present, e.Time, e.Reading, e.Extra
		b.Session, b.Offset, b.Source = e.Session, e.Offset, e.Source
		b.Reset(e.Kind)
		for position := range spans {
			if present>>position&1 != 0 {
				b.SetValue(position, text[spans[position].begin:spans[position].end])
			}
		}
		b.Time, b.Reading, b.Extra = time, reading, extra
	}
}

// Owned reports whether the event's values are copies.
func (b *EventBuilder) Owned() bool { return b.owned }

// Fill makes e the element that was built, but for Session, Offset and Source, which stay.
func (b *EventBuilder) Fill(e *Event) {
	e.Kind, e.present, e.layout, e.text = b.Kind, b.present, b.Event.layout, b.text
	e.Time, e.Reading, e.Extra = b.Time, b.Reading, b.Extra
}
