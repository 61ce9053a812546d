package synthetic

import (
	"io"
	"math/rand/v2"

	"github.com/trcx/trcx/trace"
)

// Workload is the activity in a trace.
type Workload struct {
	// Threads is the number of live threads.
	Threads int
	// Waits makes threads mostly wait for each other: most elements are monitor events.
	Waits bool
	// Calls makes threads mostly call methods: most elements are methodEntry and methodExit.
	Calls bool
}

// Default is the workload of Generate.
var Default = Workload{Threads: 64}

func (s Workload) monitors() int { return max(24, s.Threads/8) }

// awake returns the number of threads that always run, so that they can wake others.
func (s Workload) awake() int { return max(16, s.Threads/40) }

// DTDName is the system id in the DOCTYPE of every generated trace; the DTD is dtd.TraceText.
const DTDName = "trace.dtd"

// machine is a simulated JVM that writes its events. All choices come from random, in one order, so a seed determines
// the trace.
type machine struct {
	out    *elementWriter
	random *rand.Rand
	now    trace.Time

	workload Workload
	scheduler
	definitions
	monitors []monitor
	heap     heap
	ticket   uint64 // of the last call
	depth    int    // of all stacks together
}

// scheduler has the machine's threads, by state.
type scheduler struct {
	threads  []thread
	running  []*thread // state active
	leaving  []*thread // their threadEnd is next
	starting []*thread // state called
	current  *thread   // the last scheduled one
	lastID   uint64    // of a thread
	ending   int       // number of threads that return from their methods to end
	dying    []*thread // these threads, and threads whose threadEnd is not written yet
}

// definitions counts the classes and methods that are defined.
type definitions struct {
	classes int
	methods method // all below are defined
	fresh   method // defined and not called yet, or -1
}

// Generate writes a trace of roughly the given size in bytes, with the Default workload.
func Generate(w io.Writer, size int64, seed uint64, s Style) error {
	return GenerateWorkload(w, size, seed, Default, s)
}

// GenerateWorkload writes a trace of roughly the given size in bytes. The workload must have at least 17 threads, so
// that some stay awake.
func GenerateWorkload(w io.Writer, size int64, seed uint64, workload Workload, s Style) error {
	m := &machine{
		out:      newElementWriter(w, seed, s),
		random:   rand.New(rand.NewPCG(seed, 1)),
		now:      1_164_203_541_000_000_000,
		workload: workload,
		monitors: make([]monitor, workload.monitors()),
	}
	m.fresh = -1
	m.threads = make([]thread, workload.Threads)
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
	return m.out.out.Flush()
}

// rest estimates the size of the events that shut the machine down, in bytes.
func (m *machine) rest() int64 { return int64(m.depth)*130 + int64(len(m.threads))*200 }

func (m *machine) step() {
	switch m.workload.nextShare(m.out.counts) {
	case calls:
		m.call()
	case locks:
		m.lock()
	default:
		m.live()
	}
}

// tick returns the time of the next event, a little later than the previous one.
func (m *machine) tick() trace.Time {
	m.now += trace.Time(20 + m.random.IntN(8000))
	return m.now
}

// chance is true in perMille of 1000 cases.
func (m *machine) chance(perMille int) bool { return m.random.IntN(1000) < perMille }

func (m *machine) preamble() {
	const node, process, agent = "UUID-1164203541-000000-0001-0001", "UUID-1164203541-000000-0001-0002",
		"UUID-1164203541-000000-0001-0003"
	m.out.start(trace.Node).text(trace.AttrNodeID, node).text(trace.AttrHostname, "localhost").text(trace.AttrIPAddress,
		"127.0.0.1").number(trace.AttrTimezone, 0).moment(trace.AttrTime, m.now).finish()
	m.out.start(trace.ProcessCreate).text(trace.AttrProcessID, process).number(trace.AttrPID, 4711).
		text(trace.AttrNodeIDRef, node).moment(trace.AttrTime, m.now).finish()
	m.out.start(trace.AgentCreate).text(trace.AttrAgentID, agent).text(trace.AttrVersion, "2.000").
		text(trace.AttrProcessIDRef, process).
		text(trace.AttrAgentName, "org.eclipse.tptp.jvmti").text(trace.AttrAgentType, "Profiler").
		text(trace.AttrAgentParameters, "server=standalone").moment(trace.AttrTime, m.now).finish()
	m.out.start(trace.TraceStart).text(trace.AttrTraceID, "UUID-1164203541-000000-0001-0004").text(trace.AttrAgentIDRef,
		agent).moment(trace.AttrTime, m.now).finish()
	m.filter("com.example", "INCLUDE", "SUFFIX")
	m.filter("", "EXCLUDE", "PREFIX")
	for _, option := range [][2]string{{"TRACE_MODE", "noObjectCorrelation"}, {"STACK_INFORMATION", "normal"},
		{"MONITOR_MODE", "all"}, {"HEAP_DUMP", "none"}, {"OBJ_ALLOC_IS_ARRAY", "true"}, {"TICKET", "true"}} {
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

// boot starts the machine: some classes, the monitors, and main with the first threads that it starts.
func (m *machine) boot() {
	for range platformClasses {
		m.defineClass()
	}
	m.defineMethod()
	for i := range m.monitors {
		m.monitors[i].object = m.allocate(nil, objectClass, objectSize).id
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

// shutDown ends all threads, main last.
func (m *machine) shutDown() {
	for len(m.starting) > 0 {
		m.threadStart()
	}
	m.releaseAll()
	m.now += maxTimeout
	m.wakeAll()
	for i := range m.monitors {
		m.callNotify(m.running[0], &m.monitors[i], true)
	}
	m.wakeAll()
	for i := range m.threads {
		if m.threads[i].ending {
			m.finishThread(&m.threads[i])
		}
	}
	m.wakeAll()
	for i := len(m.threads) - 1; i >= 0; i-- {
		m.finishThread(&m.threads[i])
	}
}

// wakeAll wakes threads until no more can be woken.
func (m *machine) wakeAll() {
	for m.wakeOne(len(m.threads)) {
		m.releaseAll()
	}
}

func (m *machine) releaseAll() {
	for _, t := range m.running {
		t.release()
	}
}

// finishThread lets a running thread return from its methods and end.
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
