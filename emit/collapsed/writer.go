package collapsed

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/allocation"
	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/analyze/stackprofile"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// Writer is a trace.Sink that writes the intervals of a trace as lines. Its memory does not grow with the length of the
// trace.
type Writer struct {
	tally  *stackprofile.Profile
	states stackprofile.States
	counts bool
	out    io.Writer
	frames map[uint32]string // names of functions, escaped, by the tally's numbers of places
	err    error
}

// Options select the intervals and the values of lines.
type Options struct {
	// States are names of states: "blocked", "waited" (without a timeout), "timed", "joined", "slept". No state means
	// "blocked".
	States []string
	// Counts makes the value of a line the number of intervals. The default is their sum in nanoseconds.
	Counts bool
}

// NewWriter returns a Writer to w. An unknown state is an error of each Put and of Close.
func NewWriter(w io.Writer, o Options) *Writer {
	options, err := stackprofile.Select(o.States)
	options.Detail = stackprofile.WithoutMonitors
	return &Writer{tally: stackprofile.New(options), states: options.States, counts: o.Counts, out: w,
		frames: make(map[uint32]string), err: err}
}

// Put counts the record. The Summary makes it write the lines, in the order of their frames.
func (w *Writer) Put(r trace.Record) error {
	if _, last := r.(*trace.Summary); last && w.err == nil {
		w.err = w.writeLines()
	} else if w.err == nil {
		w.err = w.tally.Put(r)
	}
	return w.err
}

// Close returns the first error.
func (w *Writer) Close() error { return w.err }

// Notes returns sentences about what the lines leave out.
func (w *Writer) Notes() []string { return w.tally.Notes() }

func (w *Writer) writeLines() error {
	samples := w.tally.Samples()
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

// value returns the number at the end of the sample's line.
func (w *Writer) value(s *stackprofile.Sample) int64 {
	if w.counts {
		return s.Count
	}
	return s.Delay
}

// names returns the names in the lines, sorted.
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
				out.WriteByte(';') // Flush returns an earlier error
			}
			out.WriteString(names[binary.BigEndian.Uint32(frames)])
		}
		fmt.Fprintf(out, " %d\n", values[line])
	}
	return out.Flush()
}

// allThreads replaces the thread's name if there are too many threads to count them apart.
const allThreads = "[all threads]"

// line returns the sample's frames: the thread, the state if several are selected, and the calls from the outermost on.
func (w *Writer) line(s *stackprofile.Sample) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(w.thread(s)) || w.states.Several() && !yield("["+s.State.String()+"]") {
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
	if s.Thread == "" {
		return allThreads
	}
	return frame(s.Thread)
}

// function returns the name of the place's function.
func (w *Writer) function(place uint32) string {
	name, ok := w.frames[place]
	if !ok {
		name = frame(w.tally.Function(w.tally.Place(place).Function).Title("/"))
		w.frames[place] = name
	}
	return name
}

// frame escapes a name for a line, in which a semicolon ends a frame and the last blank precedes the value.
func frame(name string) string {
	name = strings.ReplaceAll(sanitize.Text(name), ";", `\u003B`)
	trimmed := strings.TrimRight(name, " ")
	return trimmed + strings.Repeat(`\u0020`, len(name)-len(trimmed))
}

// WriteBlame writes the samples of blame, a line each, from the root on: where threads waited and for what, then which
// thread is to blame, where, in which state. The values are nanoseconds.
func WriteBlame(out io.Writer, samples []blame.Sample) error {
	lines := map[string]int64{}
	for i := range samples {
		lines[joined(samples[i].Frames())] += samples[i].Total
	}
	return writeSums(out, lines)
}

// WriteAllocations writes allocations, a line for each call stack and class, which is its last frame. The values are
// bytes; samples are scaled.
func WriteAllocations(out io.Writer, samples []allocation.Sample) error {
	lines := map[string]int64{}
	for i := range samples {
		s := &samples[i]
		frames := []string{"[no call stack]"}
		if s.Stack != nil {
			frames = frames[:0]
			for _, f := range slices.Backward(s.Stack.Frames) {
				frames = append(frames, cmp.Or(f.Method.Title(), "[unknown method]"))
			}
		}
		lines[joined(append(frames, s.Class))] += int64(math.Round(s.Allocated.Bytes))
	}
	return writeSums(out, lines)
}

// WriteMethods writes calls or samples of methods, a line for each call stack below its thread. The values are base
// times in nanoseconds, or numbers of samples without a known time.
func WriteMethods(out io.Writer, p *methods.Profile) error {
	lines := map[string]int64{}
	var frames []string
	for stack := range p.Stacks() {
		if stack.Values[1] == 0 {
			continue
		}
		frames = append(frames[:0], stack.Thread)
		for _, f := range stack.Frames {
			frames = append(frames, f.Title)
		}
		lines[joined(frames)] += stack.Values[1]
	}
	return writeSums(out, lines)
}

// joined returns the frames as a line has them.
func joined(frames []string) string {
	var escaped []string
	for _, title := range frames {
		escaped = append(escaped, frame(title))
	}
	return strings.Join(escaped, ";")
}

// writeSums writes lines with their values, in the order of the lines.
func writeSums(out io.Writer, lines map[string]int64) error {
	w := bufio.NewWriter(out)
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(w, "%s %d\n", line, lines[line])
	}
	return w.Flush()
}
