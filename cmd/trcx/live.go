package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/page"
	"github.com/trcx/trcx/trace"
)

// live is the sink of a trace that is being read while it is served. Requests hold the guard.
type live struct {
	convert.Sink
	shown  *shownTrace
	guard  sync.Mutex
	over   atomic.Bool // the recording has ended; the rest of the file is still to be read
	done   atomic.Bool // everything has been read
	why    error       // why reading ended early
	errors int         // of the trace so far
	// diagnostics belong to the reading goroutine. warn prints why reading ended early.
	diagnostics *diagnostics
	warn        func(format string, arguments ...any)
}

// ended stores that reading has ended, and warns if it ended with an error.
func (l *live) ended(ctx context.Context, err error) {
	l.guard.Lock()
	defer l.guard.Unlock()
	if err != nil && ctx.Err() == nil {
		l.why = err
		l.warn("%v", err)
	}
	l.done.Store(true)
}

// verdicts returns the verdicts on the part that has been read.
func (l *live) verdicts() []page.Verdict {
	if l.done.Load() && l.why == nil {
		if verdicts, err := l.shown.verdicts(); err == nil {
			return verdicts
		}
	}
	return []page.Verdict{{About: "note", Text: l.shown.criticalPath().Verdict()}}
}

// notes returns notes on the parts that the page does not show, or not yet.
func (l *live) notes() []string {
	notes := append(l.shown.notes(), errorNotes(l.errors)...)
	var unread *convert.InputError
	switch {
	case !l.done.Load():
		return slices.Insert(notes, 0,
			"The trace is still being recorded. It will have the critical path and deadlocks when it has ended.")
	case errors.As(l.why, &unread): // the error names the file by its path
		return slices.Insert(notes, 0, "The trace could not be read to its end: "+unread.Err.Error())
	case l.why != nil:
		return slices.Insert(notes, 0, "The trace could not be read to its end.")
	default:
		return notes
	}
}

// Begin passes the session on under the guard.
func (l *live) Begin(session int) error {
	l.guard.Lock()
	defer l.guard.Unlock()
	return l.Sink.Begin(session)
}

// Put passes the element on under the guard, and stores that the recording is over.
func (l *live) Put(e *trace.Event) error {
	l.guard.Lock()
	defer l.guard.Unlock()
	l.errors = l.diagnostics.errors
	if e.Kind == trace.TraceEnd || e.Kind == trace.AgentDestroy {
		l.over.Store(true)
	}
	return l.Sink.Put(e)
}

// End passes the ending on under the guard.
func (l *live) End(ending trace.Ending) error {
	l.guard.Lock()
	defer l.guard.Unlock()
	l.errors = l.diagnostics.errors
	return l.Sink.End(ending)
}

// Finish ends the trace under the guard.
func (l *live) Finish() error {
	l.guard.Lock()
	defer l.guard.Unlock()
	return l.Sink.Finish()
}
