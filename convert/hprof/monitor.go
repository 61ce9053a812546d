package hprof

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// A monitor dump has the states of all threads at one time. Its monitors have classes but no ids, so monitors of two
// dumps cannot be matched.

// monitorDump has the content of the current monitor dump, and the suspensions of the previous one.
type monitorDump struct {
	states      map[uint64]threadState
	monitors    []dumpedMonitor
	suspended   map[uint64]suspension // by thread, at the previous dump
	objects     uint64                // ids assigned
	charged     int                   // bytes charged for the current dump
	heldCharged int                   // bytes charged for suspended
	defined     map[uint64]bool       // monitors of the current dump whose class is emitted
}

// threadState is the state of a thread.
type threadState struct {
	trace  uint64
	status string
}

// dumpedMonitor is a monitor with its threads.
type dumpedMonitor struct {
	class   string
	owner   uint64 // 0 if none
	entries string // entry count of the owner; "" if unknown
	threads [2][]uint64
	places  [2]trace.Place // of the lists of threads
}

// The threads of a monitor are of two kinds, which dumps list in this order.
const (
	entering = iota
	waiting
)

// suspension is the reason why a thread does not run: it is blocked by a monitor, waits, sleeps or is parked.
type suspension struct {
	kind   trace.Kind // MonContendedEnter or MonWait
	reason reason
	class  string
	trace  uint64
	object uint64 // 0 if the dump lists no monitor
}

// reason is the kind of a suspension.
type reason uint8

const (
	atMonitor        reason = iota // at a monitor of the dump; JDK 8 lists only contended ones
	sleeping                       // in Thread.sleep
	waitingElsewhere               // at a monitor not in the dump
	parked                         // by java.util.concurrent
)

// reasonOf returns the reason of a thread that no monitor lists, by its state; atMonitor if it runs.
func (t *textReader) reasonOf(s threadState) reason {
	switch {
	case strings.HasSuffix(s.status, "SL"):
		return sleeping
	case strings.HasSuffix(s.status, "CW") && t.parks(s.trace):
		return parked
	case strings.HasSuffix(s.status, "CW"):
		return waitingElsewhere
	}
	return atMonitor
}

// parks reports whether the trace's innermost method parks threads: the agent has the same status for waits.
func (t *textReader) parks(trace uint64) bool {
	innermost, _, _ := bytes.Cut(t.stacks[trace], []byte(" "))
	innermost, _, _ = bytes.Cut(innermost, []byte(":"))
	method, err := strconv.ParseUint(string(innermost), 10, 64)
	return err == nil && t.parking[method]
}

// firstMonitor is above all ids of objects in the log, which have 32 bits.
const firstMonitor = 1 << 32

// monitorLine reads a line of a monitor dump.
func (t *textReader) monitorLine(line string) bool {
	m := &t.monitor
	cost := 2*len(line) + classCost // until the end of the dump
	if !t.reserve("monitors of a dump", cost) {
		return true
	}
	m.charged += cost
	line = strings.TrimSpace(line)
	if rest, found := strings.CutPrefix(line, "THREAD "); found {
		return t.stateLine(rest)
	}
	for _, before := range []string{"MONITOR ", "RAW MONITOR "} {
		if rest, found := strings.CutPrefix(line, before); found {
			name, _ := strings.CutSuffix(rest, " unowned")
			m.monitors = append(m.monitors, dumpedMonitor{class: monitorClass(name)})
			return true
		}
	}
	if len(m.monitors) == 0 {
		return false
	}
	last := &m.monitors[len(m.monitors)-1]
	if rest, found := strings.CutPrefix(line, "owner: thread "); found {
		owner, entries, _ := strings.Cut(rest, ", entry count: ")
		number, err := strconv.ParseUint(owner, 10, 64)
		last.owner, last.entries = number, entries
		return err == nil
	}
	for kind, words := range []string{entering: "waiting to enter:", waiting: "waiting to be notified:"} {
		if rest, found := strings.CutPrefix(line, words); found {
			last.places[kind] = t.placeOf(t.text[strings.IndexByte(t.text, ':')+1:])
			threads, ok := threadList(rest)
			last.threads[kind] = threads
			return ok
		}
	}
	return false
}

// monitorClass returns the internal name of a monitor's class. The log has its signature or, in old versions, its name
// and an address.
func monitorClass(name string) string {
	name, _, _ = strings.Cut(name, "(")
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, "L") && strings.HasSuffix(name, ";") {
		return name[1 : len(name)-1]
	}
	return javaname.InternalClass(name)
}

// threadList parses " thread 200001, thread 200002"; unknown threads are left out.
func threadList(text string) (threads []uint64, ok bool) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" || part == "<unknown thread>" {
			continue
		}
		number, found := strings.CutPrefix(part, "thread ")
		thread, err := strconv.ParseUint(number, 10, 64)
		if !found || err != nil {
			return threads, false
		}
		threads = append(threads, thread)
	}
	return threads, true
}

// stateLine reads "200001, trace 300001, status: CW".
func (t *textReader) stateLine(rest string) bool {
	thread, rest, ok := strings.Cut(rest, ", trace ")
	stack, status, ok2 := strings.Cut(rest, ", status: ")
	number, err := strconv.ParseUint(thread, 10, 64)
	traced, err2 := strconv.ParseUint(stack, 10, 64)
	if !ok || !ok2 || err != nil || err2 != nil {
		return false
	}
	if t.monitor.states == nil {
		t.monitor.states = map[uint64]threadState{}
	}
	t.monitor.states[number] = threadState{traced, status}
	return true
}

// monitorEnd emits the changes between this dump and the previous one.
func (t *textReader) monitorEnd() {
	m := &t.monitor
	t.unsupported("ids of monitors, nor times of monitor dumps",
		"each monitor of a dump is an object of its own, and threads are blocked or wait from the time of the previous "+
			"table on")
	m.defined = map[uint64]bool{}
	now := map[uint64]suspension{}
	order := t.suspensions(now)
	t.endSuspensions(now)
	for _, thread := range order {
		t.beginSuspension(thread, now[thread])
	}
	for _, monitor := range m.monitors {
		if monitor.owner != 0 {
			t.annotate(trace.NoteMonitorOwner, fmt.Sprintf("thread %d owns a %s, entered %s times", monitor.owner,
				orUnknown(monitor.class), orUnknown(monitor.entries)))
		}
	}
	t.limit.left += m.charged + m.heldCharged
	m.suspended, m.states, m.monitors, m.defined, m.charged, m.heldCharged = now, nil, nil, nil, 0, 0
	for _, h := range now {
		m.heldCharged += h.cost()
	}
}

// cost returns the bytes charged for a suspension.
func (h *suspension) cost() int { return suspensionCost + len(h.class) }

// suspensions sets the suspension of each thread and returns the order to emit them: waits before blocks, because a
// wait changes the owner of a monitor.
func (t *textReader) suspensions(now map[uint64]suspension) (order []uint64) {
	m := &t.monitor
	add := func(place trace.Place, thread uint64, h suspension) {
		if _, twice := now[thread]; twice || !t.threads.alive[thread] {
			t.reportAt(place, ruleThread, "thread %d of a monitor dump is not alive, or is listed twice", thread)
			return
		}
		if !t.reserve("suspended threads", h.cost()) {
			return
		}
		now[thread] = h
		order = append(order, thread)
	}
	first := firstMonitor + m.objects
	m.objects += uint64(len(m.monitors))
	for _, kind := range []int{waiting, entering} {
		element := []trace.Kind{entering: trace.MonContendedEnter, waiting: trace.MonWait}[kind]
		for i, monitor := range m.monitors {
			for _, thread := range monitor.threads[kind] {
				add(monitor.places[kind], thread, suspension{element, atMonitor, monitor.class, m.states[thread].trace,
					first + uint64(i)})
			}
		}
	}
	var unlisted []uint64
	for thread, state := range m.states {
		if _, known := now[thread]; !known && t.reasonOf(state) != atMonitor && t.threads.alive[thread] {
			unlisted = append(unlisted, thread)
		}
	}
	slices.Sort(unlisted)
	for _, thread := range unlisted {
		state := m.states[thread]
		add(t.place(), thread, suspension{trace.MonWait, t.reasonOf(state), "", state.trace, 0})
	}
	return order
}

// endSuspensions ends the suspensions of the previous dump that no longer hold.
func (t *textReader) endSuspensions(now map[uint64]suspension) {
	m := &t.monitor
	var over []uint64
	for thread, was := range m.suspended {
		if is, still := now[thread]; still && is.kind == was.kind && is.reason == was.reason && is.class == was.class &&
			is.trace == was.trace {
			is.object = was.object
			now[thread] = is
			continue
		}
		over = append(over, thread)
	}
	slices.Sort(over)
	for _, thread := range over {
		was := m.suspended[thread]
		kind := trace.MonContendedEntered
		if was.kind == trace.MonWait {
			kind = trace.MonWaited
		}
		delete(m.suspended, thread)
		t.put(t.suspensionElement(kind, thread, was).Inferred())
	}
}

// suspensionElement begins an element of a suspended thread.
func (t *textReader) suspensionElement(kind trace.Kind, thread uint64, h suspension) builder.Element {
	e := t.element(kind).Number(trace.AttrThreadIDRef, thread).At(t.at)
	if h.reason == sleeping {
		return e.Raw(trace.AttrObjIDRef, []byte("-1"))
	}
	return e.Number(trace.AttrObjIDRef, h.object)
}

// beginSuspension emits a suspension, unless it held at the previous dump.
func (t *textReader) beginSuspension(thread uint64, h suspension) {
	if _, before := t.monitor.suspended[thread]; before {
		return
	}
	if h.object != 0 && h.class != "" && !t.monitor.defined[h.object] {
		t.monitor.defined[h.object] = true
		if number := t.class(h.class, ""); number != 0 {
			t.put(t.element(trace.ObjAlloc).Number(trace.AttrObjID, h.object).Number(trace.AttrClassIDRef, number))
		}
	}
	e := t.suspensionElement(h.kind, thread, h)
	if h.kind == trace.MonContendedEnter {
		if owner := t.ownerOf(h.object); owner != 0 && owner != thread {
			e.Number(trace.AttrThreadOwner, owner)
		}
	}
	if h.reason == parked {
		t.unsupported("objects of parked threads",
			"what they wait for is unknown, also where it is a lock with an owner")
		e.Park(trace.ParkWait)
	}
	t.put(e.Stack(t.stacks[h.trace]).Inferred())
}

// ownerOf returns the owner of a monitor of the current dump, or 0.
func (t *textReader) ownerOf(object uint64) uint64 {
	m := &t.monitor
	first := firstMonitor + m.objects - uint64(len(m.monitors))
	if object < first {
		return 0
	}
	return m.monitors[object-first].owner
}
