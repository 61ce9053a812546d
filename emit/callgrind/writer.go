package callgrind

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// Write writes the profile. Times are in nanoseconds, or numbers of samples if these are of threads in any state.
func Write(out io.Writer, p *methods.Profile) error {
	w := &writer{Writer: bufio.NewWriter(out), names: map[string]string{}} // keeps the first error
	fmt.Fprintf(w, "# callgrind format\nversion: 1\ncreator: trcx\npositions: line\nevents: %s\n", p.Values[1].Name)
	fmt.Fprintf(w, "event: %s : %[1]s, %s\n", p.Values[1].Name, p.Values[1].Unit)
	for f := range p.Functions() {
		fmt.Fprintf(w, "\nfl=%s\nfn=%s\n%d %d\n", w.file(f.Frame), w.name("fn", f.Title), line(f.Frame), f.Base)
		for _, c := range f.Callees {
			fmt.Fprintf(w, "cfi=%s\ncfn=%s\ncalls=%d %d\n%d %d\n", w.file(c.Frame), w.name("fn", c.Title), c.Calls,
				line(c.Frame), line(f.Frame), c.Cumulative)
		}
	}
	return w.Flush()
}

// writer numbers names, and writes each once.
type writer struct {
	*bufio.Writer
	names map[string]string
}

// name returns the number of a name, with the name when it is first used.
func (w *writer) name(kind, text string) string {
	key := kind + text
	if number := w.names[key]; number != "" {
		return number
	}
	w.names[key] = fmt.Sprintf("(%d)", len(w.names)+1)
	return w.names[key] + " " + strings.TrimSpace(sanitize.Text(text))
}

// file returns the number of a frame's source file.
func (w *writer) file(f methods.Frame) string {
	if f.Method.File == "" {
		return w.name("fl", "???")
	}
	return w.name("fl", f.Method.File)
}

func line(f methods.Frame) int32 {
	if f.Line == trace.NoLine {
		return 0
	}
	return f.Line
}
