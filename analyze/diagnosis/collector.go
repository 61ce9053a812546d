package diagnosis

import (
	"sync"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/analyze/pools"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/trace"
)

// Collector is a sink of the whole model of a trace that computes the facts of a window in one pass. Without Activity
// records it does not know whether the run ended by itself.
type Collector struct {
	// Calls must get the events of the trace, to know the methods; see convert.Tee.
	Calls *methods.Collector

	trace.Sink
	window     selection.Window
	recorder   *critical.Recorder
	statistics *contention.Collector
	workers    *pools.Finder
	states     *States
}

// NewCollector returns a Collector for a window of the named trace. It must be closed, as it may have a temporary file.
func NewCollector(name string, window selection.Window) *Collector {
	c := &Collector{window: window, recorder: critical.NewRecorderIn(""), workers: pools.NewFinder(window),
		statistics: contention.NewCollector(name, contention.DefaultRows), states: &States{},
		Calls: methods.NewCollector(methods.Options{Window: window, Forget: true})}
	filter := selection.NewFilter(selection.Selection{Window: window}, c.statistics)
	c.statistics.Share(c.recorder.IdleFinder())
	c.Sink = trace.Tee(c.statistics.Whole(filter.Entrance()), c.recorder, c.workers, c.states)
	return c
}

// Complete adds the trace's facts to the given ones. Call it once, after the last record. The error is an error of the
// temporary file.
func (c *Collector) Complete(facts *Facts) (err error) {
	facts.Hot, facts.Calls = sync.OnceValue(c.Calls.Hot), c.Calls.Sentence
	if facts.Blame, err = c.Blame(c.window); err != nil {
		return err
	}
	facts.Statistics = c.statistics.Statistics()
	facts.Statistics.Workers, facts.Working = contention.WorkersOf(c.workers), c.workers.Working()
	c.recorder.Within(c.window) // blame cuts waits by itself, and has to know what is outside
	facts.States, facts.Path = c.states, c.recorder.Path(c.recorder.Last())
	facts.Deadlocks = deadlock.Of(c.recorder, c.window)
	return nil
}

// Blame returns the blame of the waits in a window that are not idle. The error is an error of the temporary file.
func (c *Collector) Blame(window selection.Window) (*blame.Blame, error) {
	return blame.Of(c.recorder, blame.Options{Window: window, WithoutIdle: true})
}

// Failed returns the error of the temporary file, or nil. After an error, answers that were computed from the facts are
// wrong.
func (c *Collector) Failed() error { return c.recorder.Failed() }

// Close removes the temporary file. The facts must not be used afterwards.
func (c *Collector) Close() error { return c.recorder.Close() }
