package schema

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
)

// The limits. What trcx writes is far from them.
const (
	maxDepth = 256     // of nested values
	maxPiece = 1 << 20 // bytes of a piece, and of any string, number or white space
)

// reader reads the tokens of a document or a line, until it is stopped.
type reader struct {
	*json.Decoder
	limited io.LimitedReader // by the limit of the current piece or token
	text    bytes.Buffer     // what the decoder has read, from place on
	start   int64            // the offset where the decoder begins
	place   trace.Place      // where the current token begins
	depth   int              // how many objects and lists are open
	piece   bool             // the current value is a piece
	over    bool             // the whole text was read
	stopped *trace.Finding   // why reading ended
}

// begin begins to read a document or a line.
func (r *reader) begin(in io.Reader, at trace.Place) {
	*r = reader{limited: io.LimitedReader{R: in}, start: at.Offset, place: at}
	r.Decoder = json.NewDecoder(io.TeeReader(&r.limited, &r.text))
}

// stop ends reading at the place.
func (r *reader) stop(rule, message string) {
	if r.stopped == nil {
		r.stopped = &trace.Finding{Rule: rule, Severity: trace.Error, Place: r.place, Message: message}
	}
}

// pass moves the place to the end of n bytes. It stops before what is not valid UTF-8.
func (r *reader) pass(n int) {
	passed := r.text.Next(n)
	if !utf8.Valid(passed) {
		r.stop(RuleSyntax, "this is not valid UTF-8")
	}
	r.place = trace.Place(xmlscan.Position(r.place).Advance(passed))
}

// more reports whether the current object or list has another member or item.
func (r *reader) more() bool { return r.stopped == nil && r.More() }

// next reads a token.
func (r *reader) next() json.Token {
	if r.stopped == nil {
		r.pass(int(r.start + r.InputOffset() - r.place.Offset))
	}
	if r.stopped != nil {
		return nil
	}
	if !r.piece {
		r.limited.N = maxPiece
	}
	t, err := r.Token()
	r.pass(r.text.Len() - len(bytes.TrimLeft(r.text.Bytes(), space+",:")))
	_, isNumber := err.(*json.UnmarshalTypeError)
	ended := err == io.EOF || err == io.ErrUnexpectedEOF
	switch r.over = err == io.EOF && r.limited.N > 0; {
	case t == json.Delim('{'), t == json.Delim('['):
		if r.depth++; r.depth > maxDepth {
			r.stop(RuleLimit, "more than 256 values inside each other")
		}
	case t == json.Delim('}'), t == json.Delim(']'):
		r.depth--
	case ended && r.limited.N == 0:
		r.stop(RuleLimit, "an event, a string or the like has more than 1 MiB")
	case ended:
		r.stop(trcxml.RuleTruncated, "the document or the line ends too early")
	case isNumber:
		r.stop(RuleLimit, "this number is too large")
	case err != nil:
		r.stop(RuleSyntax, err.Error())
	}
	return t
}

// name reads the name of a member that the object does not have yet.
func (r *reader) name(members map[string]any) string {
	name, _ := r.next().(string)
	if _, known := members[name]; known {
		r.stop(RuleModel, "the object has a member of this name already; readers differ in which one counts")
	}
	return name
}

// skip reads a value.
func (r *reader) skip() {
	depth := r.depth
	for r.next(); r.stopped == nil && r.depth > depth; r.next() {
	}
}

// value reads the rest of a value.
func (r *reader) value(t json.Token) any {
	switch t {
	case json.Delim('['):
		list := []any{}
		for r.more() {
			list = append(list, r.value(r.next()))
		}
		r.next()
		return list
	case json.Delim('{'):
		members := map[string]any{}
		for r.more() {
			name := r.name(members)
			members[name] = r.value(r.next())
		}
		r.next()
		return members
	}
	return t
}

// long has the values of unlimited length, which are read in pieces: objects member by member, lists item by item.
var long = map[string]bool{"document": true, "trace": true, "sessions": true, "threads": true, "thread": true,
	"events": true, "objects": true, "deadlocks": true}

// read reads a value of the schema. kind is the name of a member, or of a list's item: thread in threads.
func (c *checker) read(kind string, s *jsonschema.Schema, pointer string) element {
	t := c.next()
	e := element{place: c.place, pointer: pointer}
	for s.Ref != nil {
		s = s.Ref
	}
	switch {
	case long[kind] && t == json.Delim('{') && s.Properties != nil:
		members := map[string]any{}
		for c.more() {
			if name := c.name(members); s.Properties[name] != nil {
				members[name] = c.read(name, s.Properties[name], pointer+"/"+name).value
			} else {
				c.skip()
			}
		}
		c.next()
		e.value = members
	case long[kind] && t == json.Delim('[') && s.Items2020 != nil:
		e.value = []any{} // as valid as a list of valid items
		kind := strings.TrimSuffix(kind, "s")
		for i := 0; c.more(); i++ {
			item := c.read(kind, s.Items2020, pointer+"/"+strconv.Itoa(i))
			if c.stopped == nil {
				c.judge(s.Items2020, item)
				c.count(kind, item)
			}
		}
		c.next()
	default:
		c.piece, c.limited.N = true, maxPiece
		e.value = c.value(t)
		c.piece = false
	}
	return e
}

// entire reads and validates a document or a line, and stops if something follows.
func (c *checker) entire(kind string, s *jsonschema.Schema) element {
	e := c.read(kind, s, "")
	if c.stopped != nil {
		return e
	}
	if c.next(); c.over {
		c.stopped = nil
		c.judge(s, e)
	} else {
		c.stop(RuleSyntax, "something follows "+c.whole)
	}
	return e
}

func (c *checker) document(in io.Reader, s *jsonschema.Schema) {
	c.whole = "the document"
	c.begin(in, trace.Place{Line: 1, Column: 1})
	if e := c.entire("document", s); c.stopped == nil {
		c.endDocument(e)
	} else if c.failed == nil {
		c.report(*c.stopped)
	}
}

func (c *checker) stream(in io.Reader, s *jsonschema.Schema) {
	c.whole = "the line"
	lines := builder.NewLines(in)
	for more, _ := lines.Next(); more; more, _ = lines.Next() {
		if len(bytes.Trim(lines.Line, space)) == 0 {
			continue
		}
		if c.begin(bytes.NewReader(lines.Line), lines.Place(0)); lines.TooLong {
			c.stop(RuleLimit, "a line has more than 1 MiB")
		}
		if e := c.entire("line", s); c.stopped == nil {
			c.count("line", e)
			continue
		}
		if c.lost, c.cut = true, !lines.Terminated; !c.cut && c.stopped.Rule == trcxml.RuleTruncated {
			c.stopped.Rule = RuleSyntax
		}
		c.report(*c.stopped)
	}
	if c.failed != nil {
		return
	}
	c.resolve("event", c.highest["event"], "")
	if !c.complete && !c.cut {
		c.report(trace.Finding{Rule: trcxml.RuleTruncated, Severity: trace.Error, Place: lines.End(),
			Message: `the input ends without a line of kind "end"`})
	}
}
