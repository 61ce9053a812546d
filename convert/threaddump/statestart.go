package threaddump

import (
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// wantedID returns the id of the object that a thread wants: -1 for one that sleeps, 0 where it is not known.
func wantedID(k *traceThread) string {
	switch {
	case k.state == sleeping:
		return "-1"
	case k.previous.object == "":
		return "0"
	}
	return k.previous.object
}

// event begins an element of a thread.
func (s *series) event(kind trace.Kind, id string, t *thread) builder.Element {
	s.at = t.place
	return s.out.Element(kind, t.place.Offset).Text(trace.AttrThreadIDRef, id).At(s.last)
}

// startThreads begins the threads that are new.
func (s *series) startThreads(d *dump) {
	wanted := map[*thread]bool{}
	for _, t := range d.threads {
		if t.state.owner != nil {
			wanted[t.state.owner] = true
		}
	}
	for _, t := range d.threads {
		if s.threads[t.id] != nil {
			continue
		}
		k := newTraceThread(t, d.form)
		s.threads[t.id] = k
		s.order = append(s.order, k)
		s.startThread(t, wanted[t])
	}
}

func newTraceThread(t *thread, f form) *traceThread {
	return &traceThread{id: t.id, form: f, virtual: t.virtual, current: t, changed: true,
		previous: snapshot{handle: t.handle, elapsed: t.elapsed}}
}

// startThread begins a thread, and says where it was if no other event will, or others wait for it.
func (s *series) startThread(t *thread, wanted bool) {
	var stack []byte
	if wanted || t.state.kind == running {
		stack = s.stackOf(t)
	}
	s.at = t.place
	e := s.out.Element(trace.ThreadStart, t.place.Offset).Text(trace.AttrThreadID, t.id).At(s.last).
		Text(trace.AttrThreadName, t.name)
	if t.group != "" {
		e.Text(trace.AttrGroupName, t.group)
	}
	if t.parent != "" {
		e.Text(trace.AttrParentName, t.parent)
	}
	e.Stack(stack)
	for _, a := range []struct{ name, value string }{{trace.NoteDaemon, flag(t.daemon)},
		{trace.NoteVirtual, flag(t.virtual)}, {trace.NotePriority, t.prio}, {trace.NoteNativeID, t.nid},
		{trace.NoteCarrier, t.carrier}} {
		if a.value != "" {
			e.Annotate(a.name, a.value)
		}
	}
	if t.state.kind == running {
		s.annotateOwned(e, t)
	}
	if s.dumps > 1 {
		e.Inferred()
	}
	e.Put()
}

func flag(on bool) string {
	if on {
		return "1"
	}
	return ""
}

// maxHolding is how many objects an annotation lists.
const maxHolding = 64

// annotateOwned notes what a thread has, for people.
func (s *series) annotateOwned(e builder.Element, t *thread) {
	var list []string
	for _, objects := range [][]object{t.owned, t.synced} {
		for _, o := range objects {
			if s.owners[o.name] == t && len(list) < maxHolding {
				list = append(list, o.class+" "+s.idOf(o))
			}
		}
	}
	if len(list) > 0 {
		e.Annotate(trace.NoteHolds, strings.Join(list, ", "))
	}
}

// idOf is the id of an object in the trace, or what the dump calls it.
func (s *series) idOf(o object) string {
	if known := s.objects.byName[o.name]; known != nil {
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

// startWaits begins the waits and sleeps that are new.
func (s *series) startWaits(d *dump) {
	for _, t := range d.threads {
		if k := s.threads[t.id]; k.changed && (t.state.kind == waiting || t.state.kind == sleeping) {
			s.startWait(k, t)
		}
	}
}

// startWait begins a wait or a sleep.
func (s *series) startWait(k *traceThread, t *thread) {
	a := t.state
	s.setState(k, a)
	if object := s.objects.byName[a.object.name]; object != nil && t.initializes == "" {
		object.owner = t.id // as a reader of the trace infers
	}
	stack := s.stackOf(t)
	e := s.event(trace.MonWait, t.id, t).Text(trace.AttrObjIDRef, wantedID(k))
	if a.forever {
		e.Number(trace.AttrTimeout, 0)
	}
	s.putState(e.Stack(stack), t, a)
}

// startBlocks begins the blocks that are new.
func (s *series) startBlocks(d *dump) {
	for _, t := range d.threads {
		k, a := s.threads[t.id], t.state
		if !k.changed || a.kind != blocked {
			continue
		}
		s.setState(k, a)
		owner := ""
		if a.owner != nil {
			owner = a.owner.id
		}
		if object := s.objects.byName[a.object.name]; object != nil {
			object.owner = owner
		}
		stack := s.stackOf(t)
		e := s.event(trace.MonContendedEnter, t.id, t).Text(trace.AttrObjIDRef, wantedID(k)).Text(trace.AttrThreadOwner,
			ownerID(owner, t))
		s.putState(e.Stack(stack), t, a)
	}
}

// setState notes what the trace says of a thread from here on.
func (s *series) setState(k *traceThread, a threadState) {
	k.state = a.kind
	k.previous.object = ""
	if object := s.objects.byName[a.object.name]; object != nil {
		k.previous.object = object.id
	}
}

// putState emits an element by which a thread begins to wait.
func (s *series) putState(e builder.Element, t *thread, a threadState) {
	if a.parked {
		e.Park(map[stateKind]string{blocked: trace.ParkLock, waiting: trace.ParkWait}[a.kind])
	}
	if t.initializes != "" {
		owner := ""
		if a.owner != nil {
			owner = a.owner.id
		}
		e.Init(trace.ThreadFrom([]byte(ownerID(owner, t))))
		e.Annotate(trace.NoteInitializes, t.initializes)
	}
	s.annotateOwned(e, t)
	if a.inferred {
		e.Inferred()
	}
	e.Put()
}

// stackOf defines the methods of a thread's stack and returns it as text. It is valid until the next call.
func (s *series) stackOf(t *thread) []byte {
	s.at = t.place
	s.stack = s.symbols.appendStack(s.out, s.stack[:0], *t.stack)
	return s.stack
}
