package hprof

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// A monitor dump says what threads do at one moment. Monitors have no ids in it, only classes, so that those of two
// dumps cannot be told to be the same.

// monitorDump is what a dump has said so far, and what the one before it said.
type monitorDump struct {
	states   map[uint64]threadState
	monitors []dumpedMonitor
	held     map[uint64]holdUp // by thread: what the dump before has left it in
	objects  uint64            // that have been given ids, so far
	kept     int               // bytes that are counted for what was said
	heldKept int               // and for held
	told     map[uint64]bool   // those of the dump at hand whose class has been told
}

// threadState is what a thread does.
type threadState struct {
	trace  uint64
	status string
}

// dumpedMonitor is a monitor with the threads that it keeps from running.
type dumpedMonitor struct {
	class    string
	owner    uint64 // 0 if none
	entries  string // how often the owner has entered it, "" if unknown
	entering []uint64
	waiting  []uint64
	lists    [2]trace.Place // where these begin
}

// holdUp is what keeps a thread from running: a monitor of the class, by which it is blocked or on which it waits, or
// what its status says.
type holdUp struct {
	kind   trace.Kind // MonContendedEnter or MonWait
	way    way
	class  string
	trace  uint64
	object uint64 // 0 where the dump lists no monitor
}

// way is how a thread is held up.
type way uint8

const (
	listed  way = iota // at a monitor that the dump lists; JDK 8 lists only those that somebody wants to enter
	asleep             // in Thread.sleep
	waiting            // at another monitor
	parked             // by java.util.concurrent
)

// wayOf is how a thread is held up by its state, where no monitor lists it; listed if the state does not say.
func (t *textReader) wayOf(s threadState) way {
	switch {
	case strings.HasSuffix(s.status, "SL"):
		return asleep
	case strings.HasSuffix(s.status, "CW") && t.parks(s.trace):
		return parked
	case strings.HasSuffix(s.status, "CW"):
		return waiting
	}
	return listed
}

// parks says whether the trace stands where threads park, for which the agent has the same status as for waits.
func (t *textReader) parks(trace uint64) bool {
	innermost, _, _ := bytes.Cut(t.stacks[trace], []byte(" "))
	innermost, _, _ = bytes.Cut(innermost, []byte(":"))
	method, err := strconv.ParseUint(string(innermost), 10, 64)
	return err == nil && t.parking[method]
}

// firstMonitor is above all ids that the log gives objects, which have 32 bits.
const firstMonitor = 1 << 32

// monitorLine reads a line of a monitor dump.
func (t *textReader) monitorLine(line string) bool {
	m := &t.monitor
	cost := 2*len(line) + classCost // until the end of the dump
	if !t.keeps("monitors of a dump", cost) {
		return true
	}
	m.kept += cost
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
	var ok bool
	if rest, found := strings.CutPrefix(line, "waiting to enter:"); found {
		last.lists[0] = t.placeOf(t.text[strings.IndexByte(t.text, ':')+1:])
		last.entering, ok = threadList(rest)
		return ok
	}
	if rest, found := strings.CutPrefix(line, "waiting to be notified:"); found {
		last.lists[1] = t.placeOf(t.text[strings.IndexByte(t.text, ':')+1:])
		last.waiting, ok = threadList(rest)
		return ok
	}
	return false
}

// monitorClass is the class of a monitor as the JVM has it inside; the log has its signature or, in old versions, its
// name and an address.
func monitorClass(name string) string {
	name, _, _ = strings.Cut(name, "(")
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, "L") && strings.HasSuffix(name, ";") {
		return name[1 : len(name)-1]
	}
	return internalName(name)
}

// threadList reads " thread 200001, thread 200002"; an unknown thread is left out.
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

// monitorEnd says what the dump has said: who is held up where.
func (t *textReader) monitorEnd() {
	m := &t.monitor
	t.without("ids of monitors, nor times of monitor dumps",
		"each monitor of a dump is an object of its own, and threads are blocked or wait from the time of the last "+
			"table before the dump on")
	m.told = map[uint64]bool{}
	now := map[uint64]holdUp{}
	order := t.holdUps(now)
	t.leave(now)
	for _, thread := range order {
		t.hold(thread, now[thread])
	}
	for _, monitor := range m.monitors {
		if monitor.owner != 0 {
			t.note("hprof-monitor-owner", fmt.Sprintf("thread %d owns a %s, entered %s times", monitor.owner,
				quoted(monitor.class), quoted(monitor.entries)))
		}
	}
	t.room.left += m.kept + m.heldKept
	m.held, m.states, m.monitors, m.told, m.kept, m.heldKept = now, nil, nil, nil, 0, 0
	for _, h := range now {
		m.heldKept += h.cost()
	}
}

// cost is what is counted for a thread that is held up.
func (h *holdUp) cost() int { return heldCost + len(h.class) }

// holdUps finds out what holds up the threads, and in which order that is to be said: those that wait before those that
// are blocked, whose owners it would change.
func (t *textReader) holdUps(now map[uint64]holdUp) (order []uint64) {
	m := &t.monitor
	add := func(place trace.Place, thread uint64, h holdUp) {
		if _, twice := now[thread]; twice || !t.threads.lives[thread] {
			t.wrongAt(place, ruleThread, "the thread %d of a monitor dump does not live, or is held up twice", thread)
			return
		}
		if !t.keeps("threads that are held up", h.cost()) {
			return
		}
		now[thread] = h
		order = append(order, thread)
	}
	objects := make([]uint64, len(m.monitors))
	for i := range m.monitors {
		objects[i] = firstMonitor + m.objects
		m.objects++
		for _, thread := range m.monitors[i].waiting {
			add(m.monitors[i].lists[1], thread, holdUp{trace.MonWait, listed, m.monitors[i].class,
				m.states[thread].trace, objects[i]})
		}
	}
	for i := range m.monitors {
		for _, thread := range m.monitors[i].entering {
			add(m.monitors[i].lists[0], thread, holdUp{trace.MonContendedEnter, listed, m.monitors[i].class,
				m.states[thread].trace, objects[i]})
		}
	}
	var unlisted []uint64
	for thread, state := range m.states {
		if _, known := now[thread]; !known && t.wayOf(state) != listed && t.threads.lives[thread] {
			unlisted = append(unlisted, thread)
		}
	}
	slices.Sort(unlisted)
	for _, thread := range unlisted {
		state := m.states[thread]
		add(t.place(), thread, holdUp{trace.MonWait, t.wayOf(state), "", state.trace, 0})
	}
	return order
}

// leave ends what held up threads at the dump before, and does not any more.
func (t *textReader) leave(now map[uint64]holdUp) {
	m := &t.monitor
	var over []uint64
	for thread, was := range m.held {
		if is, still := now[thread]; still && is.kind == was.kind && is.way == was.way && is.class == was.class &&
			is.trace == was.trace {
			is.object = was.object
			now[thread] = is
			continue
		}
		over = append(over, thread)
	}
	slices.SortFunc(over, func(a, b uint64) int { return cmp.Compare(a, b) })
	for _, thread := range over {
		was := m.held[thread]
		kind := trace.MonContendedEntered
		if was.kind == trace.MonWait {
			kind = trace.MonWaited
		}
		delete(m.held, thread)
		t.put(t.acting(kind, thread, was).Inferred())
	}
}

// acting begins an element of a thread that is held up.
func (t *textReader) acting(kind trace.Kind, thread uint64, h holdUp) builder.Element {
	e := t.element(kind).Number(trace.AttrThreadIDRef, thread).At(t.at)
	if h.way == asleep {
		return e.Raw(trace.AttrObjIDRef, []byte("-1"))
	}
	return e.Number(trace.AttrObjIDRef, h.object)
}

// hold says what holds up a thread, unless it did so at the dump before.
func (t *textReader) hold(thread uint64, h holdUp) {
	if _, before := t.monitor.held[thread]; before {
		return
	}
	if h.object != 0 && h.class != "" && !t.monitor.told[h.object] {
		t.monitor.told[h.object] = true
		if number := t.class(h.class, ""); number != 0 {
			t.put(t.element(trace.ObjAlloc).Number(trace.AttrObjID, h.object).Number(trace.AttrClassIDRef, number))
		}
	}
	e := t.acting(h.kind, thread, h)
	if h.kind == trace.MonContendedEnter {
		if owner := t.ownerOf(h.object); owner != 0 && owner != thread {
			e.Number(trace.AttrThreadOwner, owner)
		}
	}
	if h.way == parked {
		e.Annotate(trace.ParkAnnotation, "wait")
	}
	t.put(e.Stack(t.stacks[h.trace]).Inferred())
}

// ownerOf is the thread that owns the monitor of the dump at hand; 0 if it has none.
func (t *textReader) ownerOf(object uint64) uint64 {
	m := &t.monitor
	first := firstMonitor + m.objects - uint64(len(m.monitors))
	if object < first {
		return 0
	}
	return m.monitors[object-first].owner
}
