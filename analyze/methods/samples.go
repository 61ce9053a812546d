package methods

import (
	"fmt"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// Sampling is a kind of samples. Samples of different kinds are never added.
type Sampling uint8

const (
	// OnCPU samples found a thread on a processor, and stand for a time.
	OnCPU Sampling = iota
	// Moments are samples, and thread dumps, of threads in any state. It is unknown for how long.
	Moments
	samplings
)

// samplingNames are the names of the kinds in JSON, CSV and titles.
var samplingNames = [samplings]string{"onCPU", "moments"}

// String names the kind.
func (k Sampling) String() string { return samplingNames[k] }

// sample adds a sample of a thread to the tree of its kind: in a node, calls are the samples that found it innermost,
// and base is the time that they stand for, or how many of them were RUNNABLE.
func (c *Collector) sample(e *trace.Event) {
	if string(e.Value(trace.AttrName)) != trace.NoteSample {
		return
	}
	var sample trace.Sample
	id, frames, ok := sample.Parse(e.Value(trace.AttrValue))
	if !ok || len(frames) == 0 || sample.Time < c.since || sample.Time >= c.until {
		return
	}
	s, k := c.current, threadstate.KeyOf(id)
	t := c.open.threads.Get(k)
	if t == nil {
		t = c.newThread(k, string(id))
	}
	kind, base := Moments, int64(0)
	c.path = c.path[:0]
	runnable, inner := sample.State == trace.StateRunnable, true
	for id := range trace.Frames(frames) {
		m := c.methodBy(threadstate.KeyOf(id), id)
		runnable = runnable && !(inner && m.waitsInNative())
		if inner = false; !m.excluded {
			c.path = append(c.path, m.index)
		}
	}
	switch {
	case len(c.path) == 0:
		return
	case runnable && sample.Period > 0:
		kind, base = OnCPU, sample.Period*int64(sample.Count)
	case runnable:
		base = int64(sample.Count)
	}
	tr := &s.samples[kind]
	node := s.sampledRoot(t, kind)
	for i := len(c.path) - 1; i >= 0; i-- {
		node = tr.child(node, c.path[i])
	}
	n := tr.at(node)
	add(&n.calls, sample.Count)
	add(&n.base, base)
	if s.spans != nil && base > 0 {
		s.spans.lists[kind].Put(span{sample.Time, base, t.number, n.method, uint32(sample.Count)})
	}
}

// waitsInNative reports whether a thread in the method waits, although it is RUNNABLE for the JVM.
func (m *method) waitsInNative() bool {
	return m.class != nil &&
		enrich.WaitsInNative(&trace.ModelMethod{Class: strings.ReplaceAll(m.class.name, ".", "/"), Name: m.name})
}

// sampledRoot returns the node of the thread in the tree of the samples.
func (s *Session) sampledRoot(t *thread, kind Sampling) int32 {
	if t.sampled[kind] == noNode {
		t.sampled[kind] = s.samples[kind].add(noNode, noMethod)
		s.list(t)
	}
	return t.sampled[kind]
}

// Samples returns the samples of a kind; nil for none. Calls of a row counts the samples that found it innermost,
// Samples the samples that found it anywhere, each once. Base and Cumulative are times; for Moments, the number of
// RUNNABLE samples.
func (s *Session) Samples(kind Sampling, selected func(id, name, group string) bool) *Tables {
	if s.samples[kind].count == 0 {
		return nil
	}
	view := s.sampledBy(kind)
	return view.Tables(selected)
}

// sampledBy returns the recording with the tree of the samples instead of the tree of the calls.
func (s *Session) sampledBy(kind Sampling) *Session {
	s.numberPackages() // all classes have numbers then
	of := *s
	of.tree, of.threads = s.samples[kind], nil
	of.tree.classes = s.tree.classes
	of.tree.totals = make([]uint64, of.tree.count)
	for i := range of.tree.count {
		n := of.tree.at(i)
		of.tree.totals[i], n.cumulative = n.calls, n.base
	}
	for i := of.tree.count - 1; i >= 0; i-- {
		if n := of.tree.at(i); n.parent != noNode {
			add(&of.tree.totals[n.parent], of.tree.totals[i])
			add(&of.tree.at(n.parent).cumulative, n.cumulative)
		}
	}
	for _, t := range s.threads {
		if t.sampled[kind] != noNode {
			own := *t
			own.root = t.sampled[kind]
			of.threads = append(of.threads, &own)
		}
	}
	return &of
}

// sampleSentence says what the samples of a kind are.
func sampleSentence(kind Sampling, t *Tables) string {
	if kind == OnCPU {
		return fmt.Sprintf("%s of %s on a processor, which stand for %s.", phrase.Count(t.Total.Calls, "sample"),
			phrase.Count(len(t.Threads), "thread"), phrase.Duration(t.Total.Base))
	}
	return fmt.Sprintf("%s of %s in any state, %s of them RUNNABLE. For how long is unknown.",
		phrase.Count(t.Total.Calls, "sample"), phrase.Count(len(t.Threads), "thread"), phrase.Number(uint64(t.Total.Base)))
}

// sampleTable returns the table of samples.
func (s *Session) sampleTable(kind Sampling, t *Tables, v *View) answer.Table {
	table := answer.Table{Title: titles[v.By] + " by samples on a processor",
		Columns: append(answer.Right("samples", "time", "share", "in all", "time in all"), answer.Left(v.noun())...)}
	if kind == Moments {
		table.Title = titles[v.By] + " by samples of threads in any state"
		table.Columns = append(answer.Right("samples", "RUNNABLE", "share", "in all", "RUNNABLE in all"),
			answer.Left(v.noun())...)
	}
	rows := s.rows(t, v)
	for i := range rows {
		r := &rows[i]
		base, cumulative := any(answer.Time(r.Base)), any(answer.Time(r.Cumulative))
		if kind == Moments {
			base, cumulative = phrase.Number(uint64(r.Base)), phrase.Number(uint64(r.Cumulative))
		}
		share := phrase.Percent(histogram.Signed(r.Calls), histogram.Signed(t.Total.Calls))
		table.Add(phrase.Number(r.Calls), base, share,
			phrase.Number(r.Samples), cumulative, phrase.Name(r.Title))
	}
	table.Note("samples found it as the innermost call; in all: anywhere among the calls, each sample once")
	table.Limit(v.Top)
	return table
}

// jsonSampled is a row of samples in JSON.
type jsonSampled struct {
	jsonNames
	Samples uint64 `json:"samples"`
	Total   uint64 `json:"total"`
	// Times for samples on a processor, numbers for others.
	Base          *int64 `json:"base,omitempty"`
	Cumulative    *int64 `json:"cumulative,omitempty"`
	Runnable      *int64 `json:"runnable,omitempty"`
	RunnableTotal *int64 `json:"runnableTotal,omitempty"`
}

// jsonSamples returns the samples by their kinds; nothing without samples.
func (s *Session) jsonSamples(v *View) (object answer.Object) {
	for kind := range samplings {
		t := s.Samples(kind, v.Threads)
		if t == nil {
			continue
		}
		kinds := map[string][]jsonSampled{}
		for _, of := range t.lists() {
			rows := []jsonSampled{}
			for _, r := range v.sort(of.rows) {
				j := jsonSampled{jsonNames: of.names(&r), Samples: r.Calls, Total: r.Samples}
				base, cumulative := r.Base, r.Cumulative
				if kind == OnCPU {
					j.Base, j.Cumulative = &base, &cumulative
				} else {
					j.Runnable, j.RunnableTotal = &base, &cumulative
				}
				rows = append(rows, j)
			}
			kinds[of.name] = rows
		}
		object = append(object, answer.Field{Name: kind.String(), Value: kinds})
	}
	return object
}
