package jfr

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The types of events that the metadata does not describe.
const (
	metadataType   = 0
	checkpointType = 1
)

// class is a described type: of events, of constants, or of their fields.
type class struct {
	id     uint64
	name   string
	known  string   // the name that JVMs use today
	key    encoding // of the keys of constants
	fields []field
}

// oldNames are prefixes of type names in Oracle's JDK 9 and 10, and what replaced them.
var oldNames = [][2]string{{"com.oracle.jdk.", "jdk."}, {"com.oracle.jfr.", "jdk."}}

// newClass returns a type without fields.
func newClass(id uint64, name string) class {
	c := class{id: id, name: name, known: name, key: encodedLong}
	for _, old := range oldNames {
		if rest, ok := strings.CutPrefix(name, old[0]); ok {
			c.known = old[1] + rest
		}
	}
	return c
}

// field is a field of a class.
type field struct {
	name   string
	class  uint64   // the id of its type
	pooled bool     // the value is a key of the constant pool of its type
	key    encoding // of the key
	array  bool
	unit   unit
}

// unit is the unit of a time or duration field.
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

// units are the units by the values of the annotations jdk.jfr.Timespan and jdk.jfr.Timestamp.
var units = map[string]unit{
	"TICKS": ticks, "NANOSECONDS": nanoseconds, "MICROSECONDS": microseconds, "MILLISECONDS": milliseconds,
	"SECONDS":                  secondsUnit,
	"MILLISECONDS_SINCE_EPOCH": sinceEpochMillis, "NANOSECONDS_SINCE_EPOCH": sinceEpochNanos,
}

// element is an element of the metadata, which is a tree as in XML.
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

// maxDepth limits the depth of the metadata's tree, and the nesting of types. The JDK writes less than ten levels.
const maxDepth = 64

// maxParts limits the elements and attributes of the metadata together, and its strings. JDKs write about 30,000.
const maxParts = 1 << 20

// metadataReader decodes a metadata event.
type metadataReader struct {
	cursor
	strings []string
	parts   int // elements and attributes
	err     error
}

// metadataCache has the types of the latest metadata event, since most chunks repeat the metadata of the previous one.
type metadataCache struct {
	types *typeTable
	text  []byte // of the event, without head, times and id; nil if it exceeds maxCachedMetadata
	fixed bool
}

// maxCachedMetadata limits the cached text in bytes; JDK 25 writes about 110,000.
const maxCachedMetadata = 1 << 20

// read decodes the body of a metadata event. After an error the cache is unchanged.
func (d *metadataCache) read(body []byte, fixed bool) error {
	c := cursor{data: body, fixed: fixed}
	c.uint64() // start time
	c.uint64() // duration
	c.uint64() // metadata id
	text := body[c.at:]
	if d.text != nil && d.fixed == fixed && bytes.Equal(text, d.text) {
		return nil
	}
	classes, err := readMetadata(text, fixed)
	if err != nil {
		return err
	}
	if *d = (metadataCache{types: newTypeTable(classes), fixed: fixed}); len(text) <= maxCachedMetadata {
		d.text = bytes.Clone(text)
	}
	return nil
}

// readMetadata decodes a metadata event after its id.
func readMetadata(text []byte, fixed bool) ([]class, error) {
	r := &metadataReader{cursor: cursor{data: text, fixed: fixed}}
	texts := r.count(1)
	if texts > maxParts {
		return nil, fmt.Errorf("it has %d strings, more than %d", texts, maxParts)
	}
	for range texts {
		r.strings = append(r.strings, r.string().text)
	}
	root := r.element(0)
	switch {
	case r.err != nil:
		return nil, r.err
	case r.short:
		return nil, errEndsEarly
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

// element decodes an element: its name, its attributes, its children.
func (r *metadataReader) element(depth int) (e element) {
	if depth > maxDepth {
		r.failf("its elements are nested more than %d deep", maxDepth)
		return e
	}
	e.name = r.indexed()
	attributes := r.count(2)
	if r.parts += 1 + attributes; r.parts > maxParts {
		r.failf("it has more than %d elements and attributes", maxParts)
		return e
	}
	for range attributes {
		name := r.indexed()
		e.attributes = append(e.attributes, attribute{name, r.indexed()})
	}
	for range r.count(3) {
		if r.short {
			break
		}
		e.children = append(e.children, r.element(depth+1))
	}
	return e
}

// indexed decodes the index of a string and returns the string.
func (r *metadataReader) indexed() string {
	index := r.uint32()
	if int64(index) >= int64(len(r.strings)) {
		if !r.short {
			r.failf("it refers to string %d of %d", index, len(r.strings))
		}
		return ""
	}
	return r.strings[index]
}

// failf sets the first error and makes the cursor short.
func (r *metadataReader) failf(format string, arguments ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, arguments...)
	}
	r.fail()
}

// errEndsEarly reports an event shorter than its contents.
var errEndsEarly = errors.New("it ends too early")

// classesOf returns the types that the element metadata describes.
func classesOf(metadata *element) []class {
	names := map[string]string{} // of types, by id
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
		c := newClass(id, e.attribute("name"))
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
	f := field{name: e.attribute("name"), class: id, pooled: e.attribute("constantPool") == "true", key: encodedLong,
		array: dimension != "" && dimension != "0"}
	for i := range e.children {
		a := &e.children[i]
		if kind := names[a.attribute("class")]; kind == "jdk.jfr.Timespan" || kind == "jdk.jfr.Timestamp" {
			f.unit = units[a.attribute("value")]
		}
	}
	return f
}

// noClass is an id that no described type has.
const noClass = ^uint64(0)
