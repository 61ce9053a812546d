package jfr

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/threaddump"
	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// threadDumpEvent is the type of thread dumps. JVMs write one at the beginning and one at the end of each chunk.
const threadDumpEvent = "jdk.ThreadDump"

// threadDump decodes a thread dump with convert/threaddump. For each thread it adds an event at the time of the dump
// that says what the thread is doing.
func (r *reader) threadDump(d *decoder, e *event) bool {
	text := r.values.strings[slotText].text
	if r.values.strings[slotText].pooled || d.pools[slotText] != "" {
		text = r.constants.string(d.typeDecoder, &r.values, slotText)
	}
	if text == "" {
		return false
	}
	dump := dumpReader{reader: r, at: e, threads: map[string]*event{}, classes: map[string]string{},
		methods: map[string]uint32{}, objects: map[string]dumpObject{}}
	worst, damage := -1, ""
	options := builder.Options{Report: func(f trace.Finding) {
		if int(f.Severity) > worst {
			worst, damage = int(f.Severity), f.Message
		}
	}}
	//nolint:errcheck // neither a string nor element returns an error
	threaddump.Read(context.Background(), strings.NewReader(text), options, dump.element)
	if worst == int(trace.Error) {
		r.finding(ruleDump, trace.Warning, r.at, "a thread dump is damaged: %s", damage)
	}
	r.dumps[e.jvm] = max(r.dumps[e.jvm], e.begin)
	for _, t := range dump.order {
		if owner := dump.threads[dump.owners[t]]; owner != nil && owner != t {
			t.other, t.total = owner.thread, uint64(owner.stack)
		}
		known := event{kind: kindThreadKnown, flags: flagDumped, jvm: t.jvm, thread: t.thread, begin: t.begin,
			offset: t.offset, timeout: noTimeout, threadInfo: t.threadInfo}
		t.name = ""
		for _, one := range []*event{&known, t} {
			if err := r.events.add(one); err != nil {
				r.err = err
				return false
			}
		}
	}
	return false
}

// dumpReader makes events of the elements of a thread dump.
type dumpReader struct {
	*reader
	at      *event // the event of the dump
	threads map[string]*event
	order   []*event
	owners  map[*event]string // of the wanted objects, or the threads that initialize their classes
	classes map[string]string // names, by id
	methods map[string]uint32
	objects map[string]dumpObject
	frames  []byte
}

// dumpObject is an object that a dump names, by the symbols of its class and of the class that it represents.
type dumpObject struct{ class, represents uint32 }

// element handles an element of the dump.
func (d *dumpReader) element(e *trace.Event) error {
	switch e.Kind {
	case trace.ClassDef:
		name := e.Text(trace.AttrName)
		d.classes[string(e.Value(trace.AttrClassID))] = name
		if e.Has(trace.AttrObjIDRef) {
			d.objects[e.Text(trace.AttrObjIDRef)] = dumpObject{represents: d.symbols.internName(name)}
		}
	case trace.MethodDef:
		d.methods[string(e.Value(trace.AttrMethodID))] = d.symbols.internMethod(method{name: e.Text(trace.AttrName),
			class: d.symbols.internName(d.classes[string(e.Value(trace.AttrClassIDRef))])})
	case trace.ObjAlloc:
		object := d.objects[e.Text(trace.AttrObjID)]
		object.class = d.symbols.internName(d.classes[string(e.Value(trace.AttrClassIDRef))])
		d.objects[e.Text(trace.AttrObjID)] = object
	case trace.ThreadStart:
		d.start(e)
	case trace.Annotation:
		fields := bytes.Fields(e.Value(trace.AttrValue))
		if string(e.Value(trace.AttrName)) == trace.NoteCPU && len(fields) > 2 {
			if t := d.threads[string(fields[0])]; t != nil {
				used, _ := digits.Number(fields[2])
				t.size = uint64(used)
			}
		}
	case trace.MonWait, trace.MonContendedEnter:
		d.wait(e)
	}
	return nil
}

// start adds a thread, which runs unless another element follows.
func (d *dumpReader) start(e *trace.Event) {
	number, ok := digits.Number(e.Value(trace.AttrThreadID))
	if !ok { // JVMs before JDK 8 do not print Java's ids
		native, _ := e.Extra.Annotation(trace.NoteNativeID)
		key, err := strconv.ParseUint(native, 0, 64)
		java, known := d.constants.javaIDs[key]
		number, ok = int64(java&idMask), known && err == nil
	}
	if !ok || number <= 0 {
		return
	}
	t := *d.at
	t.kind, t.flags, t.state, t.timeout, t.thread = kindDump, flagDumped, trace.StateRunnable, noTimeout, uint64(number)
	t.name, t.stack = e.Text(trace.AttrThreadName), d.stack(e)
	id := string(e.Value(trace.AttrThreadID))
	if len(t.name) > maxThreadName {
		t.name = strings.ToValidUTF8(t.name[:maxThreadName], "")
	}
	d.threads[id] = &t
	d.order = append(d.order, &t)
}

// wait adds what a thread waits for.
func (d *dumpReader) wait(e *trace.Event) {
	t := d.threads[string(e.Value(trace.AttrThreadIDRef))]
	if t == nil {
		return
	}
	if stack := d.stack(e); stack != 0 {
		t.stack = stack
	}
	if e.Timeout() != 0 {
		t.timeout = unknownTimeout
	}
	if note, _ := e.Extra.Annotation(trace.NoteTimeoutNanos); note == trace.TimeoutUnknown {
		t.timeout = someTimeout
	}
	id := e.Text(trace.AttrObjIDRef)
	object := d.objects[id]
	t.class, t.text = object.class, object.represents
	if hex, ok := strings.CutPrefix(id, "0x"); ok {
		t.address, _ = strconv.ParseUint(hex, 16, 64)
	}
	owner := e.Text(trace.AttrThreadOwner)
	switch {
	case id == "-1":
		t.state = trace.StateSleeping
	case e.Kind == trace.MonContendedEnter:
		t.state = trace.StateBlocked
		if e.Park() {
			t.flags |= flagLock
		}
	case e.Known().Init.Known():
		t.state, t.address, owner = trace.StateInitialising, peers+uint64(t.text), e.Known().Init.String()
	case e.Park():
		t.state = trace.StateParked
		if t.address == 0 {
			t.class = 0 // its own permit
		}
	default:
		t.state = trace.StateWaiting
	}
	if owner != "" {
		if d.owners == nil {
			d.owners = map[*event]string{}
		}
		d.owners[t] = owner
	}
}

// stack returns the symbol of the stack trace of an element, or 0.
func (d *dumpReader) stack(e *trace.Event) uint32 {
	if e.Extra == nil || len(e.Extra.Stacks) == 0 {
		return 0
	}
	d.frames = d.frames[:0]
	for frame := range bytes.FieldsSeq(e.Extra.Stacks[0]) {
		id, line, hasLine := bytes.Cut(frame, []byte{':'})
		number := int32(trace.NoLine)
		if n, ok := digits.Number(line); ok && hasLine {
			number = int32(n)
		}
		d.frames = appendFrame(d.frames, d.methods[string(id)], number)
	}
	return d.symbols.internStack(d.frames)
}

// The first pass: what dumps say of a thread is true until the thread does anything else.

// dumped handles what a dump says of a thread.
func (n *inferrer) dumped(t *threadActivity, e *event) error {
	if since := t.dumped; since != nil && since.isSameWait(e) {
		since.duration = int64(e.begin - since.begin)
		return nil
	}
	used := int64(e.size) - t.before - t.used
	latest := n.latestBegin(max(t.active, t.usedAt), e, used)
	if t.active < t.usedAt && e.state != trace.StateBlocked {
		// it may have used the CPU time of the load before this wait
		latest = min(latest, n.latestBegin(t.loadedFrom, e, used+t.loaded))
	}
	t.loadedFrom = 0
	if err := n.dumpedCPU(t, e, used); err != nil {
		return err
	}
	was := t.dumped
	if err := n.acted(t); err != nil || t.interval != nil || e.state == trace.StateRunnable {
		return err
	}
	own := *e
	own.begin = latest
	if was != nil && was.state == trace.StateBlocked && e.state != trace.StateBlocked && t.active == 0 {
		// it had been BLOCKED since before the recording, so no event shows the end of that
		own.begin, t.blocked = e.begin, lastBlock{was.class, e.begin}
	}
	own.duration = int64(e.begin - own.begin)
	if t.dumped = &own; own.duration > 0 {
		own.flags |= flagSupposed
	}
	n.threads.charge(t, dumpedCharge)
	return nil
}

// leastKnown is the least time in ns between two CPU times of a thread that say how busy it was.
const leastKnown = 100 * nanosPerMilli

// dumpedCPU adds the CPU time that the thread has used by a dump since its CPU time was last known. A dump counts from
// the thread's start, and loads from the first one: so the first dump after loads only shows how much was before them,
// as does a dump with more than the thread can have used since.
func (n *inferrer) dumpedCPU(t *threadActivity, e *event, used int64) error {
	length := int64(e.begin - t.usedAt)
	switch {
	case e.size == 0: // JVMs before JDK 11 do not print it
		return nil
	case t.counted && used <= length+leastKnown:
		return n.addCPU(t, e, used)
	case t.load == 0:
		t.used, t.usedAt = int64(e.size), e.begin
		length = 0
	}
	t.before, t.counted = int64(e.size)-t.used-int64(t.load*float64(length)), true
	return nil
}

// addCPU adds the CPU time of a thread that has computed for enough of the time since its CPU time was last known.
func (n *inferrer) addCPU(t *threadActivity, e *event, used int64) error {
	length := int64(e.begin - t.usedAt)
	used = max(min(used, length), 0)
	if t.usedAt > 0 && length >= leastKnown && used >= length/n.busy {
		first := event{kind: kindCPU, jvm: e.jvm, thread: e.thread, offset: e.offset, timeout: noTimeout,
			begin: t.usedAt + 1}
		last := first
		first.size, last.size, last.begin = uint64(max(t.used, 1)), uint64(t.used+used), e.begin
		if err := n.inferred.add(&first); err != nil {
			return err
		}
		if err := n.inferred.add(&last); err != nil {
			return err
		}
	}
	t.used, t.usedAt = t.used+used, e.begin
	return nil
}

// loaded adds the load of a thread since its load, or its CPU time, was last known. The JVM omits loads below a
// millisecond, so this can be long ago, and the load can be too low. The last load comes when the thread has ended.
func (n *inferrer) loaded(t *threadActivity, e *event) error {
	if t.dead {
		e.begin = min(e.begin, t.since)
	}
	used := int64(0)
	if t.load = min(float64(e.size)/wholeLoad*n.processors, 1); t.usedAt > 0 {
		used = int64(t.load * float64(min(int64(e.begin-t.usedAt), n.period)))
		t.loaded, t.loadedFrom = used, max(t.active, t.usedAt)
	}
	return n.addCPU(t, e, used)
}

// latestBegin returns the latest time at which the wait of a dump can have begun, if the thread was last known to run
// when it was active and has used the CPU time since, in ns. A thread that is neither on a processor nor in an event is
// in a wait below the threshold of events, and runs for a while after each, or it is in the wait of the dump. A thread
// that ran for less than 2 % of the time is assumed to have waited, unless it is blocked, as that would blame an owner.
// Loads are not exact, so the CPU time can be a little less than none.
func (n *inferrer) latestBegin(active trace.Time, dump *event, used int64) trace.Time {
	const leastRun = 10_000 // ns on a processor between two waits
	length := int64(dump.begin - active)
	if n.threshold < 0 || active == 0 || dump.size == 0 || used > length {
		return dump.begin
	}
	if dump.state != trace.StateBlocked && max(used, -used) <= length/50 {
		return active + trace.Time(max(used, 0))
	}
	if used <= 0 {
		return dump.begin
	}
	waits := used/leastRun + 1
	if n.threshold > 0 && waits > length/n.threshold {
		return dump.begin
	}
	return min(active+trace.Time(used+waits*n.threshold), dump.begin)
}

// threshold returns the duration in ns from which on the recording has every wait, or -1 if it is unknown.
func (r *reader) threshold() int64 {
	longest := time.Duration(0)
	for _, name := range []string{"jdk.JavaMonitorEnter", "jdk.JavaMonitorWait", "jdk.ThreadPark", "jdk.ThreadSleep"} {
		threshold, err := time.ParseDuration(strings.ReplaceAll(r.settings[name][settingThreshold], " ", ""))
		if err != nil || threshold < 0 || r.settings[name][settingEnabled] != "true" {
			return -1
		}
		longest = max(longest, threshold)
	}
	return longest.Nanoseconds()
}

// dumpedCharge is the size of an event in bytes, approximately.
const dumpedCharge = 256

// isSameWait reports whether a thread has been in the same wait from one dump to the other: it used no CPU time between
// them or, if a dump has none, the object has the same address.
func (e *event) isSameWait(other *event) bool {
	if e.state != other.state || e.stack != other.stack || e.class != other.class || e.other != other.other ||
		e.text != other.text {
		return false
	}
	if e.size > 0 || other.size > 0 {
		return e.size == other.size
	}
	return e.address == other.address
}

// acted ends what dumps say of a thread, because it has done something else.
func (n *inferrer) acted(t *threadActivity) error {
	wait := t.dumped
	if wait == nil {
		return nil
	}
	t.dumped = nil
	n.threads.charge(t, -dumpedCharge)
	if wait.duration == 0 {
		return nil
	}
	wait.kind = kindDumpedWait
	return n.inferred.add(wait)
}

// hadNotYet reports whether the owner of the monitor, at the time of the dump, may not have had it yet when the wait
// began: it was BLOCKED since on such a monitor. Of a thread that is BLOCKED now, that is left open, as it may be in a
// deadlock.
func (n *inferrer) hadNotYet(e *event) bool {
	owner := n.threads.threads[threadID{e.jvm, e.other}]
	return e.state == trace.StateBlocked && owner != nil && owner.blocked.class == e.class &&
		owner.blocked.until > e.begin && (owner.dumped == nil || owner.dumped.state != trace.StateBlocked)
}

// finish adds the waits of the last dumps of the JVMs that no event has ended.
func (n *inferrer) finish(last map[uint32]trace.Time) error {
	var waits []*event
	for _, t := range n.threads.threads {
		if t.dumped != nil {
			waits = append(waits, t.dumped)
		}
	}
	slices.SortFunc(waits, func(a, b *event) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.jvm, b.jvm), cmp.Compare(a.thread, b.thread))
	})
	for _, e := range waits {
		if n.hadNotYet(e) {
			e.other, e.total = 0, 0
		}
		if e.end() == last[e.jvm] {
			e.flags |= flagOpen
			e.duration = math.MaxInt64 - int64(e.begin)
		} else if e.duration == 0 {
			continue
		}
		e.kind = kindDumpedWait
		if err := n.inferred.add(e); err != nil {
			return err
		}
	}
	return nil
}

// The second pass.

// dumpedKinds are the kinds of events that a JVM writes at the end of a wait, by the state in a dump.
var dumpedKinds = map[trace.State]eventKind{trace.StateBlocked: kindEnter, trace.StateWaiting: kindWait,
	trace.StateInitialising: kindWait, trace.StateParked: kindPark, trace.StateSleeping: kindSleep}

// cpuTime emits the CPU time that a thread has used.
func (m *emitter) cpuTime(t *thread, e *event) {
	if t.dead {
		return
	}
	m.ensureStarted(t, e)
	m.id = threadID{e.jvm, e.thread}.append(m.id[:0])
	m.CPU(e.offset, m.id, trace.CPUTime{Time: e.begin, Used: int64(e.size)})
	m.err = m.Err()
}

// dumpedWait emits the begin of a wait shown by dumps.
func (m *emitter) dumpedWait(t *thread, e *event) {
	own := *e
	own.kind, own.other = dumpedKinds[e.state], 0
	if own.flags&flagLock != 0 {
		own.kind = kindPark
	}
	if !m.openInterval(t, &own) {
		return
	}
	kind, number := trace.MonWait, uint64(0)
	if e.state == trace.StateBlocked {
		kind = trace.MonContendedEnter
	}
	if own.kind != kindSleep {
		at := m.blockerOf(t, &own)
		m.setObject(t, at)
		number = at.number
	}
	var holder []byte
	if e.total > 0 {
		holder = m.symbols.stackText(uint32(e.total), m.Builder)
	}
	if owner, ok := m.threads.get(threadID{e.jvm, e.other}); ok && e.other != 0 {
		m.ensureStarted(owner, &event{jvm: e.jvm, thread: e.other, begin: e.begin, offset: e.offset})
	}
	wait := m.beginElement(t, &own, kind, number)
	switch {
	case kind == trace.MonWait && e.timeout == noTimeout:
		wait = wait.Number(trace.AttrTimeout, 0)
	case kind == trace.MonContendedEnter && e.other != 0:
		wait = m.threadAttr(wait, trace.AttrThreadOwner, e.jvm, e.other)
	case kind == trace.MonContendedEnter:
		wait = wait.Raw(trace.AttrThreadOwner, noOwner)
	}
	switch {
	case e.flags&flagLock != 0:
		wait = wait.Park(trace.ParkLock)
	case own.kind == kindPark:
		wait = wait.Park(trace.ParkWait)
	case e.state == trace.StateInitialising:
		m.id = threadID{e.jvm, e.other}.append(m.id[:0])
		class := javaname.Class(m.symbols.names[e.text])
		wait = wait.Init(trace.ThreadFrom(m.id)).Annotate(trace.NoteInitializes, class)
	}
	if e.timeout == someTimeout {
		wait = wait.Annotate(trace.NoteTimeoutNanos, trace.TimeoutUnknown)
	}
	if len(holder) > 0 && kind == trace.MonContendedEnter {
		wait = wait.Annotate(trace.NoteOwnerStack, string(holder))
	}
	if e.flags&flagSupposed != 0 {
		wait = wait.Inferred()
	}
	m.put(wait.Annotate(trace.NoteBegan, trace.BeganUnknown))
}

// blockerOf returns the object of a wait shown by dumps.
func (m *emitter) blockerOf(t *thread, e *event) *object {
	switch {
	case e.kind == kindPark && e.flags&flagLock == 0:
		return m.blocker(t, e)
	case e.text == 0:
		return m.object(t, e)
	}
	at, isNew := m.objects.lookup(objectKey{e.jvm, e.address}, e.class, false)
	if at.seen = e.begin; isNew {
		m.Class(builder.Class{Name: m.symbols.names[e.text], Object: strconv.FormatUint(at.number, 10)})
		m.objAlloc(at.number, m.symbols.names[e.class], e.offset, e.begin)
	}
	return at
}
