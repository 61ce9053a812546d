package enrich

import "github.com/trcx/trcx/trace"

// callStart: the started thread's threadStart comes later, or was recorded a little before.
func (e *Enricher) callStart(event *trace.Event, t *thread) {
	o := e.objectOf(event)
	c := e.act(t, trace.StartsThread, event, o)
	if o == nil {
		return
	}
	o.isThread = true
	if d := o.thread; d != nil && !d.dead && d.first.id != 0 && !d.first.cause.known() && d.first.at >= event.Time {
		e.bind(c, d, d.first.appended)
		return
	}
	o.starts = append(o.starts, c)
}

// callInterrupt: the interrupt ends the wait that is open, or the next one.
func (e *Enricher) callInterrupt(event *trace.Event, t *thread) {
	o := e.objectOf(event)
	c := e.act(t, trace.InterruptThread, event, o)
	if o == nil {
		return
	}
	o.isThread = true
	d := o.thread
	if d == nil {
		return
	}
	d.stir()
	if d.wait.open && !d.during.known() {
		d.during = c
	} else {
		d.before = c
	}
}

// callNotify marks the threads that it takes out of the wait set; they run when they have the monitor again. Only the
// owner of a monitor may notify.
func (e *Enricher) callNotify(event *trace.Event, t *thread) {
	all, _ := event.Flag(trace.AttrIsNotifyAll)
	typ := trace.Notify
	if all {
		typ = trace.NotifyAll
	}
	o := e.objectOf(event)
	c := e.act(t, typ, event, o)
	if o == nil {
		return
	}
	o.owner = t
	if o.waiting.mark(c) > 0 && !all {
		return
	}
	o.expire(e.summary.Last)
	for i := 0; i < len(o.woken); {
		w := o.woken[i]
		if w.at < event.Time || w.dated && w.began >= event.Time {
			i++
			continue
		}
		e.bind(c, w.thread, w.running)
		if i < len(o.woken) && o.woken[i].running.id == w.running.id {
			o.woken = removeAt(o.woken, i)
		}
		if !all {
			return
		}
	}
}

// act appends what a thread does to another, and returns it as a cause.
func (e *Enricher) act(t *thread, typ trace.ModelType, event *trace.Event, o *object) cause {
	done := e.append(t, typ, event.Time)
	e.name(done, o)
	return causeOf(done, o)
}

// threadInterrupted proves that an interrupt ended the wait that is over or still open, whatever else would explain it.
func (e *Enricher) threadInterrupted(event *trace.Event, t *thread) {
	c := t.before
	if t.wait.open {
		c = t.during
	}
	if !c.known() {
		return
	}
	t.during, t.before = cause{}, cause{}
	switch {
	case !t.hasState:
	case t.state == trace.Running:
		if old := t.last.cause; t.last.waited && (!old.known() || old.Type == trace.Notify ||
			old.Type == trace.NotifyAll) {
			e.bind(c, t, t.last.appended)
			if old.known() {
				old.loosen()
				e.emptied = append(e.emptied, old.object)
			}
		}
	case t.state == trace.Sleeping || t.state == trace.WaitingForObject || t.state == trace.WaitingForJoin:
		e.bind(c, t, e.run(t, event.Time))
		e.closeWait(t, false)
	}
}
