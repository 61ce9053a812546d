package threaddump

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

// A dump of a million virtual threads is not kept: in the first dump of an input there is nothing to be compared with,
// and most threads have nothing to do with others.

// alone reports whether what a thread does can be told without the other threads of its dump: it has nothing, and wants
// nothing that another one may have.
func (s *series) alone(d *dump, t *thread) bool {
	if s.dumps > 0 || d.form == printed || !d.dated || t.state == ended || t.lockedBy != "" ||
		len(t.owned)+len(t.synced) > 0 {
		return false
	}
	t.now = t.activity()
	return t.now.doing != locking && !isLock(t.now.object.class)
}

// tell gives a thread that is alone to the trace.
func (s *series) tell(d *dump, t *thread) error {
	if s.known[t.id] != nil {
		s.twice(t)
		return nil
	}
	if !d.begun {
		d.begun = true
		s.date(d, false)
		if err := s.begin(d); err != nil {
			return err
		}
	}
	d.told++
	if o := t.now.object; o.known() && s.objects.now[o.name] == nil {
		d.size += toldSize + len(o.name) + len(o.class)
		if err := s.define(o, t); err != nil {
			return err
		}
	}
	k := newKnown(t, d.form)
	s.known[t.id] = k
	s.order = append(s.order, k)
	err := s.start(t, false)
	if err == nil && t.now.doing != running {
		err = s.wait(k, t)
	}
	s.compare(k, t, d.form)
	k.thread, k.changed = nil, false
	return err
}

// twice reports a thread that has been told already in this dump.
func (s *series) twice(t *thread) {
	s.report(ruleThreadTwice, trace.Error, t.place,
		fmt.Sprintf("thread %s occurs in this dump a second time, as if two were mixed; the first is used", t.label()),
		nil)
}
