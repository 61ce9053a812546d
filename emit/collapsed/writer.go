package collapsed

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/stackprofile"
	"github.com/trcx/trcx/trace"
)

// Writer is a trace.Sink whose intervals become lines.
type Writer struct {
	*stackprofile.Tally
	out     io.Writer
	options Options
	frames  map[uint32]string // the names of the places' functions as they stand in lines, by the tally's numbers
}

// Options say what the lines are about.
type Options struct {
	States stackprofile.States
	Blame  stackprofile.Blame
	// Counts says that the value of a line is how often threads were held up, and not for how many nanoseconds.
	Counts bool
}

// New returns a sink that writes to out.
func New(out io.Writer, options Options) *Writer {
	return &Writer{
		Tally: stackprofile.New(stackprofile.Options{States: options.States, Blame: options.Blame, Detail: stackprofile.WithoutMonitors}),
		out:   out, options: options, frames: make(map[uint32]string),
	}
}

// Put adds the record up. The Summary makes it write the lines, in the order of their frames.
func (w *Writer) Put(r trace.Record) error {
	if _, last := r.(*trace.Summary); last {
		return w.writeLines()
	}
	return w.Tally.Put(r)
}

func (w *Writer) writeLines() error {
	samples := w.Samples()
	names := w.names(samples)
	numbers := make(map[string]uint32, len(names))
	for i, name := range names {
		numbers[name] = uint32(i)
	}
	values := make(map[string]int64) // by the numbers of the frames' names
	var key []byte
	for i := range samples {
		key = key[:0]
		for name := range w.line(&samples[i]) {
			key = binary.BigEndian.AppendUint32(key, numbers[name])
		}
		values[string(key)] += w.value(&samples[i])
	}
	return write(w.out, values, names)
}

// value is what the line of the sample says at its end.
func (w *Writer) value(s *stackprofile.Sample) int64 {
	if w.options.Counts {
		return s.Count
	}
	return s.Delay
}

// names are those that the lines have, sorted.
func (w *Writer) names(samples []stackprofile.Sample) []string {
	all := make(map[string]bool)
	for i := range samples {
		for name := range w.line(&samples[i]) {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func write(to io.Writer, values map[string]int64, names []string) error {
	out := bufio.NewWriter(to)
	for _, line := range slices.Sorted(maps.Keys(values)) {
		for frames := []byte(line); len(frames) > 0; frames = frames[4:] {
			if len(frames) < len(line) {
				out.WriteByte(';') // an error stays in out until Flush
			}
			out.WriteString(names[binary.BigEndian.Uint32(frames)])
		}
		fmt.Fprintf(out, " %d\n", values[line])
	}
	return out.Flush()
}

// allThreads and noThread stand in the place of a thread's name.
const (
	allThreads = "[all threads]" // there are too many different ones
	noThread   = "[no thread]"   // nobody is known to have held the thread up
)

// line is the sample's frames: the thread, the state where there are several, and the calls from the outermost on.
func (w *Writer) line(s *stackprofile.Sample) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(w.thread(s)) || w.options.States.Several() && !yield("["+s.State.String()+"]") {
			return
		}
		for _, place := range slices.Backward(s.Stack) {
			if !yield(w.function(place)) {
				return
			}
		}
	}
}

func (w *Writer) thread(s *stackprofile.Sample) string {
	switch {
	case s.Thread != "":
		return frame(s.Thread)
	case w.Nameless():
		return allThreads
	}
	return noThread
}

// function is the name of the place's function.
func (w *Writer) function(place uint32) string {
	name, ok := w.frames[place]
	if !ok {
		name = frame(w.Function(w.Place(place).Function).Title("/"))
		w.frames[place] = name
	}
	return name
}

// frame is a name as it can stand in a line: in that, a semicolon ends a frame, and the last blank stands before the
// value.
func frame(name string) string {
	name = strings.ReplaceAll(sanitize.Text(name), ";", `\u003B`)
	trimmed := strings.TrimRight(name, " ")
	return trimmed + strings.Repeat(`\u0020`, len(name)-len(trimmed))
}
