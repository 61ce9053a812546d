package enrich

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// A late binding: records of two threads can be out of order, so that a return from a wait is recorded before the
// notification that ended the wait. Such a return stays unbound for a while, and the notification may bind it.

// unboundReturn is a return from a wait that has no cause yet.
type unboundReturn struct {
	runningRef
	thread *incarnation
	at     trace.Time // of the Running event
	began  trace.Time // the wait, if dated
	dated  bool
}

// disorder is how far the times of real traces go back, in nanoseconds.
const disorder = 2_000_000

// bindLater keeps the Running event for a notification that is recorded late.
func (e *Enricher) bindLater(event *trace.Event, t *thread, o *object, run *trace.ModelEvent) {
	for returns := e.scope.returns[o]; len(returns) > 0 &&
		(returns[0].at < e.last-disorder || len(returns) >= maxUnbound); returns = e.scope.returns[o] {
		e.scope.removeReturnAt(o, 0)
	}
	e.scope.returns[o] = append(e.scope.returns[o], unboundReturn{runningRef: refOf(run), thread: t.incarnation,
		at: event.Time, began: t.wait.at, dated: t.wait.open})
	t.current().unbound = o
}

// bindReturns binds earlier returns to the notification: one, or all that it can have ended.
func (e *Enricher) bindReturns(event *trace.Event, c cause, o *object, all bool) {
	e.scope.expireReturns(o, e.last)
	for i := 0; i < len(e.scope.returns[o]); {
		r := e.scope.returns[o][i]
		if r.at < event.Time || r.dated && r.began > event.Time {
			i++
			continue
		}
		e.scope.removeReturnAt(o, i)
		e.bind(c, r.thread, r.runningRef)
		if !all {
			break
		}
	}
}

// expireReturns drops the returns that are too old to be bound.
func (s *scope) expireReturns(o *object, latest trace.Time) {
	for i := len(s.returns[o]) - 1; i >= 0; i-- {
		if s.returns[o][i].at < latest-disorder {
			s.removeReturnAt(o, i)
		}
	}
}

// dropReturns drops the returns from waits on the object.
func (s *scope) dropReturns(o *object) {
	for len(s.returns[o]) > 0 {
		s.removeReturnAt(o, 0)
	}
}

// removeReturn removes the return of the Running event.
func (s *scope) removeReturn(o *object, id trace.EventID) {
	if i := slices.IndexFunc(s.returns[o], func(r unboundReturn) bool { return r.id == id }); i >= 0 {
		s.removeReturnAt(o, i)
	}
}

// removeReturnAt removes the return at the index.
func (s *scope) removeReturnAt(o *object, i int) {
	returns := s.returns[o]
	if run := returns[i].thread.running(returns[i].id); run != nil {
		run.unbound = nil
	}
	keep(s.returns, o, removeAt(returns, i))
}

// keep sets the list of the object in the map, or removes the object if the list is empty.
func keep[E any](of map[*object][]E, o *object, list []E) {
	if len(list) == 0 {
		delete(of, o)
	} else {
		of[o] = list
	}
}

// removeAt removes an element. The first one of several is removed without moving the others.
func removeAt[E any](list []E, i int) []E {
	if i == 0 && len(list) > 1 {
		return list[1:]
	}
	return slices.Delete(list, i, i+1)
}
