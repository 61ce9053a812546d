package page

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/emit/internal/theme"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// About describes a trace as a whole.
type About struct {
	// Name is the title of the trace.
	Name string
	// Live is set while the trace is being recorded.
	Live bool
	// Traces are the names of all traces that the page can show, including this one.
	Traces []string
	// Resolution is the length in nanoseconds below which spans are in a report only as sums; 0 if it has all.
	Resolution int64
	// Verdicts are the diagnosis of the trace, the worst first.
	Verdicts []Verdict
	// Notes are sentences on omissions and limits of the page.
	Notes []string
	// Threads are the keys of the page's threads; nil is all.
	Threads []trace.ThreadKey
	// Heap is set if the trace has something for the Heap tab.
	Heap bool
	// Methods is set if the page has something for the Methods tab.
	Methods bool
	// From and To are the window that the page opens with, in nanoseconds since the trace's start; both 0 for the whole
	// trace.
	From, To int64
	Index    *timeline.Index
}

// Verdict is a sentence, with further ones. Its kind is "deadlock", another "finding", or a "note".
type Verdict struct {
	About, Text string
	Remarks     []string
}

// MarshalJSON writes the verdict as the page reads it.
func (v Verdict) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		About   string            `json:"about"`
		Text    jsontext.String   `json:"text"`
		Remarks []jsontext.String `json:"remarks"`
	}{v.About, jsontext.String(v.Text), texts(v.Remarks)})
}

// The JSON of About, as in web/source.ts.
type (
	// jsonAbout has a field for each key of the document.
	jsonAbout struct {
		Name         jsontext.String     `json:"name"`
		StartTime    string              `json:"startTime"`
		Duration     int64               `json:"duration"`
		Events       trace.EventID       `json:"events"`
		Truncated    bool                `json:"truncated"`
		Live         bool                `json:"live"`
		Traces       []jsontext.String   `json:"traces"`
		Resolution   int64               `json:"resolution"`
		Verdicts     []Verdict           `json:"verdicts"`
		Notes        []jsontext.String   `json:"notes"`
		States       []theme.State       `json:"states"`
		Interactions []theme.Interaction `json:"interactions"`
		Path         theme.Ribbon        `json:"path"`
		Sessions     []jsonSession       `json:"sessions"`
		Threads      *jsonThreads        `json:"threads"`
		From         int64               `json:"from"`
		To           int64               `json:"to"`
		Deadlocks    []jsonDeadlock      `json:"deadlocks"`
		// Synchronizers are the classes of java.util.concurrent on whose objects threads waited, by their names in the
		// trace.
		Synchronizers map[string]jsonSynchronizer `json:"synchronizers"`
		// Operations are the words for the operations of input and output, by trace.IO.
		Operations []string `json:"operations"`
		Heap       bool     `json:"heap"`
		Methods    bool     `json:"methods"`
	}
	jsonSession struct {
		Index   int             `json:"index"`
		Process jsontext.String `json:"process"`
	}
	// jsonSynchronizer is what people call an object (latch CountDownLatch), and its class without nested ones.
	jsonSynchronizer struct {
		Kind  string `json:"kind"`
		Class string `json:"class"`
	}
	jsonDeadlock struct {
		Time    int64             `json:"time"`
		Threads []trace.ThreadKey `json:"threads"`
	}
	// jsonThreads is a table of threads by columns.
	jsonThreads struct {
		Key     []trace.ThreadKey             `json:"key"`
		ID      []jsontext.String             `json:"id"`
		Name    []jsontext.String             `json:"name"`
		Group   []jsontext.String             `json:"group"`
		Session []int                         `json:"session"`
		Born    []int64                       `json:"born"`
		Died    []int64                       `json:"died"`
		Times   [][timeline.StateCount]int64  `json:"times"`
		Counts  [][timeline.StateCount]uint64 `json:"counts"`
		Path    []int64                       `json:"path"`
		// Silent are the keys of threads without events: their states are unknown.
		Silent []trace.ThreadKey `json:"silent"`
		// Omitted is the number of further threads of the trace.
		Omitted int `json:"omitted"`
	}
)

// JSON returns the document "about" of the page.
func (a *About) JSON() ([]byte, error) {
	x := a.Index
	start, known := x.Start()
	about := jsonAbout{
		Name: jsontext.String(a.Name), Duration: x.Duration(), Events: x.Events, Truncated: x.Truncated,
		Live: a.Live, Traces: texts(a.Traces),
		Resolution: a.Resolution, Verdicts: append([]Verdict{}, a.Verdicts...), Notes: texts(a.Notes),
		States: theme.States[:], Interactions: theme.Interactions[:],
		Path: theme.Path, Sessions: []jsonSession{}, Threads: a.threads(), From: a.From, To: cmp.Or(a.To, x.Duration()),
		Heap: a.Heap, Methods: a.Methods, Deadlocks: []jsonDeadlock{}, Synchronizers: synchronizers(x),
		Operations: operations(),
	}
	if known {
		about.StartTime = start.String()
	}
	for _, s := range x.Sessions {
		process := ""
		if s.Process != "" {
			process = "JVM " + s.Process
		}
		about.Sessions = append(about.Sessions, jsonSession{s.Index, jsontext.String(process)})
	}
	for _, d := range x.Deadlocks {
		about.Deadlocks = append(about.Deadlocks, jsonDeadlock(d))
	}
	return json.Marshal(&about)
}

// synchronizers returns the names of the classes of java.util.concurrent among the index's classes.
func synchronizers(x *timeline.Index) map[string]jsonSynchronizer {
	found := map[string]jsonSynchronizer{}
	for _, class := range x.Texts() {
		if s, ok := javaname.SynchronizerOf(class); ok {
			found[class] = jsonSynchronizer{s.String(), javaname.PlainClass(class)}
		}
	}
	return found
}

// operations returns the words for input and output.
func operations() (words []string) {
	for o := trace.NoIO; o.IsValid(); o++ {
		words = append(words, o.String())
	}
	return words
}

// missingStates returns the names of the states that recorders may not report and no thread of the index was in.
func missingStates(x *timeline.Index) (names []string) {
	if !x.Has(timeline.Parked) {
		names = append(names, theme.States[timeline.Parked].Label+" (java.util.concurrent)")
	}
	if !x.Has(timeline.InIO) {
		names = append(names, theme.States[timeline.InIO].Label)
	}
	return names
}

// hasWaits reports whether any thread was in a state other than RUNNABLE.
func hasWaits(x *timeline.Index) bool {
	for state := timeline.Running + 1; state < timeline.StateCount; state++ {
		if x.Has(state) {
			return true
		}
	}
	return false
}

func texts(all []string) []jsontext.String {
	list := make([]jsontext.String, len(all))
	for i, text := range all {
		list[i] = jsontext.String(text)
	}
	return list
}

func (a *About) threads() *jsonThreads {
	t := &jsonThreads{Key: []trace.ThreadKey{}, ID: []jsontext.String{}, Name: []jsontext.String{},
		Group: []jsontext.String{}, Session: []int{}, Born: []int64{}, Died: []int64{},
		Times: [][timeline.StateCount]int64{}, Counts: [][timeline.StateCount]uint64{}, Path: []int64{},
		Silent: []trace.ThreadKey{}}
	keys := a.Threads
	if keys == nil {
		keys = a.Index.Keys()
	}
	t.Omitted = a.Index.Size() - len(keys)
	for _, key := range keys {
		thread := a.Index.Thread(key)
		t.Key = append(t.Key, thread.Key)
		t.ID = append(t.ID, jsontext.String(thread.ID))
		t.Name = append(t.Name, jsontext.String(thread.Name))
		t.Group = append(t.Group, jsontext.String(thread.Group))
		t.Session = append(t.Session, thread.Session)
		t.Born = append(t.Born, thread.Born)
		if died := int64(-1); thread.Dead {
			t.Died = append(t.Died, thread.Died)
		} else {
			t.Died = append(t.Died, died)
		}
		t.Times = append(t.Times, thread.Times)
		t.Counts = append(t.Counts, thread.Counts)
		t.Path = append(t.Path, thread.OnPath)
		whole := timeline.Request{Threads: []trace.ThreadKey{key}, To: a.Index.Duration()}
		if !thread.Dead && a.Index.Most(whole) == 0 {
			t.Silent = append(t.Silent, key)
		}
	}
	return t
}

// Limits returns notes on what this trace lacks. dropped is the number of records lost by its recorder.
func Limits(x *timeline.Index, dropped uint64) []string {
	notes := []string{}
	if missing := missingStates(x); len(missing) > 0 {
		notes = append(notes, fmt.Sprintf("No thread is shown as %s: recorders that do not report this leave such "+
			"threads RUNNABLE.", phrase.List(missing, "or")))
	}
	if dropped > 0 {
		notes = append(notes, fmt.Sprintf("The recorder has lost %s records: what they said is missing here.",
			phrase.Number(dropped)))
	}
	if x.Truncated {
		notes = append(notes, "The trace is cut off: what its threads did last may be missing.")
	}
	if x.Inferred {
		notes = append(notes,
			"Where the trace does not say who held a lock, that was concluded from what came before; such spans "+
				"are marked as inferred.")
	}
	if !x.Placed() && hasWaits(x) {
		notes = append(notes, wording.NoStacks)
	}
	if x.Lacking() {
		notes = append(notes, "There are more classes and call stacks than could be kept: some are shown as unknown.")
	}
	return notes
}
