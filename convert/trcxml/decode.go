package trcxml

import (
	"bytes"

	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
)

// decoder decodes start tags into events. It keeps what it learns about tags in columns, by the number of their
// template or pattern, so nearly every tag costs one load from a column.
type decoder struct {
	scanner  *xmlscan.Scanner
	elements []*element // by the scanner's id of the element's name
	places   xmlscan.Column[xmlscan.TemplateID, places]
	layouts  xmlscan.Column[xmlscan.PatternID, layout]
	ready    xmlscan.Column[xmlscan.PatternID, bool] // for such a tag, element only has to decode it
	builders *builders

	unresolved string // a reference in the current event to an unknown entity
	sound      bool   // the current event has all required attributes and no empty value
}

// element has what is known about an element name and the attributes met so far.
type element struct {
	kind    trace.Kind
	foreign string  // the name of a Foreign element
	of      []place // by the scanner's id of the attribute's name
}

// places has the positions of the attributes of a template, whose values are literally in the input. The zero value
// means that nothing is known.
type places struct {
	known     bool
	ascending bool // the positions ascend, as in a writer's order
	kind      trace.Kind
	positions []uint8
	flags     uint64 // the attributes that are flags, as bits
}

// layout has what is known for decoding tags of a pattern.
type layout struct {
	*trace.Layout      // nil before the first tag was decoded
	sound         bool // see decoder
}

// builders has the builders of events that share no layout: one builder, or in a chunk one for each event.
type builders struct {
	all  []*trace.EventBuilder
	used int
	keep bool // the next event gets a new builder
}

// next returns the builder for the next event.
func (b *builders) next() *trace.EventBuilder {
	if !b.keep {
		b.used = 0
	}
	if b.used == len(b.all) {
		b.all = append(b.all, &trace.EventBuilder{})
	}
	b.used++
	return b.last()
}

// last returns the builder of the last event that was not decoded by its pattern.
func (b *builders) last() *trace.EventBuilder { return b.all[b.used-1] }

// place is the position of an attribute in its element's row plus one, with marks; 0 before the first lookup.
type place uint8

const (
	positionMask place = 0x1F
	respelled    place = 0x20 // the alias of the attribute's name
	flag         place = 0x40 // 1 or 0; true and false are accepted
	extra        place = 0x80 // an attribute that the row does not have
)

// plan has what the decoder needs from an element's row.
type plan struct {
	required uint32 // bit i: the attribute at position i is Required
	time     int8   // the position of the time attribute, or -1
}

var plans = planAll()

func planAll() (plans [trace.KindCount]plan) {
	for kind := range plans {
		element := trace.Kind(kind).Element()
		plans[kind].time = int8(element.Position(trace.AttrTime))
		for position, attribute := range element.Attributes {
			if attribute.Required {
				plans[kind].required |= 1 << position
			}
		}
	}
	return plans
}

// nameOnly makes the event an element without attributes, with the name of the current start tag.
func (d *decoder) nameOnly(e *trace.Event) {
	d.empty(e, d.elementOf(d.scanner.Name()))
	d.unresolved = d.scanner.Unresolved()
}

// empty makes the event an element without attributes.
func (d *decoder) empty(e *trace.Event, of *element) {
	b := d.builders.next()
	of.begin(b)
	b.Fill(e)
}

// begin makes the builder begin an element without attributes, whose values will be copies.
func (e *element) begin(b *trace.EventBuilder) {
	b.Reset(e.kind)
	if e.kind == trace.Foreign {
		b.Extra = &trace.Extra{Name: e.foreign}
	}
}

// decode decodes the current start tag into the event.
func (d *decoder) decode(e *trace.Event) {
	e.Offset = d.scanner.Offset()
	_, pattern := d.scanner.Template()
	if pattern == 0 {
		d.decodeTag(e)
		return
	}
	known := d.layouts.At(pattern)
	if known.Layout == nil {
		d.decodeTag(e)
		d.learnLayout(e, pattern, known)
		return
	}
	begin, _ := d.scanner.Bounds()
	d.sound, d.unresolved = known.sound, ""
	known.Decode(e, d.scanner.Spans()[begin:])
}

// learnLayout keeps the layout of the event for further tags of its pattern.
func (d *decoder) learnLayout(e *trace.Event, pattern xmlscan.PatternID, known *layout) {
	if e.Extra != nil || e.Kind == trace.Foreign || d.builders.last().Owned() {
		return
	}
	begin, _ := d.scanner.Bounds()
	known.Layout, known.sound = e.NewLayout(begin), d.sound
	*d.ready.At(pattern) = d.sound && e.Kind != trace.Root
}

// decodeTag decodes the current start tag into the event attribute by attribute.
func (d *decoder) decodeTag(e *trace.Event) {
	s := d.scanner
	attributes := s.Attributes()
	d.sound = false
	arranged := s.Arranged()
	if arranged == 0 {
		d.decodeNew(e, attributes, nil)
		return
	}
	template, _ := s.Template()
	known := d.places.At(arranged)
	if !known.known || len(attributes) > len(known.positions) {
		if template == 0 {
			known = nil
		}
		d.decodeNew(e, attributes, known)
		return
	}
	b := d.builders.next()
	b.ResetText(known.kind, s.Spans())
	shortest := ^uint32(0)
	for i := range attributes {
		begin, end, _ := s.Span(&attributes[i])
		place := attributes[i].Place
		if known.flags>>place&1 != 0 && !isFlag(end-begin) {
			d.decodeCopy(e, b, attributes)
			return
		}
		shortest = min(shortest, end-begin)
		b.SetSpan(int(known.positions[place]), begin, end)
	}
	required := plans[known.kind].required
	d.sound = shortest > 0 && b.Positions()&required == required
	d.complete(e, b, known.ascending && template != 0)
}

// isFlag reports whether a value of the size is a flag in the writers' spelling: all other spellings are longer.
func isFlag(size uint32) bool { return size == 1 }

// decodeNew decodes attributes that match no template. It keeps their places in learned, if not nil, unless an
// attribute is unknown, spelled differently, or not literally in the input.
func (d *decoder) decodeNew(e *trace.Event, attributes []xmlscan.Attribute, learned *places) {
	s := d.scanner
	of := d.elementOf(s.Name())
	b := d.builders.next()
	b.ResetText(of.kind, s.Spans())
	if of.kind == trace.Foreign {
		d.decodeCopy(e, b, attributes)
		return
	}
	ascending, last := true, -1
	for i := range attributes {
		a := &attributes[i]
		place := of.at(a.Name, s)
		begin, end, asItIs := s.Span(a)
		if place&^(positionMask|flag) != 0 || place&flag != 0 && !isFlag(end-begin) || !asItIs {
			d.decodeCopy(e, b, attributes)
			return
		}
		position := int(place&positionMask) - 1
		b.SetSpan(position, begin, end)
		ascending = ascending && position > last
		last = position
	}
	if learned != nil {
		learned.learn(of, attributes, ascending, s)
	}
	d.complete(e, b, ascending)
}

// learn keeps the places of the attributes. All of them are in the element's row.
func (p *places) learn(of *element, attributes []xmlscan.Attribute, ascending bool, s *xmlscan.Scanner) {
	*p = places{known: true, kind: of.kind, ascending: ascending}
	for i := range attributes {
		place := of.at(attributes[i].Name, s)
		position := place&positionMask - 1
		p.positions = append(p.positions, uint8(position))
		if place&flag != 0 {
			p.flags |= 1 << i
		}
	}
}

// complete completes an event whose values are literally in the input.
func (d *decoder) complete(e *trace.Event, b *trace.EventBuilder, ascending bool) {
	if ascending && d.scanner.Plain() {
		b.SetRaw(d.scanner.Bounds())
	}
	readTime(b)
	b.Fill(e)
}

func readTime(b *trace.EventBuilder) {
	if position := plans[b.Kind].time; position >= 0 && b.Positions()>>position&1 != 0 {
		b.Time, b.Reading = trace.ParseTime(b.At(int(position)))
	}
}

// decodeCopy decodes a tag with an attribute that is unknown, spelled differently, or not literally in the input. The
// values are copies.
func (d *decoder) decodeCopy(e *trace.Event, b *trace.EventBuilder, attributes []xmlscan.Attribute) {
	s := d.scanner
	of := d.elementOf(s.Name())
	of.begin(b)
	var aliases []*xmlscan.Attribute
	for i := range attributes {
		a := &attributes[i]
		place, value := of.at(a.Name, s), s.Value(a)
		position := int(place&positionMask) - 1
		switch {
		case place&extra != 0:
			addExtra(b, s.TextOf(a.Name), value)
			continue
		case place&respelled != 0:
			aliases = append(aliases, a)
			continue
		}
		if proper := properFlag(value); place&flag != 0 && proper != "" {
			value = []byte(proper)
		}
		b.SetValue(position, value)
	}
	for _, a := range aliases { // the proper spelling has precedence
		position := int(of.at(a.Name, s)&positionMask) - 1
		if b.Positions()>>position&1 != 0 {
			addExtra(b, s.TextOf(a.Name), s.Value(a))
		} else {
			b.SetValue(position, s.Value(a))
		}
	}
	readTime(b)
	if b.Reading == trace.NoTime {
		readExtraTime(b)
	}
	b.Fill(e)
	d.unresolved = s.Unresolved()
}

// properFlag returns the flag as the grammar has it, or "" if the value is not a flag.
func properFlag(value []byte) string {
	switch string(value) {
	case "1", "true":
		return "1"
	case "0", "false":
		return "0"
	}
	return ""
}

// readExtraTime reads the time of an element that has none in the table.
func readExtraTime(b *trace.EventBuilder) {
	if b.Extra == nil || plans[b.Kind].time >= 0 {
		return
	}
	for _, a := range b.Extra.Attributes {
		if a.Name == trace.AttrTime.String() {
			b.Time, b.Reading = trace.ParseTime([]byte(a.Value))
		}
	}
}

func addExtra(b *trace.EventBuilder, name string, value []byte) {
	if b.Extra == nil {
		b.Extra = &trace.Extra{}
	}
	b.Extra.Attributes = append(b.Extra.Attributes, trace.NamedValue{Name: name, Value: string(value)})
}

// elementOf returns what is known about the element name.
func (d *decoder) elementOf(id xmlscan.NameID) *element {
	if int(id) < len(d.elements) && d.elements[id] != nil {
		return d.elements[id]
	}
	if int(id) >= len(d.elements) {
		d.elements = append(d.elements, make([]*element, int(id)+1-len(d.elements))...)
	}
	text := d.scanner.TextOf(id)
	found := &element{kind: trace.Lookup([]byte(text))}
	if found.kind == trace.Foreign {
		found.foreign = text
	}
	d.elements[id] = found
	return found
}

// at returns the place of the attribute of the name.
func (e *element) at(id xmlscan.NameID, s *xmlscan.Scanner) place {
	if int(id) >= len(e.of) || e.of[id] == 0 {
		e.find(id, s.TextOf(id))
	}
	return e.of[id]
}

// find looks up the attribute of the name.
func (e *element) find(id xmlscan.NameID, text string) {
	if int(id) >= len(e.of) {
		e.of = append(e.of, make([]place, int(id)+1-len(e.of))...)
	}
	row := e.kind.Element()
	position, proper := row.Find([]byte(text))
	if position < 0 {
		e.of[id] = extra
		return
	}
	found := place(position + 1)
	if !proper {
		found |= respelled
	}
	if row.Attributes[position].Type == trace.Flag {
		found |= flag
	}
	e.of[id] = found
}

func trimSpace(text []byte) []byte { return bytes.Trim(text, " \t\r\n") }
