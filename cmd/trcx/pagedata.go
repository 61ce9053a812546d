package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/analyze/diagnosis"
	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/analyze/pools"
	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/emit/page"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// shownTrace is the sink of a page or picture: the timeline, the statistics and the critical path of a trace.
type shownTrace struct {
	sinks     trace.Sink // the recorder and the collector
	name      string
	recorder  *timeline.Recorder
	path      *critical.Recorder // gets the whole trace
	found     *critical.Path     // the critical path; nil before the end of the trace
	counted   *contention.Collector
	workers   *pools.Finder                 // gets the whole trace, too
	states    diagnosis.States              // gets the whole trace, too
	summed    *contention.Statistics        // merged; nil before the first use
	diagnosed []page.Verdict                // see verdicts; nil before the first use
	dropped   uint64                        // records lost by the trace's recorder
	selected  string                        // the flags that have selected a part; "" for the whole trace
	part      selection.Selection           // the parsed flags
	heap      *heapSink                     // the heap's part of the trace
	base      *methods.Collector            // of another run to compare; nil without it
	calls     *methods.Collector            // calls and samples of methods; nil if they are not shown
	complete  func() error                  // called at the end of the trace
	skips     func(*trace.ModelMethod) bool // of enrich.Options
	frames    int                           // of enrich.Options
}

// statistics returns the statistics of the whole trace, after its end.
func (s *shownTrace) statistics() *contention.Statistics {
	if s.summed == nil {
		// places are counted by the kind of time; trcx stats shows a place once
		merged := contention.NewMerged(contention.DefaultRows)
		merged.Add(s.counted.Statistics())
		s.summed = merged.Statistics()
	}
	return s.summed
}

// newShownTrace returns a sink for the trace of the name. The index can be saved to saved, unless that is "". With live
// it can be read before its end.
func newShownTrace(name, saved string, live bool) (*shownTrace, error) {
	recorder, err := timeline.NewRecorder(saved, live)
	if err != nil {
		return nil, err
	}
	folder := ""
	if saved != "" {
		folder = filepath.Dir(saved)
	}
	name = filepath.Base(name)
	s := &shownTrace{
		name: name, recorder: recorder, path: critical.NewRecorderIn(folder), counted: contention.NewCollector(name,
			contention.DefaultRows), workers: pools.NewFinder(selection.Window{}),
	}
	s.sinks = trace.Tee(recorder, s.counted)
	s.calls = newPageCalls(selection.Window{})
	s.heap = newPageHeap(selection.Window{})
	return s, nil
}

// maxCalls limits the single calls in a page.
const maxCalls = 30_000

// newPageCalls returns the collector of the page's methods.
func newPageCalls(window selection.Window) *methods.Collector {
	return methods.NewCollector(methods.Options{Window: window, Merge: true, Forget: true, Longest: maxCalls})
}

// hasMethods reports whether the trace has something for the page's Methods tab.
func (s *shownTrace) hasMethods() bool { return s.calls != nil && s.calls.HasMethods() }

// elements returns the sink of the trace's elements. Its records go to next, which passes them to the shownTrace.
func (s *shownTrace) elements(next trace.Sink, o enrich.Options) convert.Sink {
	o.Allocations = true
	enricher := &observed{enrich.New(trace.Tee(s.path, s.workers, &s.states, s.heap.allocations, next), o), s.observe}
	if s.heap.enricher = enricher; s.calls != nil {
		s.heap.enricher = convert.Tee(enricher, s.calls)
	}
	return s.heap
}

// selectPart shows the part of the trace that the flags select, and returns the filter for the statistics. The critical
// path leads through the window.
func (s *shownTrace) selectPart(part selection.Selection, flags string) *selection.Filter {
	s.part, s.selected = part, flags
	s.heap = newPageHeap(part.Window)
	s.calls = newPageCalls(part.Window)
	s.path.Within(part.Window)
	s.workers = pools.NewFinder(part.Window)
	counted := selection.NewFilter(part, s.counted)
	s.sinks = trace.Tee(selection.NewFilter(part, s.recorder).Entrance(), s.counted.Whole(counted.Entrance()))
	return counted
}

func (s *shownTrace) index() *timeline.Index { return s.recorder.Index() }

// Put passes the record to the recorder and the collector. The Summary completes the index.
func (s *shownTrace) Put(r trace.Record) error {
	if summary, last := r.(*trace.Summary); last {
		return s.finish(summary)
	}
	return s.sinks.Put(r)
}

// finish completes the index.
func (s *shownTrace) finish(summary *trace.Summary) error {
	s.found = s.path.Path(s.path.Last())
	for p := range s.found.Pieces() {
		if p.Thread.Key == 0 {
			continue // no lane shows pauses and unknown pieces
		}
		if err := s.recorder.OnPath(p.Thread.Key, p.From, p.To, p.Kind == critical.Latency); err != nil {
			return err
		}
	}
	if err := s.sinks.Put(summary); err != nil {
		return err
	}
	return errors.Join(s.complete(), s.path.Failed())
}

// closeAnalyses releases the memory of critical path and statistics. Their results must be written before.
func (s *shownTrace) closeAnalyses() error {
	s.found, s.summed, s.workers = nil, nil, nil
	return errors.Join(s.path.Failed(), s.path.Close())
}

// bounds returns the window, in nanoseconds since the trace's start.
func (s *shownTrace) bounds() (from, to int64) {
	start, _ := s.index().Start()
	since, until := s.part.Window.Bounds(start)
	length := s.index().Duration()
	return int64(max(since, start) - start), int64(min(until, start+trace.Time(length)) - start)
}

// verdicts returns the diagnosis, the worst finding first. It must be called after the end of the trace.
func (s *shownTrace) verdicts() ([]page.Verdict, error) {
	if s.diagnosed != nil {
		return s.diagnosed, nil
	}
	statistics := *s.statistics()
	statistics.Selected = !s.part.IsEverything()
	facts := &diagnosis.Facts{Statistics: &statistics, Deadlocks: deadlock.Of(s.path, s.part.Window)}
	if blameSelects(s.part) {
		if s.part.Threads == nil {
			statistics.Workers = contention.WorkersOf(s.workers)
		}
		blamed, err := s.blame()
		if err != nil {
			return nil, err
		}
		facts.Blame, facts.States = blamed, &s.states
	}
	if path := s.criticalPath(); path.Ending.IsArbitrary() { // otherwise the path's tab says more
		facts.Path = path
	}
	found := diagnosis.Of(facts)
	lines := found.Head()
	for i, line := range lines {
		verdict := page.Verdict{About: "note", Text: line}
		if at := i - len(lines) + min(len(found.Findings), diagnosis.MaxHead); at >= 0 {
			f := &found.Findings[at]
			if verdict.About, verdict.Remarks = "finding", f.Evidence; f.IsDeadlock() {
				verdict.About = "deadlock"
			}
		}
		s.diagnosed = append(s.diagnosed, verdict)
	}
	remarks := statistics.Remarks()
	if path := s.criticalPath(); s.hasPath() && path.Size() > 0 && path.Ending.Words() != "" {
		remarks = append(remarks, strings.Replace(path.Ending.Words(), "this path", "the critical path", 1))
	}
	for _, remark := range remarks {
		s.diagnosed = append(s.diagnosed, page.Verdict{About: "note", Text: remark})
	}
	return s.diagnosed, s.path.Failed()
}

// hasPath reports whether the critical path is shown, which needs all threads and monitors.
func (s *shownTrace) hasPath() bool {
	others := s.part
	others.Window = selection.Window{}
	return others.IsEverything()
}

// criticalPath returns the path of the trace, or of the part read so far.
func (s *shownTrace) criticalPath() *critical.Path {
	if s.found != nil {
		return s.found
	}
	return s.path.Path(s.path.Last())
}

// notes returns notes on parts that are not shown.
func (s *shownTrace) notes() []string {
	notes := page.Limits(s.index(), s.dropped)
	if s.selected != "" {
		notes = slices.Insert(notes, 0, page.PartNote(s.selected))
	}
	if len(s.part.Groups)+len(s.part.Classes) > 0 || s.part.Min > 0 {
		notes = append(notes, page.BlameWider)
		if s.hasMethods() {
			notes = append(notes, page.MethodsWider)
		}
	}
	return append(notes, s.heap.notes(s.part)...)
}

// results returns the parts of the page that the analyses make, and the diagnosis, after the end of the trace.
func (s *shownTrace) results() (r page.Report, verdicts []page.Verdict, err error) {
	var errs [6]error
	verdicts, errs[0] = s.verdicts()
	r.Path, errs[1] = s.pathJSON()
	r.Statistics, errs[2] = s.statisticsJSON()
	r.Blame, errs[3] = s.blameJSON()
	r.Methods, errs[4] = s.methodsJSON()
	if s.heap.has() {
		r.Heap, errs[5] = s.heapJSON()
	}
	return r, verdicts, cmp.Or(errs[:]...)
}

// pathJSON returns the critical path for the page.
func (s *shownTrace) pathJSON() ([]byte, error) {
	if !s.hasPath() {
		return answers.JSON(critical.LeftOut(page.PathLeftOut))
	}
	return answers.JSON(s.criticalPath().Extract(page.MaxListed))
}

// blameJSON returns the blame for the page, of the parts that waits of the selected threads have in the selected
// window.
func (s *shownTrace) blameJSON() ([]byte, error) {
	b, err := s.blame()
	if err != nil {
		return nil, err
	}
	return answers.JSON(b.Extract(page.MaxListed))
}

// blame returns the blame of the waits of the selected threads in the selected window.
func (s *shownTrace) blame() (*blame.Blame, error) {
	return blame.Of(s.path, blame.Options{Threads: s.part.Threads, Window: s.part.Window, WithoutIdle: true})
}

// statisticsJSON returns the statistics of all threads for the page.
func (s *shownTrace) statisticsJSON() ([]byte, error) {
	return answers.JSON(s.statistics().Extract(page.MaxListed))
}

// methodsJSON returns the methods for the page; nil without any.
func (s *shownTrace) methodsJSON() ([]byte, error) {
	if !s.hasMethods() {
		return nil, nil
	}
	start, _ := s.index().Start()
	return json.Marshal(s.calls.Extract(methods.Page{Limit: page.MaxListed, Threads: s.part.SelectThreads(),
		Start: start, Base: s.base}))
}

// observe adds up records lost by the trace's recorder, which writes their number where they are missing.
func (s *shownTrace) observe(e *trace.Event) {
	if e.Kind != trace.Option || e.Text(trace.AttrKey) != trace.OptionDropped {
		return
	}
	if n, err := strconv.ParseUint(e.Text(trace.AttrValue), 10, 64); err == nil {
		s.dropped += n
	}
}
