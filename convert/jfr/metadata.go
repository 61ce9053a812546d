package jfr

import (
	"bytes"
	"fmt"
	"strconv"
)

// The types of events that every chunk has, whatever its metadata says.
const (
	metadataType   = 0
	checkpointType = 1
)

// class is a type of the recording: of events, of constants, or of the fields of these.
type class struct {
	id     uint64
	name   string
	fields []field
}

// field is a field of a class.
type field struct {
	name   string
	class  uint64 // the id of its type
	pooled bool   // what stands in the event is a key of the pool of its type
	array  bool
	unit   unit
}

// unit is in what a field counts time.
type unit uint8

const (
	noUnit unit = iota
	ticks
	nanoseconds
	microseconds
	milliseconds
	secondsUnit
	sinceEpochMillis
	sinceEpochNanos
)

// units are the names of units in the annotations jdk.jfr.Timespan and jdk.jfr.Timestamp.
var units = map[string]unit{
	"TICKS": ticks, "NANOSECONDS": nanoseconds, "MICROSECONDS": microseconds, "MILLISECONDS": milliseconds,
	"SECONDS":                  secondsUnit,
	"MILLISECONDS_SINCE_EPOCH": sinceEpochMillis, "NANOSECONDS_SINCE_EPOCH": sinceEpochNanos,
}

// element is an element of the metadata, which is a tree like that of an XML document.
type element struct {
	name       string
	attributes []attribute
	children   []element
}

type attribute struct{ name, value string }

func (e *element) attribute(name string) string {
	for _, a := range e.attributes {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// maxDepth is how deep the metadata's tree may be, and types inside each other. Those of the JDK have less than ten
// levels.
const maxDepth = 64

// maxParts is how many elements and attributes the metadata may have together, and how many texts. Those of the JDK are
// some 30000.
const maxParts = 1 << 20

// metadataReader reads a metadata event.
type metadataReader struct {
	cursor
	strings []string
	parts   int    // elements and attributes
	wrong   string // what is wrong, "" as long as nothing is
}

// description are the types of the metadata that was read last. Most chunks have the same as the one before.
type description struct {
	types *types
	text  []byte // of the metadata, without what differs from chunk to chunk; nil if that is long
	fixed bool
}

// longestKept is how many bytes of metadata are kept; that of JDK 25 has some 110000.
const longestKept = 1 << 20

// read reads the body of a metadata event. After an error the description stays as it is.
func (d *description) read(body []byte, fixed bool) error {
	c := cursor{data: body, fixed: fixed}
	c.uint64() // when it was written
	c.uint64() // its duration
	c.uint64() // its id
	text := body[c.at:]
	if d.text != nil && d.fixed == fixed && bytes.Equal(text, d.text) {
		return nil
	}
	classes, err := readMetadata(text, fixed)
	if err != nil {
		return err
	}
	if *d = (description{types: newTypes(classes), fixed: fixed}); len(text) <= longestKept {
		d.text = bytes.Clone(text)
	}
	return nil
}

// readMetadata reads what a metadata event has behind its id. The error says what is wrong.
func readMetadata(text []byte, fixed bool) ([]class, error) {
	r := &metadataReader{cursor: cursor{data: text, fixed: fixed}}
	texts := r.count(1)
	if texts > maxParts {
		return nil, fmt.Errorf("it has %d texts, which is more than %d", texts, maxParts)
	}
	for range texts {
		r.strings = append(r.strings, r.string().value)
	}
	root := r.element(0)
	switch {
	case r.wrong != "":
		return nil, fmt.Errorf("%s", r.wrong)
	case r.short:
		return nil, fmt.Errorf("it ends too early")
	}
	var classes []class
	for _, metadata := range root.children {
		if metadata.name == "metadata" {
			classes = append(classes, classesOf(&metadata)...)
		}
	}
	if len(classes) == 0 {
		return nil, fmt.Errorf("it describes no types")
	}
	return classes, nil
}

// element reads an element: its name, its attributes, its children.
func (r *metadataReader) element(depth int) (e element) {
	if depth > maxDepth {
		r.fault("its elements are nested more than %d deep", maxDepth)
		return e
	}
	e.name = r.named()
	attributes := r.count(2)
	if r.parts += 1 + attributes; r.parts > maxParts {
		r.fault("it has more than %d elements and attributes", maxParts)
		return e
	}
	for range attributes {
		name := r.named()
		e.attributes = append(e.attributes, attribute{name, r.named()})
	}
	for range r.count(3) {
		if r.short {
			break
		}
		e.children = append(e.children, r.element(depth+1))
	}
	return e
}

// named takes the index of a string.
func (r *metadataReader) named() string {
	index := r.uint32()
	if int64(index) >= int64(len(r.strings)) {
		if !r.short {
			r.fault("it names string %d of %d", index, len(r.strings))
		}
		return ""
	}
	return r.strings[index]
}

// fault notes what is wrong, and ends the reading.
func (r *metadataReader) fault(format string, arguments ...any) {
	if r.wrong == "" {
		r.wrong = fmt.Sprintf(format, arguments...)
	}
	r.fail()
}

// classesOf are the types that the element describes.
func classesOf(metadata *element) []class {
	names := map[string]string{} // of types, by their ids
	for i := range metadata.children {
		names[metadata.children[i].attribute("id")] = metadata.children[i].attribute("name")
	}
	var classes []class
	for i := range metadata.children {
		e := &metadata.children[i]
		id, err := strconv.ParseUint(e.attribute("id"), 10, 64)
		if e.name != "class" || err != nil {
			continue
		}
		c := class{id: id, name: e.attribute("name")}
		for k := range e.children {
			if e.children[k].name == "field" {
				c.fields = append(c.fields, fieldOf(&e.children[k], names))
			}
		}
		classes = append(classes, c)
	}
	return classes
}

func fieldOf(e *element, names map[string]string) field {
	id, err := strconv.ParseUint(e.attribute("class"), 10, 64)
	if err != nil {
		id = noClass
	}
	dimension := e.attribute("dimension")
	f := field{name: e.attribute("name"), class: id, pooled: e.attribute("constantPool") == "true",
		array: dimension != "" && dimension != "0"}
	for i := range e.children {
		a := &e.children[i]
		if kind := names[a.attribute("class")]; kind == "jdk.jfr.Timespan" || kind == "jdk.jfr.Timestamp" {
			f.unit = units[a.attribute("value")]
		}
	}
	return f
}

// noClass is the id of a type that no metadata describes.
const noClass = ^uint64(0)
