package threaddump

import (
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// wantedID returns the id of the object that a thread wants: -1 for one that sleeps, 0 where it is not known.
func wantedID(k *known) string {
	switch {
	case k.doing == sleeping:
		return "-1"
	case k.was().object == "":
		return "0"
	}
	return k.was().object
}

// event begins an element of a thread.
func (s *series) event(kind trace.Kind, id string, t *thread) builder.Element {
	s.place(t.place)
	return s.out.Element(kind, t.place.Offset).Text(trace.AttrThreadIDRef, id).At(s.last)
}

// starts begins the threads that are new.
func (s *series) starts(d *dump) error {
	wanted := map[*thread]bool{}
	for _, t := range d.threads {
		if t.now.owner != nil {
			wanted[t.now.owner] = true
		}
	}
	for _, t := range d.threads {
		if s.known[t.id] != nil {
			continue
		}
		k := newKnown(t, d.form)
		s.known[t.id] = k
		s.order = append(s.order, k)
		if err := s.start(t, wanted[t]); err != nil {
			return err
		}
	}
	return nil
}

func newKnown(t *thread, f form) *known {
	k := &known{id: t.id, form: f, virtual: t.virtual, thread: t, changed: true}
	if t.handle != "" {
		k.last = &last{handle: t.handle, elapsed: t.elapsed}
	}
	return k
}

// start begins a thread, and says where it was if no other event will, or others wait for it.
func (s *series) start(t *thread, wanted bool) error {
	var stack []byte
	if wanted || t.now.doing == running {
		stack = s.stackOf(t)
	}
	s.place(t.place)
	e := s.out.Element(trace.ThreadStart, t.place.Offset).Text(trace.AttrThreadID, t.id).At(s.last).
		Text(trace.AttrThreadName, t.title)
	if t.group != "" {
		e = e.Text(trace.AttrGroupName, t.group)
	}
	if t.parent != "" {
		e = e.Text(trace.AttrParentName, t.parent)
	}
	e = e.Stack(stack)
	for _, a := range []struct{ name, value string }{{"daemon", flag(t.daemon)}, {"virtual", flag(t.virtual)},
		{"priority", t.prio}, {"nid", t.nid}, {"carrier", t.carrier}} {
		if a.value != "" {
			e = e.Annotate(a.name, a.value)
		}
	}
	if t.now.doing == running {
		e = s.holding(e, t)
	}
	if s.dumps > 1 {
		e = e.Inferred()
	}
	return e.Put()
}

func flag(on bool) string {
	if on {
		return "1"
	}
	return ""
}

// maxHolding is how many objects an annotation lists.
const maxHolding = 64

// holding notes what a thread has, for people.
func (s *series) holding(e builder.Element, t *thread) builder.Element {
	var list []string
	for _, objects := range [][]object{t.owned, t.synced} {
		for _, o := range objects {
			if s.owners[o.name] == t && len(list) < maxHolding {
				list = append(list, o.class+" "+s.idOf(o))
			}
		}
	}
	if len(list) == 0 {
		return e
	}
	return e.Annotate("holds", strings.Join(list, ", "))
}

// idOf is the id of an object in the trace, or what the dump calls it.
func (s *series) idOf(o object) string {
	if known := s.objects.now[o.name]; known != nil {
		return known.id
	}
	return s.objectID(o)
}

// ownerID returns the id of an owner: 0 where it is not known, or would be the thread itself.
func ownerID(owner string, t *thread) string {
	if owner == "" || owner == t.id {
		return "0"
	}
	return owner
}

// waits begins the waits and sleeps that are new.
func (s *series) waits(d *dump) error {
	for _, t := range d.threads {
		k, a := s.known[t.id], t.now
		if !k.changed || a.doing != idling && a.doing != sleeping {
			continue
		}
		if err := s.wait(k, t); err != nil {
			return err
		}
	}
	return nil
}

// wait begins a wait or a sleep.
func (s *series) wait(k *known, t *thread) error {
	a := t.now
	s.adopt(k, a)
	if object := s.objects.now[a.object.name]; object != nil {
		object.owner = t.id // as whoever reads the trace concludes
	}
	stack := s.stackOf(t)
	e := s.event(trace.MonWait, t.id, t).Text(trace.AttrObjIDRef, wantedID(k))
	if a.forever {
		e = e.Number(trace.AttrTimeout, 0)
	}
	return s.put(e.Stack(stack), t, a)
}

// enters begins the blocks that are new.
func (s *series) enters(d *dump) error {
	for _, t := range d.threads {
		k, a := s.known[t.id], t.now
		if !k.changed || a.doing != locking {
			continue
		}
		s.adopt(k, a)
		owner := ""
		if a.owner != nil {
			owner = a.owner.id
		}
		if object := s.objects.now[a.object.name]; object != nil {
			object.owner = owner
		}
		stack := s.stackOf(t)
		e := s.event(trace.MonContendedEnter, t.id, t).Text(trace.AttrObjIDRef, wantedID(k)).Text(trace.AttrThreadOwner,
			ownerID(owner, t))
		if err := s.put(e.Stack(stack), t, a); err != nil {
			return err
		}
	}
	return nil
}

// adopt notes what the trace says of a thread from here on.
func (s *series) adopt(k *known, a activity) {
	k.doing = a.doing
	object, now := s.objects.now[a.object.name], *k.was()
	if now.object = ""; object != nil {
		now.object = object.id
	}
	k.isNow(now, nil)
}

// put gives on an element by which a thread begins to wait.
func (s *series) put(e builder.Element, t *thread, a activity) error {
	if a.parked {
		e = e.Annotate(trace.ParkAnnotation, map[doing]string{locking: "lock", idling: "wait"}[a.doing])
	}
	if t.starts != "" {
		e = e.Annotate("classInitialization", t.starts)
	}
	e = s.holding(e, t)
	if a.inferred {
		e = e.Inferred()
	}
	return e.Put()
}

// stackOf is the stack of a thread as a trace writes it, of which all is defined. It is good until the next call.
func (s *series) stackOf(t *thread) []byte {
	s.place(t.place)
	s.stack = s.program.tell(s.out, s.stack[:0], *t.stack)
	return s.stack
}
