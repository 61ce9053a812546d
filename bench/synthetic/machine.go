package synthetic

import (
	"io"
	"math/rand/v2"

	"github.com/trcx/trcx/trace"
)

// Story is what happens in a trace.
type Story struct {
	// Threads is how many live at a time.
	Threads int
	// Waits says that threads do little else but wait for each other: most elements are monitor events.
	Waits bool
}

// Usual is the story of the traces of which nothing else is said.
var Usual = Story{Threads: 64}

func (s Story) monitors() int { return max(24, s.Threads/8) }

// awake is how many threads always run, so that there is somebody to wake the others.
func (s Story) awake() int { return max(16, s.Threads/40) }

// DTDName is what the DOCTYPE of every generated trace refers to: the DTD of traces, dtd.TraceText.
const DTDName = "trace.dtd"

// machine is a simulated JVM that tells what it does. Every choice comes from random, in one order, so a seed gives one
// trace.
type machine struct {
	out    *elementWriter
	random *rand.Rand
	now    trace.Time

	story    Story
	threads  []thread
	running  []*thread // those in the state active
	leaving  []*thread // those that have only their threadEnd before them
	starting []*thread // those in the state called
	current  *thread
	lastID   uint64    // of a thread
	ending   int       // how many threads are on their way out
	doomed   []*thread // those, and those that have left and were not told to have ended
	ticket   uint64
	depth    int // of all stacks together

	monitors []monitor
	heap     heap
	classes  int    // that are defined
	methods  method // that are defined, those below
	fresh    method // is defined and was not called yet, or -1
}

// Generate writes a trace of roughly the given size, with the Usual story.
func Generate(w io.Writer, size int64, seed uint64, s Style) error {
	return Tell(w, size, seed, Usual, s)
}

// Tell writes a trace of roughly the given size. There must be threads enough for some to stay awake: 17.
func Tell(w io.Writer, size int64, seed uint64, story Story, s Style) error {
	m := &machine{
		out:      newElementWriter(w, seed, s),
		random:   rand.New(rand.NewPCG(seed, 1)),
		now:      1_164_203_541_000_000_000,
		fresh:    -1,
		story:    story,
		threads:  make([]thread, story.Threads),
		monitors: make([]monitor, story.monitors()),
	}
	for i := range m.threads {
		m.threads[i].slot = i
	}
	m.out.raw(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<!DOCTYPE TRACE SYSTEM "` + DTDName + `">` +
		"\n<TRACE>\n")
	m.preamble()
	m.boot()
	for m.out.size < size-m.rest() && m.out.err == nil {
		m.step()
	}
	m.shutDown()
	m.epilogue()
	m.out.raw("</TRACE>\n")
	return m.out.flush()
}

// rest estimates what it takes to shut the machine down.
func (m *machine) rest() int64 { return int64(m.depth)*130 + int64(len(m.threads))*200 }

func (m *machine) step() {
	switch m.story.mostWanted(m.out.counts) {
	case calls:
		m.call()
	case locks:
		m.lock()
	default:
		m.live()
	}
}

// tick is the time of the next event: a little later than that of the one before.
func (m *machine) tick() trace.Time {
	m.now += trace.Time(20 + m.random.IntN(8000))
	return m.now
}

// chance is true in so many cases of a thousand.
func (m *machine) chance(perMille int) bool { return m.random.IntN(1000) < perMille }

func (m *machine) preamble() {
	const node, process, agent = "UUID-1164203541-000000-0001-0001", "UUID-1164203541-000000-0001-0002",
		"UUID-1164203541-000000-0001-0003"
	m.out.start(trace.Node).text(trace.AttrNodeID, node).text(trace.AttrHostname, "localhost").text(trace.AttrIPAddress,
		"127.0.0.1").
		number(trace.AttrTimezone, 0).moment(trace.AttrTime, m.now).finish()
	m.out.start(trace.ProcessCreate).text(trace.AttrProcessID, process).number(trace.AttrPID, 4711).
		text(trace.AttrNodeIDRef, node).
		moment(trace.AttrTime, m.now).finish()
	m.out.start(trace.AgentCreate).text(trace.AttrAgentID, agent).text(trace.AttrVersion, "2.000").
		text(trace.AttrProcessIDRef, process).
		text(trace.AttrAgentName, "org.eclipse.tptp.jvmti").text(trace.AttrAgentType, "Profiler").
		text(trace.AttrAgentParameters, "server=standalone").moment(trace.AttrTime, m.now).finish()
	m.out.start(trace.TraceStart).text(trace.AttrTraceID, "UUID-1164203541-000000-0001-0004").text(trace.AttrAgentIDRef,
		agent).
		moment(trace.AttrTime, m.now).finish()
	m.filter("com.example", "INCLUDE", "SUFFIX")
	m.filter("", "EXCLUDE", "PREFIX")
	for _, option := range [][2]string{{"TRACE_MODE", "noObjectCorrelation"}, {"STACK_INFORMATION", "normal"},
		{"MONITOR_MODE", "all"},
		{"HEAP_DUMP", "none"}, {"OBJ_ALLOC_IS_ARRAY", "true"}, {"TICKET", "true"}} {
		m.out.start(trace.Option).text(trace.AttrKey, option[0]).text(trace.AttrValue, option[1]).finish()
	}
}

func (m *machine) filter(pattern, mode, wildcard string) {
	m.out.start(trace.Filter).text(trace.AttrPattern, pattern).text(trace.AttrMode, mode).text(trace.AttrGenericPattern,
		wildcard).
		text(trace.AttrMethodPattern, "").text(trace.AttrMethodMode, mode).text(trace.AttrMethodGenericPattern,
		"PREFIX").finish()
}

func (m *machine) epilogue() {
	m.out.start(trace.TraceEnd).moment(trace.AttrTime, m.tick()).finish()
	m.out.start(trace.AgentDestroy).text(trace.AttrAgentIDRef, "UUID-1164203541-000000-0001-0003").
		moment(trace.AttrTime, m.now).finish()
}

// boot brings the machine to where something can happen: some classes, the monitors, and main with the threads that it
// starts first.
func (m *machine) boot() {
	for range platformClasses {
		m.defineClass()
	}
	m.defineMethod()
	for i := range m.monitors {
		m.monitors[i].object = m.allocate(nil, objectClass, 16).id
	}
	main := &m.threads[0]
	main.object = m.allocate(nil, threadClass, threadSize)
	main.state = called
	m.starting = append(m.starting, main)
	m.threadStart()
	m.current = main
	for i := 1; i < len(m.threads); i++ {
		m.callStart(main, &m.threads[i])
		m.threadStart()
	}
}

// shutDown lets all threads come to their ends, main last.
func (m *machine) shutDown() {
	for len(m.starting) > 0 {
		m.threadStart()
	}
	m.releaseAll()
	m.now += maxTimeout
	m.settle()
	for i := range m.monitors {
		m.callNotify(m.running[0], &m.monitors[i], true)
	}
	m.settle()
	for i := range m.threads {
		if m.threads[i].ending {
			m.finishThread(&m.threads[i])
		}
	}
	m.settle()
	for i := len(m.threads) - 1; i >= 0; i-- {
		m.finishThread(&m.threads[i])
	}
}

// settle wakes whoever can be woken, until nobody is left.
func (m *machine) settle() {
	for m.wakeSomebody(len(m.threads)) {
		m.releaseAll()
	}
}

func (m *machine) releaseAll() {
	for _, t := range m.running {
		t.release()
	}
}

// finishThread makes a running thread leave its methods and end.
func (m *machine) finishThread(t *thread) {
	if t.state == active {
		for len(t.stack) > 0 {
			m.exit(t)
		}
		m.leave(t)
	}
	for len(m.leaving) > 0 {
		m.threadEnd()
	}
}
