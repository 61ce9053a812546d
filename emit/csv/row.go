package csv

import (
	"io"
	"strings"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// flushAt is the size in bytes from which on rows are written out.
const flushAt = 64 << 10

// rows writes the rows of a table. It keeps an error.
type rows struct {
	out     io.Writer
	buf     []byte
	columns int // of this row so far
	err     error
}

func newRows(out io.Writer, columns string) rows {
	return rows{out: out, buf: append(make([]byte, 0, flushAt+4<<10), columns+"\n"...)}
}

// begin begins cells that end does not write out as a row.
func (r *rows) begin() { r.buf, r.columns = r.buf[:0], 0 }

// cell begins the next cell of the row.
func (r *rows) cell() {
	if r.columns > 0 {
		r.buf = append(r.buf, ',')
	}
	r.columns++
}

// nothing appends empty cells.
func (r *rows) nothing(cells int) {
	for range cells {
		r.cell()
	}
}

func (r *rows) number(value int64) {
	r.cell()
	if value < 0 {
		r.buf = digits.Append(append(r.buf, '-'), -uint64(value))
		return
	}
	r.buf = digits.Append(r.buf, uint64(value))
}

// known writes a number of 1 or more, or an empty cell.
func (r *rows) known(value uint64) {
	r.cell()
	if value != 0 {
		r.buf = digits.Append(r.buf, value)
	}
}

// word writes a text of this program, which needs no escapes.
func (r *rows) word(text string) {
	r.cell()
	r.buf = append(r.buf, text...)
}

// text writes a text from a trace.
func (r *rows) text(text string) {
	r.cell()
	if isPlain(text) {
		r.buf = append(r.buf, text...)
		return
	}
	text = sanitize.Harmless(text)
	if !strings.ContainsAny(text, "\",\n\r") && !strings.HasPrefix(text, " ") && !strings.HasSuffix(text, " ") {
		r.buf = append(r.buf, text...)
		return
	}
	r.buf = append(append(append(r.buf, '"'), strings.ReplaceAll(text, `"`, `""`)...), '"')
}

// isPlain reports whether a name needs no quotes or escapes, as most names.
func isPlain(text string) bool {
	for i := range len(text) {
		if !plain[text[i]] {
			return false
		}
	}
	return text == "" || text[0] != '-'
}

// plain are the characters of most names. A minus is plain except at the beginning.
var plain = func() (set [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./$#:") {
		set[c] = true
	}
	return set
}()

// id writes the text of an id.
func (r *rows) id(id trace.ID) {
	if number, ok := id.Number(); ok {
		r.cell()
		r.buf = digits.Append(r.buf, number)
		return
	}
	r.text(id.String())
}

// object writes an id and a class, or two empty cells.
func (r *rows) object(id trace.ObjectID, class string) {
	r.id(id.ID)
	r.text(javaname.DeclaredClass(class))
}

// thread writes the key, the id and the name of a thread, or three empty cells.
func (r *rows) thread(ref trace.ThreadRef, name string) {
	if ref.Key == 0 {
		r.nothing(3)
		return
	}
	r.known(uint64(ref.Key))
	r.id(ref.ID.ID)
	r.text(name)
}

// frame writes a call, its file and its line, or three empty cells.
func (r *rows) frame(f trace.Frame) {
	if f.Method == nil {
		r.nothing(3)
		return
	}
	r.text(strings.TrimPrefix(f.Method.Class+"."+f.Method.Name, "."))
	r.text(f.Method.File)
	if f.Line == trace.NoLine {
		r.cell()
		return
	}
	r.number(int64(f.Line))
}

// cells writes cells that were made before.
func (r *rows) cells(text []byte) {
	r.cell()
	r.buf = append(r.buf, text...)
}

// end ends the row.
func (r *rows) end() error {
	r.buf, r.columns = append(r.buf, '\n'), 0
	if len(r.buf) >= flushAt {
		return r.flush()
	}
	return r.err
}

// flush writes the buffer.
func (r *rows) flush() error {
	if r.err == nil {
		_, r.err = r.out.Write(r.buf)
	}
	r.buf = r.buf[:0]
	return r.err
}
