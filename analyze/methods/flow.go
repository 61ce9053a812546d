package methods

import (
	"encoding/binary"
	"iter"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/extsort"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// flow has the calls of a recording, in the order of their entries.
type flow struct {
	calls extsort.Sorter
	text  []byte
}

func newFlow() *flow { return &flow{calls: extsort.Sorter{Name: "methods"}} }

// ended is a call that has ended. Times are in nanoseconds, in the window.
type ended struct {
	order            uint64 // the number of its entry
	thread           int32
	level            int32
	node             int32
	begin            int64
	base, cumulative int64
	how              ending // in the window; hasExit if it ends after that
}

func (f *flow) add(e *ended) error {
	f.text = append(f.text[:0], byte(e.how))
	for _, number := range [...]int64{int64(e.thread), int64(e.level), int64(e.node), e.begin, e.base, e.cumulative} {
		f.text = binary.AppendVarint(f.text, number)
	}
	return f.calls.Add(extsort.Key{ID: e.order}, f.text)
}

// inOrder iterates over the calls.
func (f *flow) inOrder() iter.Seq[ended] {
	return func(yield func(ended) bool) {
		for k, text := range f.calls.Sorted() {
			e := ended{order: k.ID, how: ending(text[0])}
			at, numbers := 1, [6]int64{}
			for i := range numbers {
				value, n := binary.Varint(text[at:])
				numbers[i], at = value, at+n
			}
			e.thread, e.level, e.node = int32(numbers[0]), int32(numbers[1]), int32(numbers[2])
			e.begin, e.base, e.cumulative = numbers[3], numbers[4], numbers[5]
			if !yield(e) {
				return
			}
		}
	}
}

// step is a call of the flow with its thread.
type step struct {
	ended
	of     *thread
	method *method
}

// steps iterates over the calls of the threads that the view selects.
func (s *Session) steps(v *View) iter.Seq[step] {
	return func(yield func(step) bool) {
		selected := make([]bool, len(s.threads))
		for i, t := range s.threads {
			selected[i] = v.Threads == nil || v.Threads(t.id, t.name, t.group)
		}
		for e := range s.flow.inOrder() {
			if selected[e.thread] && !yield(step{e, s.threads[e.thread], s.methods[s.tree.at(e.node).method]}) {
				return
			}
		}
	}
}

// Call is a call of the flow. A call that was open when the trace ended, or lost its exit, ends where the thread's time
// did.
type Call struct {
	Session     int    // the index of its recording
	Thread      string // id
	ThreadTitle string
	Method      string // the title
	Level       int    // how many calls are around it
	Begin, End  trace.Time
	Open, Lost  bool
}

// Calls iterates over the calls of the selected threads, nil selects all: recording by recording, in the order of their
// entries. It needs Options.Flow.
func (c *Collector) Calls(selected func(id, name, group string) bool) iter.Seq[Call] {
	return func(yield func(Call) bool) {
		for i, s := range c.sessions {
			if s.flow == nil {
				return
			}
			for e := range s.steps(&View{Threads: selected}) {
				begin := trace.Time(e.begin)
				if !yield(Call{i, e.of.id, e.of.title(), e.method.Title(), int(e.level), begin,
					begin + trace.Time(e.cumulative), e.how == isOpen, e.how == isLost}) {
					return
				}
			}
		}
	}
}

// flowTable returns the table of the first calls.
func (s *Session) flowTable(start trace.Time, v *View) answer.Table {
	t := answer.Table{Title: "Calls in the order of their entries",
		Columns: append(answer.Right("at", "time", "base"), answer.Left("thread", "method")...)}
	for e := range s.steps(v) {
		if v.Top > 0 && len(t.Rows) == v.Top {
			t.More++
			continue
		}
		title := phrase.Name(e.method.Title())
		if e.how != hasExit {
			title += " (" + e.how.String() + ")"
		}
		t.Add(answer.Time(e.begin-int64(start)), answer.Time(e.cumulative), answer.Time(e.base),
			phrase.Name(e.of.title()),
			answer.Nested{Level: int(e.level), Text: title})
	}
	return t
}

// jsonStep is a call of the flow in JSON. Begin is the time since the start of the trace.
type jsonStep struct {
	jsonNames
	Level      int   `json:"level"`
	Begin      int64 `json:"begin"`
	Base       int64 `json:"base"`
	Cumulative int64 `json:"cumulative"`
	Open       bool  `json:"open,omitempty"`
	Lost       bool  `json:"lost,omitempty"`
}

func (s *Session) jsonFlow(start trace.Time, v *View) answer.List {
	return func(yield func(any) bool) {
		for e := range s.steps(v) {
			var r Row
			e.method.describe(&r)
			names := nameMethod(&r)
			names.ThreadID = text(e.of.id)
			if !yield(jsonStep{names, int(e.level), e.begin - int64(start), e.base, e.cumulative, e.how == isOpen,
				e.how == isLost}) {
				return
			}
		}
	}
}

// csvFlow adds the names of the columns and the calls.
func (c *Collector) csvFlow(v *View, add func(...any)) {
	add("trace", "threadId", "threadName", "level", "class", "method", "signature", "begin", "base", "cumulative",
		"ending")
	for _, s := range c.sessions {
		for e := range s.steps(v) {
			var r Row
			e.method.describe(&r)
			add(s.Name, e.of.id, e.of.name, int(e.level), r.names(""), answer.Time(e.begin-int64(c.start)),
				answer.Time(e.base), answer.Time(e.cumulative), e.how)
		}
	}
}
