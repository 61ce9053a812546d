package threaddump

import (
	"errors"
	"fmt"
	"strings"

	"github.com/trcx/trcx/convert/transcript"
	"github.com/trcx/trcx/trace"
)

// series turns dumps, one after the other, into a trace.
type series struct {
	*reader
	out      *transcript.Transcript
	dumps    int
	first    *dump // of which only what stands at its head is kept
	last     trace.Time
	known    map[string]*known
	order    []*known
	objects  identities
	owners   holders
	lacks    map[lackOf]bool
	stack    []byte
	tooLarge bool // that the program is, which was reported
}

// lackOf is a kind of things that dumps cannot tell.
type lackOf uint8

const (
	lackZone lackOf = iota
	lackTimes
	lackOwners
	lackMoment
	lackStates
	lackLocks
)

// lackings say what the kinds mean, in the order in which they are told.
var lackings = []trace.Lack{
	lackZone:   {What: "time zone", Means: "its local times are taken as UTC"},
	lackTimes:  {What: "time at some dumps", Means: "such a dump is taken to be 1 s after the one before it"},
	lackOwners: {What: "owners of locks of java.util.concurrent", Means: "who is blocked at them is blocked by nobody; jstack -l lists the owners"},
	lackMoment: {What: "common moment of its threads", Means: "the JVM looked at one after the other, so that owners and loops of threads may not have been so at the same time"},
	lackStates: {What: "states of threads", Means: "they are concluded from the innermost calls, and threads that are blocked at monitors look as if they were running"},
	lackLocks:  {What: "monitors and locks", Means: "on what threads wait, and who has it, is unknown"},
}

// known is what the trace says of a thread.
type known struct {
	id, handle string
	form       form
	virtual    bool
	elapsed    trace.Time
	doing      doing
	name       string // of the object that it wants, in the last dump
	object     string // its id
	stack      string
	thread     *thread // in the dump at hand, nil if it is not in it
	changed    bool    // it does something else than in the last dump
}

func newSeries(r *reader, out *transcript.Transcript) *series {
	return &series{reader: r, out: out, known: map[string]*known{}, lacks: map[lackOf]bool{}}
}

// apart is how far dumps are from each other that do not say when they were taken.
const apart = trace.Time(1_000_000_000)

// take turns a dump into elements.
func (s *series) take(d *dump) error {
	s.place(d.place)
	s.unique(d)
	other := s.dumps > 0 && s.otherProcess(d)
	s.date(d, other)
	s.resolve(d)
	s.note(d)
	if s.dumps++; s.dumps == 1 {
		s.first = &dump{vm: d.vm, process: d.process}
		if err := s.preamble(d); err != nil {
			return err
		}
	}
	if other {
		if err := s.endAll(d); err != nil {
			return err
		}
		s.first = &dump{vm: d.vm, process: d.process}
	}
	s.match(d)
	if err := s.identify(d); err != nil {
		return err
	}
	for _, step := range []func(*dump) error{s.ends, s.leaves, s.starts, s.handOffs, s.waits, s.enters} {
		if err := step(d); err != nil {
			return err
		}
	}
	s.settle(d)
	return nil
}

func (s *series) place(p trace.Place) { s.at = p }

// unique leaves out threads of a dump that come again: each thread stands in it once.
func (s *series) unique(d *dump) {
	seen := make(map[string]*thread, len(d.threads))
	kept := d.threads[:0]
	for _, t := range d.threads {
		if seen[t.id] != nil {
			s.report("threaddump-thread-twice", trace.Error, t.place, fmt.Sprintf("thread %s stands in this dump a second time, as if two were mixed; the first is used, which is at line %d",
				t.label(), seen[t.id].place.Line), nil)
			continue
		}
		seen[t.id] = t
		if t.state != ended {
			kept = append(kept, t)
		}
	}
	d.threads = kept
}

// otherProcess says whether a dump is of another process than the one before.
func (s *series) otherProcess(d *dump) bool {
	other := s.first.process != "" && d.process != "" && s.first.process != d.process
	common, same := 0, 0
	for _, t := range d.threads {
		if k := s.known[t.id]; k != nil && k.handle != "" && t.handle != "" {
			common++
			if k.handle == t.handle {
				same++
			}
		}
	}
	if other = other || common > 0 && same == 0; other {
		s.report("threaddump-other-process", trace.Warning, d.place, "this dump is of another process than the one before it: its threads are other ones; give dumps of several processes as several inputs", nil)
	}
	return other
}

// date finds out when the dump was taken, if it does not say so, and to more than the second where threads say for how long they have lived.
func (s *series) date(d *dump, other bool) {
	if d.dated && d.form == printed {
		s.lacks[lackZone] = true
	}
	switch {
	case !d.dated:
		s.lacks[lackTimes] = true
		if s.dumps > 0 {
			d.at = s.last + apart
		}
	case s.dumps == 0:
	default:
		s.refine(d, other)
	}
	if s.dumps > 0 && d.at < s.last {
		s.report("threaddump-time", trace.Warning, d.place, fmt.Sprintf("the dump was taken before the one in front of it, by %d ms, as its time says; it is taken to be at the same time", (s.last-d.at)/1e6), nil)
		d.at = s.last
	}
	s.last = d.at
}

// refine moves the time of a dump, which is in whole seconds, by how much longer a thread lives than in the dump before.
func (s *series) refine(d *dump, other bool) {
	if other || d.form != printed {
		return
	}
	for _, t := range d.threads {
		k := s.known[t.id]
		if k == nil || k.handle != t.handle || k.elapsed < 0 || t.elapsed < k.elapsed {
			continue
		}
		at := s.last + t.elapsed - k.elapsed
		if off := at - d.at; off > -apart-apart/10 && off < apart+apart/10 {
			d.at = at
		}
		return
	}
}

// note notes what the dump cannot tell.
func (s *series) note(d *dump) {
	if d.form != printed {
		s.lacks[lackMoment] = true
	}
	if len(d.threads) > 0 && !d.states {
		s.lacks[lackStates] = true
	}
	if len(d.threads) > 0 && !d.locks {
		s.lacks[lackLocks] = true
	}
	for _, t := range d.threads {
		if a := t.now; a.parked && a.doing == locking && a.owner == nil && !d.synced {
			s.lacks[lackOwners] = true
		}
	}
}

// finish ends the trace, and tells what the dumps could not.
func (s *series) finish() error {
	if s.dumps == 0 {
		s.report("threaddump-none", trace.Error, trace.Place{Line: 1, Column: 1}, `there is no thread dump in it; one begins with "Full thread dump", or is written by jcmd PID Thread.dump_to_file`, nil)
		return nil
	}
	for kind, lack := range lackings {
		if s.lacks[lackOf(kind)] {
			s.lack(lack.What, lack.Means)
		}
	}
	if s.dumps == 1 {
		s.lack("length", "it is one dump, one moment: when states began is unknown, and they last for 0 s")
	} else {
		s.lack("moments of change", fmt.Sprintf("it is sampled by %d dumps: a change has the time of the dump that shows it, what was over before the next dump is missing, and what must have happened in between is inferred", s.dumps))
	}
	return s.out.Element(trace.TraceEnd, s.at.Offset).At(s.last).Number(trace.AttrTraceIDRef, 1).Put()
}

// preamble says what wrote the trace, and that it is sampled.
func (s *series) preamble(d *dump) error {
	process := s.out.Element(trace.ProcessCreate, d.place.Offset).Number(trace.AttrProcessID, 1)
	if d.process != "" {
		process = process.Text(trace.AttrPID, d.process)
	}
	err := process.At(d.at).Put()
	agent := s.out.Element(trace.AgentCreate, d.place.Offset).Number(trace.AttrAgentID, 1).Number(trace.AttrProcessIDRef, 1).
		Text(trace.AttrAgentName, "thread dump").Text(trace.AttrAgentType, "Profiler").Text(trace.AttrAgentParameters, "sampled").At(d.at)
	err = errors.Join(err, agent.Put(), s.out.Element(trace.TraceStart, d.place.Offset).Number(trace.AttrTraceID, 1).Number(trace.AttrAgentIDRef, 1).At(d.at).Put(),
		s.option("sampled", "true"))
	if d.vm != "" {
		err = errors.Join(err, s.option("jvm", d.vm))
	}
	return err
}

func (s *series) option(key, value string) error {
	return s.out.Element(trace.Option, s.at.Offset).Text(trace.AttrKey, key).Text(trace.AttrValue, value).Put()
}

// same says whether a thread of the dump is the known one: its id, and where the VM keeps it, are the same.
func (s *series) same(k *known, t *thread) bool {
	return k.handle == "" || t.handle == "" || k.handle == t.handle
}

// match finds the threads of the dump among the known ones.
func (s *series) match(d *dump) {
	for _, k := range s.order {
		k.thread, k.changed = nil, false
	}
	for _, t := range d.threads {
		if k := s.known[t.id]; k != nil && s.same(k, t) {
			k.thread = t
		}
	}
}

// endAll ends all threads.
func (s *series) endAll(d *dump) error {
	for _, k := range s.order {
		if err := s.end(k); err != nil {
			return err
		}
	}
	s.known, s.order, s.objects = map[string]*known{}, nil, identities{}
	return nil
}

func (s *series) end(k *known) error {
	return s.out.Element(trace.ThreadEnd, s.at.Offset).Text(trace.AttrThreadIDRef, k.id).At(s.last).Put()
}

// ends ends the threads that are gone: another thread has their id, or a whole dump of the form that had them has them no more. Of virtual threads the printed form
// has those only that run.
func (s *series) ends(d *dump) error {
	kept := s.order[:0]
	here := make(map[string]bool, len(d.threads))
	for _, t := range d.threads {
		here[t.id] = true
	}
	for _, k := range s.order {
		gone := d.whole && k.form == d.form && !(k.virtual && d.form == printed)
		if k.thread != nil || !gone && !here[k.id] {
			kept = append(kept, k)
			continue
		}
		delete(s.known, k.id)
		if err := s.end(k); err != nil {
			return err
		}
	}
	clear(s.order[len(kept):])
	s.order = kept
	return nil
}

// leaves ends the states that have changed. Of those who have wanted an object the one comes last that has it now.
func (s *series) leaves(*dump) error {
	var owners []*known
	for _, k := range s.order {
		if k.thread == nil || !s.hasChanged(k) {
			continue
		}
		k.changed = true
		if owner := s.owners[k.name]; owner == k.thread && k.name != "" {
			owners = append(owners, k)
			continue
		}
		if err := s.leave(k); err != nil {
			return err
		}
	}
	for _, k := range owners {
		if err := s.leave(k); err != nil {
			return err
		}
	}
	return nil
}

// hasChanged says whether a thread does something else than in the dump before. One that stands still stands at the same calls. That it parks at a lock whose owner
// was not known, and now is, makes a block of a wait.
func (s *series) hasChanged(k *known) bool {
	a := k.thread.now
	if a.doing != k.doing || k.doing == running {
		return a.doing != k.doing
	}
	if k.stack != k.thread.stack && !k.thread.cut {
		return true
	}
	now := s.objects.now[a.object.name]
	return now == nil && k.object != "" || now != nil && now.id != k.object
}

// leave ends the state of a thread.
func (s *series) leave(k *known) error {
	if k.doing == running {
		return nil
	}
	kind := trace.MonWaited
	if k.doing == locking {
		kind = trace.MonContendedEntered
	}
	t := k.thread
	var stack []byte
	if t.now.doing == running {
		stack = s.stackOf(t)
	}
	if object := s.objects.byID[k.object]; object != nil && k.doing == locking {
		object.owner = k.id
	}
	return s.event(kind, k.id, t).Text(trace.AttrObjIDRef, objectID(k)).Stack(stack).Inferred().Put()
}

// objectID is what stands for the object that a thread wants: -1 for one that sleeps, 0 where it is not known.
func objectID(k *known) string {
	switch {
	case k.doing == sleeping:
		return "-1"
	case k.object == "":
		return "0"
	}
	return k.object
}

// event begins an element of a thread.
func (s *series) event(kind trace.Kind, id string, t *thread) transcript.Element {
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
		k := &known{id: t.id, handle: t.handle, form: d.form, virtual: t.virtual, thread: t, changed: true}
		s.known[t.id] = k
		s.order = append(s.order, k)
		if err := s.start(t, wanted[t]); err != nil {
			return err
		}
	}
	return nil
}

// start begins a thread, and says where it was if no other event will, or others wait for it.
func (s *series) start(t *thread, wanted bool) error {
	var stack []byte
	if wanted || t.now.doing == running {
		stack = s.stackOf(t)
	}
	s.place(t.place)
	e := s.out.Element(trace.ThreadStart, t.place.Offset).Text(trace.AttrThreadID, t.id).At(s.last).Text(trace.AttrThreadName, t.title)
	if t.group != "" {
		e = e.Text(trace.AttrGroupName, t.group)
	}
	if t.parent != "" {
		e = e.Text(trace.AttrParentName, t.parent)
	}
	e = e.Stack(stack)
	for _, a := range []struct{ name, value string }{{"daemon", flag(t.daemon)}, {"virtual", flag(t.virtual)}, {"priority", t.prio}, {"nid", t.nid}, {"carrier", t.carrier}} {
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
func (s *series) holding(e transcript.Element, t *thread) transcript.Element {
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
	return o.name[strings.LastIndexByte(o.name, '@')+1:]
}

// handOffs tells of objects that have another owner, while somebody is blocked at them who has been so before: that owner has got it in between.
func (s *series) handOffs(*dump) error {
	for _, k := range s.order {
		if k.thread == nil || k.changed || k.doing != locking || k.object == "" {
			continue
		}
		a := k.thread.now
		object := s.objects.now[a.object.name]
		if a.owner == nil || object.owner == a.owner.id {
			continue
		}
		if owner := s.known[a.owner.id]; owner.changed || a.owner.now.doing == running {
			if err := s.getsIt(a.owner, object); err != nil {
				return err
			}
			continue
		}
		k.changed = true // the owner stood still, and was not known: the thread is told to be blocked once more
		if err := s.leave(k); err != nil {
			return err
		}
	}
	return nil
}

// getsIt tells that a thread has got an object from its last owner.
func (s *series) getsIt(t *thread, object *identity) error {
	err := s.event(trace.MonContendedEnter, t.id, t).Text(trace.AttrObjIDRef, object.id).Text(trace.AttrThreadOwner, ownerID(object.owner, t)).Inferred().Put()
	object.owner = t.id
	return errors.Join(err, s.event(trace.MonContendedEntered, t.id, t).Text(trace.AttrObjIDRef, object.id).Inferred().Put())
}

// ownerID is what stands for an owner: 0 where it is not known, or would be the thread itself.
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
		s.adopt(k, a)
		if object := s.objects.now[a.object.name]; object != nil {
			object.owner = t.id // as whoever reads the trace concludes
		}
		stack := s.stackOf(t)
		e := s.event(trace.MonWait, t.id, t).Text(trace.AttrObjIDRef, objectID(k))
		if a.forever {
			e = e.Number(trace.AttrTimeout, 0)
		}
		if err := s.put(e.Stack(stack), t, a); err != nil {
			return err
		}
	}
	return nil
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
		e := s.event(trace.MonContendedEnter, t.id, t).Text(trace.AttrObjIDRef, objectID(k)).Text(trace.AttrThreadOwner, ownerID(owner, t))
		if err := s.put(e.Stack(stack), t, a); err != nil {
			return err
		}
	}
	return nil
}

// adopt notes what the trace says of a thread from here on.
func (s *series) adopt(k *known, a activity) {
	k.doing, k.object = a.doing, ""
	if object := s.objects.now[a.object.name]; object != nil {
		k.object = object.id
	}
}

// put gives on an element by which a thread begins to wait.
func (s *series) put(e transcript.Element, t *thread, a activity) error {
	if a.parked {
		e = e.Annotate("park", map[doing]string{locking: "lock", idling: "wait"}[a.doing])
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
	s.stack = s.program.tell(s.out, s.stack[:0], t.stack)
	return s.stack
}

// settle keeps what the next dump is compared with.
func (s *series) settle(d *dump) {
	for _, k := range s.order {
		t := k.thread
		if t == nil {
			continue
		}
		a := t.now
		if a.doing == running {
			k.doing, k.object = running, ""
		}
		k.name, k.stack, k.form, k.handle = a.object.name, t.stack, d.form, t.handle
		k.elapsed, k.thread = t.elapsed, nil
	}
	s.owners = nil
	if s.program.full && !s.tooLarge {
		s.tooLarge = true
		s.report("threaddump-too-large", trace.Error, d.place, fmt.Sprintf("the names of classes and methods do not fit into %d MiB; calls of others are left out", maxProgram>>20), nil)
	}
}
