package schema

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"regexp"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// The names of the JSON outputs and their schemas.
const (
	Model = "model" // a document
	Lines = "jsonl" // a stream of lines, each an object
)

const byteOrderMark, space = "\xEF\xBB\xBF", " \t\r\n"

// distinctive is a member that only one of the outputs has in its first object.
var distinctive = regexp.MustCompile(`[{,]\s*"(kind|trace|threads|objects|deadlocks)"\s*:`)

// Recognise returns whether an input is "model" or "jsonl", by the first member that only one of them has. head is the
// beginning of the input after white space and a byte order mark, cut off anywhere. Any other object is "model". ok is
// false if the input does not begin with an object.
func Recognise(head []byte) (name string, ok bool) {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), space)
	rest, ok := bytes.CutPrefix(head, []byte("{"))
	if rest = bytes.TrimLeft(rest, space); !ok || len(rest) > 0 && rest[0] != '"' && rest[0] != '}' {
		return "", false
	}
	if member := distinctive.FindSubmatch(head); member != nil && string(member[1]) == "kind" {
		return Lines, true
	}
	return Model, true
}

// Check validates a document of the name, "model" or "jsonl", and reports its findings. A finding's Element is the JSON
// pointer of the value, relative to the line in a stream. Its Place is where the value's event, thread, line or other
// element begins, or the wrong token if the input is not JSON.
//
// Findings are reported when the element ends, so a thread's follow those of its events. A syntax error or an exceeded
// limit ends a document; a stream is read on from the next line. Numbers have the precision of float64.
//
// The error is from reading or from ctx; findings until then are reported.
func Check(ctx context.Context, r io.Reader, name string, report func(trace.Finding)) error {
	root := compiled()[name]
	if root == nil {
		return fmt.Errorf("there is no JSON Schema %q: there are %s and %s", name, Model, Lines)
	}
	c := &checker{source: source{ctx: ctx, in: r}, report: report,
		ids: ids{highest: map[string]float64{}, largest: map[string]reference{}, seed: maphash.MakeSeed()}}
	in := bufio.NewReader(&c.source)
	if mark, _ := in.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		copy(mark, "   ") // in the reader's buffer, for encoding/json
	}
	if name == Lines {
		c.stream(in, root)
	} else {
		c.document(in, root)
	}
	return c.failed
}

// source is an input that ends when its context does. It keeps the error.
type source struct {
	ctx    context.Context
	in     io.Reader
	failed error
}

func (s *source) Read(p []byte) (n int, err error) {
	for tries := 0; n == 0 && err == nil; tries++ {
		if err = s.ctx.Err(); err == nil && tries == 100 {
			err = io.ErrNoProgress
		}
		if err == nil {
			n, err = s.in.Read(p)
		}
	}
	if err != io.EOF {
		s.failed = err
	}
	return n, err
}

// checker checks one input.
type checker struct {
	source
	reader
	ids
	report func(trace.Finding)
	whole  string // what the pointer "" names in messages
}

// element is a value that is validated as a whole, such as an event, a line, or a thread without its events.
type element struct {
	place   trace.Place
	pointer string
	value   any
}

// say reports a finding about the value in the element that the pointer leads to.
func (c *checker) say(rule string, e element, pointer, format string, arguments ...any) {
	pointer = sanitize.Clip(e.pointer+pointer, maxShown)
	c.report(trace.Finding{Rule: rule, Severity: trace.Error, Place: e.place, Element: pointer,
		Message: cmp.Or(pointer, c.whole) + ": " + fmt.Sprintf(format, arguments...)})
}

// maxShown limits a pointer or a demand of a schema in a message, in code points.
const maxShown = 200
