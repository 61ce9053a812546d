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
func (s *series) putNow(d *dump, t *thread) error {
	if s.threads[t.id] != nil {
		s.reportTwice(t)
		return nil
	}
	if !d.begun {
		d.begun = true
		s.setTime(d, false)
		if err := s.begin(d); err != nil {
			return err
		}
	}
	d.emitted++
	if o := t.state.object; o.known() && s.objects.byName[o.name] == nil {
		d.size += emittedSize + len(o.name) + len(o.class)
		if err := s.define(o, t); err != nil {
			return err
		}
	}
	k := newTraceThread(t, d.form)
	s.threads[t.id] = k
	s.order = append(s.order, k)
	err := s.startThread(t, false)
	if err == nil && t.state.kind != running {
		err = s.startWait(k, t)
	}
	s.remember(k, t, d.form)
	k.current, k.changed = nil, false
	return err
}

// reportTwice reports a thread that occurs twice in this dump and was emitted at its first occurrence.
func (s *series) reportTwice(t *thread) {
	s.report(ruleThreadTwice, trace.Error, t.place,
		fmt.Sprintf("thread %s occurs twice in this dump, as if two dumps were mixed; the first occurrence is used",
			t.label()),
		nil)
}
