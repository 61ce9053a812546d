package threaddump

import (
	"fmt"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// independent reports whether the state of a thread does not depend on the other threads of its dump: it owns nothing,
// and wants nothing that another one may own.
//
// Such threads of an input's first dump are emitted at once, so that a dump of a million virtual threads is not kept.
func (s *series) independent(d *dump, t *thread) bool {
	if s.dumps > 0 || d.form == printed || !d.dated || t.javaState == javaEnded || t.ownerID != "" ||
		len(t.owned)+len(t.synced) > 0 {
		return false
	}
	t.state = t.ownState()
	return t.state.kind != blocked && !javaname.IsOwnedLock(t.state.object.class)
}

// putNow emits an independent thread.
func (s *series) putNow(d *dump, t *thread) {
	if s.threads[t.id] != nil {
		s.reportTwice(t)
		return
	}
	if !d.begun {
		d.begun = true
		s.setTime(d, false)
		s.begin(d)
	}
	d.emitted++
	if o := t.state.object; o.known() && s.objects.byName[o.name] == nil {
		d.size += emittedSize + len(o.name) + len(o.class)
		s.define(o, t)
	}
	k := newTraceThread(t, d.form)
	s.threads[t.id] = k
	s.order = append(s.order, k)
	s.startThread(t, false)
	s.sample(t)
	if t.state.kind != running {
		s.startWait(k, t)
	}
	s.remember(k, t, d.form)
	k.current, k.changed = nil, false
}

// reportTwice reports a thread that occurs twice in this dump and was emitted at its first occurrence.
func (s *series) reportTwice(t *thread) {
	s.report(ruleThreadTwice, trace.Error, t.place,
		fmt.Sprintf("thread %s occurs twice in this dump, as if two dumps were mixed; the first occurrence is used",
			t.label()),
		nil)
}
