package threaddump

import (
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// wantedID returns the id of the object that a thread wants: -1 for a sleeping thread, 0 if unknown.
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

// startThreads emits the starts of new threads.
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

// startThread emits a thread's start, with its stack if no other event has that, or if other threads wait for it.
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

// maxHolding limits the objects listed in an annotation.
const maxHolding = 64

// annotateOwned annotates what a thread owns, for people.
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

// idOf returns the id of an object in the trace, or else its name in the dump.
func (s *series) idOf(o object) string {
	if known := s.objects.byName[o.name]; known != nil {
		return known.id
	}
	return s.objectID(o)
}

// ownerID returns the id of an owner: 0 if it is unknown, or would be the thread itself.
func ownerID(owner string, t *thread) string {
	if owner == "" || owner == t.id {
		return "0"
	}
	return owner
}

// startWaits begins the new waits and sleeps.
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
		object.owner = t.id // as readers of the trace infer it
	}
	stack := s.stackOf(t)
	e := s.event(trace.MonWait, t.id, t).Text(trace.AttrObjIDRef, wantedID(k))
	if a.forever {
		e.Number(trace.AttrTimeout, 0)
	}
	s.putState(e.Stack(stack), t, a)
}

// startBlocks begins the new blocks.
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

// putUnowned emits the states of locks that threads want and no thread owns, if the dump lists what all threads own:
// the owner has ended, or is a virtual thread. If a later dump has an owner, that is emitted, too.
func (s *series) putUnowned(d *dump) {
	if d.form != printed || !d.complete || !d.hasSynchronizers {
		return
	}
	told := map[string]bool{}
	for _, t := range d.threads {
		a, id := t.state, wantedID(s.threads[t.id])
		if !a.parked || a.kind != blocked || !a.object.known() || told[id] || a.owner != nil && !s.unowned[id] {
			continue
		}
		told[id], s.unowned[id] = true, a.owner == nil
		owner := "0"
		if a.owner != nil {
			owner = a.owner.id
		}
		s.at = t.place
		s.out.State(t.place.Offset, &trace.ObjectState{Object: trace.ObjectFrom([]byte(id)), Time: s.last, Text: "owner=" + owner})
	}
}

// setState notes the state of a thread in the trace from here on.
func (s *series) setState(k *traceThread, a threadState) {
	k.state = a.kind
	k.previous.object = ""
	if object := s.objects.byName[a.object.name]; object != nil {
		k.previous.object = object.id
	}
}

// putState emits the element with which a thread begins to wait.
func (s *series) putState(e builder.Element, t *thread, a threadState) {
	switch {
	case t.io != trace.NoIO && a.kind == waiting && !a.object.known():
		e.IO(t.io)
	case a.parked:
		e.Park(map[stateKind]string{blocked: trace.ParkLock, waiting: trace.ParkWait}[a.kind])
	}
	if a.timed && a.kind != sleeping && (a.parked || a.kind == waiting && t.initializes == "") {
		e.Annotate(trace.NoteTimeoutNanos, trace.TimeoutUnknown)
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

func (s *series) endThread(k *traceThread) {
	s.out.Element(trace.ThreadEnd, s.at.Offset).Text(trace.AttrThreadIDRef, k.id).At(s.last).Put()
}

// endThreads ends the threads that are gone: another thread has their id, or a complete dump of the same form lacks
// them. A printed dump has only mounted virtual threads.
func (s *series) endThreads(d *dump) {
	if d.emitted > 0 {
		return // no previous dump
	}
	kept := s.order[:0]
	here := make(map[string]bool, len(d.threads))
	for _, t := range d.threads {
		here[t.id] = true
	}
	for _, k := range s.order {
		gone := d.complete && k.form == d.form
		if gone && k.virtual && d.form.ofOneMoment() && !here[k.id] {
			gone = false
			s.unmount(k)
		}
		if k.current != nil || !gone && !here[k.id] {
			kept = append(kept, k)
			continue
		}
		delete(s.threads, k.id)
		s.endThread(k)
	}
	clear(s.order[len(kept):])
	s.order = kept
}

// endStates ends the states that have changed. For each object, the thread that owns it now ends its state last.
func (s *series) endStates() {
	var owners []*traceThread
	for _, k := range s.order {
		if k.current == nil || !s.hasChanged(k) {
			continue
		}
		k.changed = true
		if owner := s.owners[k.previous.name]; owner == k.current && k.previous.name != "" {
			owners = append(owners, k)
			continue
		}
		s.endState(k)
	}
	for _, k := range owners {
		s.endState(k)
	}
}

// hasChanged reports whether a thread has acted since the previous dump; if not, its calls are the same. If it parks at
// a lock whose owner only becomes known now, its wait becomes a block.
func (s *series) hasChanged(k *traceThread) bool {
	a := k.current.state
	if a.kind != k.state || k.state == running {
		return a.kind != k.state
	}
	if *k.stack != *k.current.stack && !k.current.cut || k.hasRun() {
		return true
	}
	now := s.objects.byName[a.object.name]
	return now == nil && k.previous.object != "" || now != nil && now.id != k.previous.object
}

// cpuUnit is what dumps round CPU times to, in nanoseconds.
const cpuUnit = 10_000

// usedUnits returns the CPU time that the thread has used, in cpuUnits; 0 if unknown.
func (t *thread) usedUnits() uint32 { return uint32(t.cpu / cpuUnit) }

// hasRun reports whether a thread that waits or sleeps has done so again since the previous dump. A dump costs it no
// CPU time, but is rounded. A thread that wants a monitor runs now and then to try.
func (k *traceThread) hasRun() bool {
	now := k.current.usedUnits()
	return k.state != blocked && k.used > 0 && now > k.used+2
}

// endState ends the state of a thread.
func (s *series) endState(k *traceThread) {
	if k.state == running {
		return
	}
	t := k.current
	var stack []byte
	if t.state.kind == running {
		stack = s.stackOf(t)
	}
	if object := s.objects.byID[k.previous.object]; object != nil && k.state == blocked {
		object.owner = k.id
	}
	s.event(endOf(k.state), k.id, t).Text(trace.AttrObjIDRef, wantedID(k)).Stack(stack).Inferred().Put()
}

// endOf returns the kind of the element that ends a state.
func endOf(d stateKind) trace.Kind {
	if d == blocked {
		return trace.MonContendedEntered
	}
	return trace.MonWaited
}

// unmount ends the state of a virtual thread that no carrier has any more. A printed dump does not show what it does
// then, and the trace must not say that it is blocked for ever.
func (s *series) unmount(k *traceThread) {
	id := wantedID(k)
	ended := k.state
	if k.state = running; ended == running {
		return
	}
	k.previous.object = ""
	s.out.Element(endOf(ended), s.at.Offset).Text(trace.AttrThreadIDRef, k.id).At(s.last).
		Text(trace.AttrObjIDRef, id).Inferred().Put()
}

// handOffs emits the hand-offs of objects whose owner has changed while a thread stayed blocked on them: the new owner
// got the object in between.
func (s *series) handOffs() {
	for _, k := range s.order {
		if k.current == nil || k.changed || k.state != blocked || k.previous.object == "" {
			continue
		}
		a := k.current.state
		object := s.objects.byName[a.object.name]
		if a.owner == nil || object.owner == a.owner.id {
			continue
		}
		if owner := s.threads[a.owner.id]; owner.changed || a.owner.state.kind == running {
			s.handOff(a.owner, object)
			continue
		}
		k.changed = true // the owner is the same, but was unknown: the block is emitted again
		s.endState(k)
	}
}

// handOff emits the hand-off of an object from its last owner to the thread.
func (s *series) handOff(t *thread, object *traceObject) {
	s.event(trace.MonContendedEnter, t.id, t).Text(trace.AttrObjIDRef, object.id).Text(trace.AttrThreadOwner,
		ownerID(object.owner, t)).Inferred().Put()
	object.owner = t.id
	s.event(trace.MonContendedEntered, t.id, t).Text(trace.AttrObjIDRef, object.id).Inferred().Put()
}
