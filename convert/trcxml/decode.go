package trcxml

import (
	"bytes"

	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
)

// decoder turns start tags into events.
type decoder struct {
	scanner    *xmlscan.Scanner
	places     []*places // by the scanner's id of the element's name
	unresolved string    // a reference in the event at hand to an entity that is not known
	sound      bool      // the event at hand has all attributes that it needs, and none of its values is empty
}

// places says where the attributes of one element name belong. It fills up as attributes are met.
type places struct {
	kind    trace.Kind
	foreign string  // the name of a Foreign element
	of      []place // by the scanner's id of the attribute's name
	habit   habit
}

// habit is where the attributes belong that an element name uses to have, in their order.
type habit struct {
	number    int // the scanner's; see its Habit
	positions []uint8
	flags     []int    // which of the attributes are flags
	present   []uint32 // the positions of the first n attributes, as bits
	ascending bool     // their positions are, as a writer would write them
}

// place is the position of an attribute in its element's row plus one, with marks; 0 before it was looked up.
type place uint8

const (
	positionMask place = 0x1F
	respelled    place = 0x20 // the alias of the attribute's name
	flag         place = 0x40 // 1 or 0, for which true and false may stand
	extra        place = 0x80 // an attribute that the row does not have
)

// plan is what the decoder takes from an element's row once.
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

// nameOnly makes the event an element without attributes, of the name of the start tag at hand.
func (d *decoder) nameOnly(e *trace.Event) {
	places := d.placesOf(d.scanner.Name())
	e.Reset(places.kind, nil)
	if places.kind == trace.Foreign {
		e.Extra = &trace.Extra{Name: places.foreign}
	}
	d.unresolved = d.scanner.Unresolved()
}

// decode fills the event from the start tag at hand.
func (d *decoder) decode(e *trace.Event) {
	shape := d.scanner.Shape()
	if shape != nil {
		if known, ok := shape.Memo.(*shaped); ok {
			d.decodeShaped(e, known)
			return
		}
	}
	d.decodeTag(e)
	if shape != nil {
		d.remember(e, shape)
	}
}

// decodeShaped fills the event from the start tag at hand, of which all but the digits is known.
func (d *decoder) decodeShaped(e *trace.Event, known *shaped) {
	s := d.scanner
	e.Offset = s.Offset()
	begin, _ := s.Bounds()
	e.Take(&known.event, s.Spans()[begin:])
	d.sound, d.unresolved = known.sound, ""
	switch {
	case known.clock > 0:
		e.Time, e.Reading = trace.UsualTime((*[usualTime]byte)(s.Spans()[begin+known.clock:]))
	case known.time >= 0:
		e.Time, e.Reading = trace.ParseTime(e.At(int(known.time)))
	default:
		e.Time, e.Reading = 0, trace.NoTime
	}
}

// shaped is what elements of one shape have in common, as long as it is looked at from the beginning of the tag.
type shaped struct {
	event trace.Event
	sound bool
	time  int8   // the position of the time attribute, or -1 if there is none
	clock uint32 // where in the tag the time is, if it is written as agents write it; else 0
}

// usualTime is the length of a time of ten digits, a point and nine decimals, as agents write it.
const usualTime = 20

// remember keeps for the others of its shape how the event was decoded.
func (d *decoder) remember(e *trace.Event, shape *xmlscan.Shape) {
	if e.Extra != nil || e.Kind == trace.Foreign || e.Copied() {
		return
	}
	begin, _ := d.scanner.Bounds()
	known := &shaped{sound: d.sound, time: plans[e.Kind].time}
	known.event = e.Rebased(begin)
	if known.time >= 0 && e.Positions()>>known.time&1 == 0 {
		known.time = -1
	}
	if known.time >= 0 && e.Reading == trace.Exact {
		if begin, end := known.event.Place(int(known.time)); end-begin == usualTime &&
			e.At(int(known.time))[10] == '.' {
			known.clock = begin
		}
	}
	shape.Memo = known
	// if its time can be read, there is nothing to be said about the element then
	shape.Usual = d.sound && e.Kind != trace.Root
}

// decodeTag fills the event from the start tag at hand, whatever shape that has.
func (d *decoder) decodeTag(e *trace.Event) {
	s := d.scanner
	e.Offset = s.Offset()
	places := d.placesOf(s.Name())
	attributes := s.Attributes()
	if places.kind == trace.Foreign {
		d.sound = false
		d.decodeUnusual(e, places, attributes)
		return
	}
	e.Reset(places.kind, s.Spans())
	d.sound = false
	number, habit := s.Habit(), &places.habit
	if number < 0 || number != habit.number || len(attributes) >= len(habit.present) {
		d.decodeNew(e, places, attributes)
		return
	}
	positions := habit.positions[:len(attributes)]
	shortest := ^uint32(0)
	for i := range positions {
		begin, end, _ := s.Span(&attributes[i])
		shortest = min(shortest, end-begin)
		e.PutSpan(positions[i], begin, end)
	}
	for _, i := range habit.flags {
		if i < len(attributes) && !isFlag(s.Value(&attributes[i])) {
			d.decodeUnusual(e, places, attributes)
			return
		}
	}
	e.SetPositions(habit.present[len(attributes)])
	required := plans[e.Kind].required
	d.sound = shortest > 0 && e.Positions()&required == required
	d.complete(e, habit.ascending)
}

// isFlag says whether the value is no other spelling of a flag, all of which are longer.
func isFlag(value []byte) bool { return len(value) == 1 }

// decodeNew fills the event where the attributes are not those that elements of this name use to have; unless one of
// them is unusual, the scanner's next habit begins with them.
func (d *decoder) decodeNew(e *trace.Event, places *places, attributes []xmlscan.Attribute) {
	s := d.scanner
	ascending, last := true, -1
	habit := &places.habit
	habit.number, habit.positions, habit.flags, habit.present = s.Habit(), habit.positions[:0], habit.flags[:0],
		append(habit.present[:0], 0)
	for i := range attributes {
		a := &attributes[i]
		place := places.at(a.Name, s)
		begin, end, asItIs := s.Span(a)
		if place&^(positionMask|flag) != 0 || place&flag != 0 && end-begin != 1 || !asItIs {
			habit.number = -1
			d.decodeUnusual(e, places, attributes)
			return
		}
		position := int(place&positionMask) - 1
		e.SetSpan(position, begin, end)
		ascending = ascending && position > last
		last = position
		habit.positions = append(habit.positions, uint8(position))
		habit.present = append(habit.present, e.Positions())
		if place&flag != 0 {
			habit.flags = append(habit.flags, i)
		}
	}
	habit.ascending = ascending
	d.complete(e, ascending)
}

// complete notes what follows from the attributes of an event whose values stand in the input as they are.
func (d *decoder) complete(e *trace.Event, ascending bool) {
	if ascending && d.scanner.Plain() {
		e.SetRaw(d.scanner.Bounds())
	}
	d.readTime(e)
}

func (d *decoder) readTime(e *trace.Event) {
	if position := plans[e.Kind].time; position >= 0 && e.Positions()>>position&1 != 0 {
		e.Time, e.Reading = trace.ParseTime(e.At(int(position)))
	}
}

// decodeUnusual fills the event where an attribute is unknown, spelled in another way, a flag, or not in the input as
// it is.
func (d *decoder) decodeUnusual(e *trace.Event, places *places, attributes []xmlscan.Attribute) {
	s := d.scanner
	e.Reset(places.kind, nil)
	if places.kind == trace.Foreign {
		e.Extra = &trace.Extra{Name: places.foreign}
	}
	var aliases []*xmlscan.Attribute
	for i := range attributes {
		a := &attributes[i]
		place, value := places.at(a.Name, s), s.Value(a)
		position := int(place&positionMask) - 1
		switch {
		case place&extra != 0:
			addExtra(e, s.TextOf(a.Name), value)
			continue
		case place&respelled != 0:
			aliases = append(aliases, a)
			continue
		}
		if proper := properFlag(value); place&flag != 0 && proper != "" {
			value = []byte(proper)
		}
		e.SetValue(position, value)
	}
	for _, a := range aliases { // where the proper spelling is there, that one counts
		position := int(places.at(a.Name, s)&positionMask) - 1
		if e.Positions()>>position&1 != 0 {
			addExtra(e, s.TextOf(a.Name), s.Value(a))
		} else {
			e.SetValue(position, s.Value(a))
		}
	}
	d.readTime(e)
	if e.Reading == trace.NoTime {
		readExtraTime(e)
	}
	d.unresolved = s.Unresolved()
}

// properFlag is the flag as the grammar has it, or "" if the value is none.
func properFlag(value []byte) string {
	switch string(value) {
	case "1", "true":
		return "1"
	case "0", "false":
		return "0"
	}
	return ""
}

// readExtraTime reads the time of an element for which the table has none.
func readExtraTime(e *trace.Event) {
	if e.Extra == nil || plans[e.Kind].time >= 0 {
		return
	}
	for _, a := range e.Extra.Attributes {
		if a.Name == trace.AttrTime.String() {
			e.Time, e.Reading = trace.ParseTime([]byte(a.Value))
		}
	}
}

func addExtra(e *trace.Event, name string, value []byte) {
	if e.Extra == nil {
		e.Extra = &trace.Extra{}
	}
	e.Extra.Attributes = append(e.Extra.Attributes, trace.NamedValue{Name: name, Value: string(value)})
}

func (d *decoder) placesOf(id xmlscan.NameID) *places {
	if int(id) < len(d.places) && d.places[id] != nil {
		return d.places[id]
	}
	if int(id) >= len(d.places) {
		d.places = append(d.places, make([]*places, int(id)+1-len(d.places))...)
	}
	text := d.scanner.TextOf(id)
	found := &places{kind: trace.Lookup([]byte(text))}
	if found.kind == trace.Foreign {
		found.foreign = text
	}
	d.places[id] = found
	return found
}

func (p *places) at(id xmlscan.NameID, s *xmlscan.Scanner) place {
	if int(id) >= len(p.of) || p.of[id] == 0 {
		p.find(id, s.TextOf(id))
	}
	return p.of[id]
}

// find looks up the attribute of the name.
func (p *places) find(id xmlscan.NameID, text string) {
	if int(id) >= len(p.of) {
		p.of = append(p.of, make([]place, int(id)+1-len(p.of))...)
	}
	element := p.kind.Element()
	position, proper := element.Find([]byte(text))
	if position < 0 {
		p.of[id] = extra
		return
	}
	found := place(position + 1)
	if !proper {
		found |= respelled
	}
	if element.Attributes[position].Type == trace.Flag {
		found |= flag
	}
	p.of[id] = found
}

func trimSpace(text []byte) []byte { return bytes.Trim(text, " \t\r\n") }
