package monlog

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// code has the classes and methods of a trace.
type code struct {
	classes map[trace.ClassID]*class
	methods map[trace.ID]*method
	order   []*method          // as they were defined
	numbers *numbers[trace.ID] // of methods
	frames  []byte
	// linesForLocations reports that lines were written as locations.
	linesForLocations bool
}

type class struct {
	name, source string
	defined      bool
}

type method struct {
	number          uint64
	name, signature string
	class           *class
	lines           map[uint64]int32 // by location
}

func newCode() code {
	return code{classes: map[trace.ClassID]*class{}, methods: map[trace.ID]*method{},
		numbers: newNumbers[trace.ID](firstGiven, math.MaxUint64)}
}

func (c *code) classOf(id trace.ClassID) *class {
	known := c.classes[id]
	if known == nil {
		known = &class{}
		c.classes[id] = known
	}
	return known
}

func (c *code) class(e *trace.Event) {
	id := e.Class(trace.AttrClassID)
	known := c.classOf(id)
	if known.defined {
		known = &class{}
		c.classes[id] = known
	}
	known.name, known.source, known.defined = e.Text(trace.AttrName), e.Text(trace.AttrSourceName), true
}

func (c *code) method(e *trace.Event) {
	id := e.ID(trace.AttrMethodID)
	if !id.Known() {
		return
	}
	defined := method{number: c.number(id), name: e.Text(trace.AttrName), signature: e.Text(trace.AttrSignature),
		class: c.classOf(e.Class(trace.AttrClassIDRef)), lines: map[uint64]int32{}}
	if before := c.methods[id]; before != nil {
		if before.name == defined.name && before.signature == defined.signature && before.class == defined.class {
			return // agents may repeat it
		}
		defined.number = c.numbers.give()
		c.numbers.given[id] = defined.number
	}
	c.methods[id] = &defined
	c.order = append(c.order, &defined)
}

// number returns the number of a method in the log.
func (c *code) number(id trace.ID) uint64 {
	number, ok := ownNumber(id)
	return c.numbers.of(id, number, ok)
}

// ownNumber returns the id as a number, if it is a number without leading zeros: 7 and 007 are two methods.
func ownNumber(id trace.ID) (uint64, bool) {
	if number, ok := id.Number(); ok {
		return number, true
	}
	text := id.String()
	number, err := strconv.ParseUint(text, 10, 64)
	return number, err == nil && text[0] != '0'
}

// firstGiven is the first number that is given to methods.
const firstGiven = 1 << 63

// unknownLocation is the location of an unknown frame.
const unknownLocation = math.MaxUint32

// appendStack appends a comma and the stack of an element, or nothing if it has none.
func (c *code) appendStack(dst []byte, e *trace.Event) []byte {
	if e.Extra == nil {
		return dst
	}
	text, located := e.Extra.Annotation(trace.NoteLocations)
	at := slices.IndexFunc(e.Extra.Stacks, trace.IsStack)
	switch {
	case at < 0 && located:
		return append(dst, ",0"...)
	case at < 0:
		return dst
	}
	locations := strings.Fields(text)
	depth := 0
	c.frames = c.frames[:0]
	for id, line := range trace.Frames(e.Extra.Stacks[at]) {
		key := trace.IDFrom(id)
		number, m := c.number(key), c.methods[key]
		if m != nil {
			number = m.number
		}
		location := c.location(locations, depth, line)
		if m != nil && line != trace.NoLine {
			m.lines[location] = line
		}
		c.frames = appendHex(append(c.frames, ','), number, 16)
		c.frames = appendHex(append(c.frames, ','), location, 8)
		depth++
	}
	return append(strconv.AppendInt(append(dst, ','), int64(depth), 10), c.frames...)
}

// location returns the location of a frame: the one that the trace lists, else its line.
func (c *code) location(locations []string, frame int, line int32) uint64 {
	if frame < len(locations) {
		if location, err := strconv.ParseUint(locations[frame], 16, 64); err == nil {
			return location
		}
	}
	if line == trace.NoLine {
		return unknownLocation
	}
	c.linesForLocations = true
	return uint64(line)
}

// appendTo appends the metadata: the classes of the methods, and the methods.
func (c *code) appendTo(dst []byte, lost *lost) []byte {
	written := map[*class]bool{}
	for _, m := range c.order {
		if !written[m.class] && m.class.defined {
			written[m.class] = true
			dst = append(append(append(dst, lost.oneField(signature(m.class.name))...), ','),
				lost.oneLine(m.class.source)...)
			dst = append(dst, '\n')
		}
	}
	for _, m := range c.order {
		dst = appendHex(dst, m.number, 16)
		for _, text := range []string{javaname.Method(m.name), m.signature, signature(m.class.name)} {
			dst = append(append(dst, ','), lost.oneField(text)...)
		}
		dst = append(m.appendLines(dst), '\n')
	}
	return dst
}

// appendLines appends the lines that call stacks have shown as the line table.
func (m *method) appendLines(dst []byte) []byte {
	if len(m.lines) == 0 {
		return append(dst, ",-1"...)
	}
	locations := slices.Sorted(maps.Keys(m.lines))
	dst = strconv.AppendInt(append(dst, ','), int64(len(locations)), 10)
	for _, location := range locations {
		dst = append(appendHex(append(dst, ','), location, 8), ',')
		dst = strconv.AppendInt(dst, int64(m.lines[location]), 10)
	}
	return dst
}

// signature returns the signature of a class.
func signature(class string) string {
	if strings.HasPrefix(class, "[") {
		return class
	}
	return "L" + strings.ReplaceAll(class, ".", "/") + ";"
}
