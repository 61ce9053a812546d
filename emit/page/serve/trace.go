package serve

import (
	"context"
	"math"
	"sync"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/emit/page"
	"github.com/trcx/trcx/trace"
)

// Trace is a trace that is served.
type Trace struct {
	// Name is the title of the trace.
	Name string
	// Index has the intervals of its threads.
	Index *timeline.Index
	// Path returns the JSON of the critical path, as critical.Path.Extract returns it.
	Path func() ([]byte, error)
	// Blame returns the JSON of the blame, as blame.Blame.Extract returns it.
	Blame func() ([]byte, error)
	// Heap returns the JSON of page.HeapJSON, HasHeap reports whether there is any.
	Heap    func() ([]byte, error)
	HasHeap func() bool
	// Methods returns the JSON of methods.Collector.Extract, HasMethods reports whether there is any.
	// Methods is not called while the trace is Live.
	Methods    func() ([]byte, error)
	HasMethods func() bool
	// Statistics is the JSON of the statistics of all threads, as contention.Statistics.Extract returns it; nil if they
	// are not computed yet.
	Statistics []byte
	// Verdicts returns the conclusions on the trace, Notes its omissions and limits.
	Verdicts func() []page.Verdict
	Notes    func() []string
	// Guard is held during requests to an index that may change; nil if it is complete.
	Guard sync.Locker
	// Live reports whether the trace is being recorded.
	Live func() bool
}

// hold locks the trace until the returned function is called.
func (t *Trace) hold() func() {
	if t.Guard == nil {
		return func() {}
	}
	t.Guard.Lock()
	return t.Guard.Unlock
}

func (t *Trace) live() bool { return t.Live != nil && t.Live() }

// about returns the document "about". The caller holds the trace.
func (t *Trace) about(names []string) ([]byte, error) {
	about := page.About{Name: t.Name, Live: t.live(), Traces: names, Verdicts: t.Verdicts(), Notes: t.Notes(),
		Heap: t.HasHeap(), Methods: t.HasMethods(), Index: t.Index}
	return about.JSON()
}

// window returns a part of the trace.
func (t *Trace) window(ctx context.Context, q timeline.Request) ([]byte, error) {
	defer t.hold()()
	if q.Threads == nil {
		q.Threads = t.Index.Keys()
	}
	if q.Resolution == 0 && t.Index.Most(q) > mostRows || q.Resolution > 0 &&
		(q.To-q.From)/q.Resolution > mostCells/int64(max(len(q.Threads), 1)) {
		return nil, &wrong{"this is too much at once; ask for a coarser resolution, a shorter time or fewer threads"}
	}
	w, err := t.Index.Window(ctx, q)
	if err != nil {
		return nil, err
	}
	return page.AppendWindow(nil, w), nil
}

// overviewOf returns the overview of threads, nil for all.
func (t *Trace) overviewOf(ctx context.Context, threads []trace.ThreadKey, parts int) ([]byte, error) {
	defer t.hold()()
	o, err := t.Index.Overview(ctx, threads, parts)
	if err != nil {
		return nil, err
	}
	return page.OverviewJSON(o)
}

// detail returns the document "detail" of an event, or nil if there is no such event.
func (t *Trace) detail(thread trace.ThreadKey, event trace.EventID) ([]byte, error) {
	defer t.hold()()
	d, err := t.Index.Detail(thread, event)
	if d == nil || err != nil {
		return nil, err
	}
	return page.DetailJSON(d)
}

// statistics returns the statistics of threads, nil for all, in a part of the time.
func (t *Trace) statistics(ctx context.Context, threads []trace.ThreadKey, from, to int64) ([]byte, error) {
	if t.Statistics != nil && threads == nil && from == 0 && to == math.MaxInt64 {
		return t.Statistics, nil
	}
	defer t.hold()()
	if threads != nil && len(threads) == 0 {
		threads = []trace.ThreadKey{0} // a key that no thread has
	}
	collector := contention.NewCollector(t.Name, contention.DefaultRows)
	if err := t.Index.Replay(ctx, threads, from, to, collector); err != nil {
		return nil, err
	}
	merged := contention.NewMerged(contention.DefaultRows)
	merged.Add(collector.Statistics())
	return answers.JSON(merged.Statistics().Extract(page.MaxListed))
}
