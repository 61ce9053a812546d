package enrichtest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

const nanosPerSecond = 1_000_000_000

// element is one element of a trace. Its children are elements as well; it has its own annotations.
type element struct {
	name        string
	attrs       map[string]string
	annotations []element
}

// attr returns the first of the named attributes that is present.
func (e element) attr(names ...string) string {
	for _, name := range names {
		if value, ok := e.attrs[name]; ok {
			return value
		}
	}
	return ""
}

// has reports whether the attribute is present, be it empty.
func (e element) has(name string) bool {
	_, ok := e.attrs[name]
	return ok
}

// time returns the element's time in nanoseconds since the epoch.
func (e element) time() (int64, bool) {
	return parseSeconds(e.attr("time"))
}

// threadID returns the id of the thread whose event this is. A threadStart
// and the call events name it threadId, all others threadIdRef.
func (e element) threadID() string {
	return e.attr("threadIdRef", "threadId")
}

// object returns the id of the object the event is about, "" for none: "0" and "-1" are never objects.
func (e element) object() string {
	return objectID(e.attr("objIdRef"))
}

// says reports whether a flag is present and whether it means yes: "1 and true
// mean yes, anything else that is present no".
func (e element) says(name string) (present, yes bool) {
	value := e.attr(name)
	return e.has(name), value == "1" || value == "true"
}

// annotation returns the value of the first annotation of the name.
func (e element) annotation(name string) (value string, ok bool) {
	for _, a := range e.annotations {
		if a.attr("name") == name {
			return a.attr("value"), true
		}
	}
	return "", false
}

// word returns the value of the first annotation of the name that is one of the words, or without words of the first
// that has a value; "" if there is none.
func (e element) word(name string, words ...string) string {
	for _, a := range e.annotations {
		value := a.attr("value")
		if a.attr("name") == name && value != "" && (len(words) == 0 || slices.Contains(words, value)) {
			return value
		}
	}
	return ""
}

// timeout returns the timeout in milliseconds, nil "unless a decimal number
// of 0 or more".
func (e element) timeout() *int64 {
	value := e.attr("timeout")
	if !isDigits(value) {
		return nil
	}
	millis, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return nil
	}
	return &millis
}

func objectID(id string) string {
	if id == "0" || id == "-1" {
		return ""
	}
	return id
}

// parseSeconds reads decimal seconds exactly. Decimals beyond the ninth are
// cut off.
func parseSeconds(s string) (int64, bool) {
	whole, fraction, hasPoint := strings.Cut(s, ".")
	if !isDigits(whole) || hasPoint && !isDigits(fraction) {
		return 0, false
	}
	fraction = (fraction + "000000000")[:9]
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || seconds > math.MaxInt64/nanosPerSecond-1 {
		return 0, false
	}
	nanos, err := strconv.ParseInt(fraction, 10, 64)
	return seconds*nanosPerSecond + nanos, err == nil
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// formatSeconds is the inverse of parseSeconds.
func formatSeconds(nanos int64) string {
	return fmt.Sprintf("%d.%09d", nanos/nanosPerSecond, nanos%nanosPerSecond)
}

// parse returns the elements of the document but for TRACE, in file order. A
// missing end tag of TRACE is common and no error; a document that ends inside
// a tag or a child element is truncated, and that element is left out.
func parse(document []byte) (elements []element, truncated bool, err error) {
	// RawToken, because Token takes the missing end tag for an error.
	decoder := xml.NewDecoder(bytes.NewReader(document))
	var open []string
	var around []int // of the open elements: their places in elements, -1 for TRACE
	for {
		token, err := decoder.RawToken()
		if err == io.EOF {
			return whole(elements, around), len(open) > 1, nil
		}
		if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok && syntax.Msg == "unexpected EOF" {
			return whole(elements, around), true, nil
		}
		if err != nil {
			return nil, false, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := newElement(token)
			open = append(open, e.name)
			if e.name == "TRACE" {
				around = append(around, -1)
				continue
			}
			if n := len(around); e.name == "annotation" && n > 0 && around[n-1] >= 0 {
				parent := &elements[around[n-1]]
				parent.annotations = append(parent.annotations, e)
			}
			around = append(around, len(elements))
			elements = append(elements, e)
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1] != token.Name.Local {
				return nil, false, fmt.Errorf("unexpected </%s> at byte %d", token.Name.Local, decoder.InputOffset())
			}
			open, around = open[:len(open)-1], around[:len(around)-1]
		}
	}
}

// whole returns the elements that have ended: "everything complete before the cut is still processed". open has the
// indexes of the others.
func whole(elements []element, open []int) []element {
	for _, place := range open {
		if place >= 0 {
			return elements[:place]
		}
	}
	return elements
}

func newElement(start xml.StartElement) element {
	e := element{name: start.Name.Local, attrs: make(map[string]string)}
	for _, attr := range start.Attr {
		e.attrs[attr.Name.Local] = attr.Value
	}
	return e
}
