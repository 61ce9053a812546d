package schema

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
)

// The limits of a piece. What trcx writes is far from all of them.
const (
	maxDepth    = 256     // of nested values
	maxPiece    = 1 << 20 // bytes of a piece: an event, a thread without its events, a line
	maxValues   = 1 << 16 // values in a piece
	maxDigits   = 64      // characters of a number in a piece
	maxExponent = 308     // of a number in a piece, in either direction
	maxSkipped  = 256     // bytes of a name outside of a piece
)

// reader reads JSON values (RFC 8259). Invalid UTF-8 is a syntax error.
type reader struct {
	*jsontext.Scanner
	path      path              // of the current value, or of the one with the error that ended reading
	duplicate func(trace.Place) // called with the place of a name that its object has already
}

// newReader returns a reader with a buffer of the size, 64 bytes or more.
func newReader(in io.Reader, size int) reader {
	return reader{Scanner: jsontext.NewScanner(bufio.NewReaderSize(in, size), trace.Place{Line: 1, Column: 1})}
}

// cancelable is an input that ends with the error of its context.
type cancelable struct {
	ctx context.Context
	in  io.Reader
}

func (c cancelable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.in.Read(p)
}

// depthError is more nested values than maxDepth.
type depthError struct{ place trace.Place }

func (depthError) Error() string {
	return fmt.Sprintf("more than %d values inside each other", maxDepth)
}

// budget limits a piece. Beyond it the piece is still read, but not kept. A nil budget keeps nothing.
type budget struct {
	end      int64  // the offset at which the piece must have ended
	values   int    // still allowed
	exceeded string // the exceeded limit, for a message
}

func (r *reader) newBudget() *budget { return &budget{end: r.Offset() + maxPiece, values: maxValues} }

// open reports whether values are kept.
func (b *budget) open() bool { return b != nil && b.exceeded == "" }

// textLimit returns the limit of a string or number that is next.
func (r *reader) textLimit(b *budget) int {
	if !b.open() {
		return 0
	}
	return int(b.end - r.Offset())
}

// measure updates the budget with what was read.
func (r *reader) measure(b *budget) {
	switch {
	case !b.open():
	case r.Offset() > b.end:
		b.exceeded = fmt.Sprintf("more than %d bytes", maxPiece)
	case b.values < 0:
		b.exceeded = fmt.Sprintf("more than %d values", maxValues)
	}
}

// value reads a value. Beyond the budget the value is unread.
func (r *reader) value(b *budget) (value, error) {
	c := r.Space()
	v := value{place: r.Place()}
	if b.open() {
		b.values--
		r.measure(b)
	}
	var err error
	switch c {
	case '{':
		err = r.object(&v, b)
	case '[':
		err = r.list(&v, b)
	default:
		err = r.scalar(&v, b)
	}
	if !b.open() {
		v = value{place: v.place}
	}
	return v, err
}

// scalarKinds maps the first byte of a value that is no object and no list to its kind; others are numbers.
var scalarKinds = map[byte]kind{'"': text, 't': yes, 'f': no, 'n': null}

// scalar reads a string, a number or a literal name.
func (r *reader) scalar(v *value, b *budget) error {
	first, err := r.Scalar(r.textLimit(b))
	if err != nil {
		return err
	}
	if r.measure(b); !b.open() {
		return nil
	}
	var ok bool
	if v.kind, ok = scalarKinds[first]; !ok {
		v.kind = number
		checkNumber(r.Text(), b)
	}
	if v.kind == text || v.kind == number {
		v.text = string(r.Text())
	}
	return nil
}

// checkNumber lets a number beyond maxDigits or maxExponent exceed the budget: programs cannot hold it, or only with
// effort.
func checkNumber(text []byte, b *budget) {
	if len(text) > maxDigits {
		b.exceeded = fmt.Sprintf("a number of more than %d characters", maxDigits)
	} else if e := bytes.IndexAny(text, "eE"); e >= 0 {
		// Atoi saturates
		if n, _ := strconv.Atoi(string(text[e+1:])); n > maxExponent || n < -maxExponent {
			b.exceeded = fmt.Sprintf("a number with an exponent beyond %d", maxExponent)
		}
	}
}

func (r *reader) object(v *value, b *budget) error {
	v.kind, v.members = object, map[string]value{}
	return r.members(b, func(name string, at trace.Place) error {
		member, err := r.value(b)
		if !b.open() {
			v.members = nil
			return err
		}
		if _, duplicate := v.members[name]; duplicate {
			r.duplicate(at)
		}
		v.members[name] = member
		return err
	})
}

func (r *reader) list(v *value, b *budget) error {
	v.kind = list
	return r.items(func() error {
		item, err := r.value(b)
		if !b.open() {
			v.items = nil
			return err
		}
		v.items = append(v.items, item)
		return err
	})
}

// members reads an object. After each name it calls member, with the place of the name, to read the value.
func (r *reader) members(b *budget, member func(name string, at trace.Place) error) error {
	return r.entries("}", func(int) error {
		name, at, err := r.name(b)
		if err != nil {
			return err
		}
		return r.inside(step{name: name}, func() error { return member(name, at) })
	})
}

// items reads a list. It calls item to read each of its values.
func (r *reader) items(item func() error) error {
	return r.entries("]", func(i int) error { return r.inside(step{index: i, item: true}, item) })
}

// entries reads an object or a list. It calls entry, with numbers from 0, to read what is between the commas.
func (r *reader) entries(end string, entry func(i int) error) error {
	r.Skip(1)
	if r.Space(); r.Accept(end) {
		return nil
	}
	for i := 0; ; i++ {
		if err := entry(i); err != nil {
			return err
		}
		if r.Space(); r.Accept(end) {
			return nil
		}
		if !r.Accept(",") {
			return r.Unexpected("a comma or " + end)
		}
	}
}

// name reads the name of a member and the colon after it. What exceeds the limit is replaced by an ellipsis.
func (r *reader) name(b *budget) (name string, at trace.Place, err error) {
	if r.Space() != '"' {
		return "", at, r.Unexpected("a name in double quotes")
	}
	at = r.Place()
	limit := r.textLimit(b)
	if !b.open() {
		limit = maxSkipped
	}
	if err = r.String(limit); err != nil {
		return "", at, err
	}
	r.measure(b)
	if name = string(r.Text()); r.Cut() {
		name += "…"
	}
	if r.Space(); !r.Accept(":") {
		return "", at, r.Unexpected("a colon")
	}
	return name, at, nil
}

// inside calls read with the step appended to the path.
func (r *reader) inside(s step, read func() error) error {
	if len(r.path) == maxDepth {
		return depthError{r.Place()}
	}
	r.path = append(r.path, s)
	if err := read(); err != nil {
		return err
	}
	r.path = r.path[:len(r.path)-1]
	return nil
}
