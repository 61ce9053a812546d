package threaddump

import (
	"fmt"
	"strconv"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// series turns a thread dump series, consecutive dumps of a process, into a trace.
type series struct {
	*reader
	*process          // the process of the current dump
	others            []*process
	processes         int // the number so far
	out               *builder.Builder
	dumps             int
	form              form       // of the last dump
	last              trace.Time // of the last dump, in the trace
	latest            trace.Time // the latest time that a dump has, or should have
	undated           bool       // the first dump has no time
	timed             bool       // a dump is known to be later than the previous one
	offset            trace.Time // by which the times of later dumps are moved to follow it
	owners            ownerMap
	unowned           map[string]bool // ids of locks that threads want and no thread owns
	lacks             map[trace.Lack]bool
	stack             []byte
	id                []byte   // of the thread of a sample
	firstCPU, lastCPU cpuTimes // of the first and the last dump that have them
	sizeReported      bool     // the limit of symbols was exceeded, and this is reported
}

// traceThread is a thread in the trace.
type traceThread struct {
	id       string
	stack    *string
	current  *thread // in the current dump; nil if it is not there
	previous snapshot
	form     form
	virtual  bool
	state    stateKind
	changed  bool   // its state differs from the last dump
	used     uint32 // CPU time by the last dump, in cpuUnits
}

// snapshot is what is kept of a thread in the last dump, to compare the next one.
type snapshot struct {
	name    string     // of the object that it wanted; "" if it wanted none
	object  string     // the object's id in the trace; "" if it has none
	handle  string     // of the VM's thread; "" if unknown
	elapsed trace.Time // since its start; below 0 if unknown
}

func newSeries(r *reader, out *builder.Builder) *series {
	return &series{reader: r, process: newProcess(""), processes: 1, out: out, unowned: map[string]bool{},
		lacks: map[trace.Lack]bool{}}
}

// put converts a dump to elements. The builder keeps the first error.
func (s *series) put(d *dump) {
	s.at = d.place
	d.separateCarriers()
	s.dropDuplicates(d)
	other := s.selectProcess(d)
	s.checkForm(d)
	if !d.begun {
		s.setTime(d, other)
	}
	s.resolve(d)
	s.noteLacks(d)
	s.noteCPU(d, other)
	if s.dumps++; s.dumps == 1 && !d.begun {
		s.begin(d)
	}
	s.match(d)
	s.identifyObjects(d)
	s.endThreads(d)
	s.endStates()
	s.startThreads(d)
	s.handOffs()
	for _, t := range d.threads {
		s.sample(t)
	}
	s.startWaits(d)
	s.startBlocks(d)
	s.putUnowned(d)
	s.putBarrier(d)
	s.rememberAll(d)
}

// dropDuplicates drops threads that occur again in a dump. If two different threads have the same id, as in a file put
// together from several dumps, the later one gets another id.
func (s *series) dropDuplicates(d *dump) {
	seen := make(map[string]*thread, len(d.threads))
	kept := d.threads[:0]
	for _, t := range d.threads {
		first := seen[t.id]
		if first != nil && first.handle != t.handle {
			id := t.id
			for n := 2; first != nil && first.handle != t.handle; n++ {
				t.id = id + "#" + strconv.Itoa(n)
				first = seen[t.id]
			}
			if first == nil {
				s.report(ruleThreadTwice, trace.Warning, t.place,
					fmt.Sprintf("another thread of this dump, in line %d, has the id of thread %q, as if parts of "+
						"several dumps were put together; the id of this one is read as %s", seen[id].place.Line,
						sanitize.Clip(t.name, maxQuoted), t.id), nil)
			}
		}
		if first != nil {
			s.report(ruleThreadTwice, trace.Warning, t.place,
				fmt.Sprintf(
					"thread %s occurs twice in this dump, as if two dumps were mixed; the first occurrence, in line "+
						"%d, is used",
					t.label(), first.place.Line), nil)
			continue
		}
		if d.emitted > 0 && s.threads[t.id] != nil {
			s.reportTwice(t)
			continue
		}
		seen[t.id] = t
		if t.javaState != javaEnded {
			kept = append(kept, t)
		}
	}
	d.threads = kept
}

// checkForm reports, once, that a dump has another form than the previous one.
func (s *series) checkForm(d *dump) {
	if s.dumps > 0 && d.form != s.form && !s.formsReported {
		s.formsReported = true
		s.report(ruleForms, trace.Warning, d.place,
			"this dump has another form than the previous one, with other times and names of objects, so unchanged "+
				"threads seem to change; pass dumps of several forms as several inputs", nil)
	}
	s.form = d.form
}

// finish ends the trace, and reports the information that the dumps lack.
func (s *series) finish() error {
	if s.dumps == 0 {
		s.report(RuleNone, trace.Error, trace.Place{Line: 1, Column: 1},
			`the input has no thread dump: want a line "Full thread dump", or a file of jcmd PID Thread.dump_to_file`, nil)
		return nil
	}
	for _, lack := range lacks {
		s.options.Lacks(s.lacks[lack], lack)
	}
	if s.dumps == 1 {
		s.options.Unsupported(true, "length", "a single dump shows one moment; the beginning of states is unknown, and they last for 0 s")
	} else {
		s.options.Unsupported(true, "moments of change",
			fmt.Sprintf(
				"the trace is sampled by %d dumps: a change has the time of the first dump that shows it; states "+
					"between two dumps are missing, and events that must have happened are inferred", s.dumps))
	}
	s.putCollector()
	if s.dumps > 1 && (s.lacks[noTimes] || !s.timed) {
		s.option("TIMESTAMPS", "false")
	}
	return s.out.Element(trace.TraceEnd, s.at.Offset).At(s.last).Number(trace.AttrTraceIDRef, 1).Put()
}

// begin begins the trace with its first dump: the process, the agent and the options.
func (s *series) begin(d *dump) {
	s.first = d.dumpHeader
	process := s.out.Element(trace.ProcessCreate, d.place.Offset).Number(trace.AttrProcessID, 1)
	if d.process != "" {
		process.Text(trace.AttrPID, d.process)
	}
	process.At(d.at).Put()
	s.out.Element(trace.AgentCreate, d.place.Offset).Number(trace.AttrAgentID, 1).Number(trace.AttrProcessIDRef, 1).
		Text(trace.AttrAgentName, "thread dump").Text(trace.AttrAgentType, "Profiler").
		Text(trace.AttrAgentParameters, "sampled").At(d.at).Put()
	s.out.Element(trace.TraceStart, d.place.Offset).Number(trace.AttrTraceID, 1).Number(trace.AttrAgentIDRef, 1).
		At(d.at).Put()
	s.option("sampled", "true")
	if d.vm != "" {
		s.option("jvm", d.vm)
	}
}

func (s *series) option(key, value string) {
	s.out.Element(trace.Option, s.at.Offset).Text(trace.AttrKey, key).Text(trace.AttrValue, value).Put()
}

// same reports whether a thread of the dump can be the one in the trace with its id: the VM's thread is the same.
func (s *series) same(k *traceThread, t *thread) bool {
	return k.previous.handle == "" || t.handle == "" || k.previous.handle == t.handle
}

// match finds the threads of the dump in the trace.
func (s *series) match(d *dump) {
	for _, k := range s.order {
		k.current, k.changed = nil, false
	}
	for _, t := range d.threads {
		if k := s.threads[t.id]; k != nil && s.same(k, t) {
			k.current = t
		}
	}
}

// remember keeps what the next dump of the thread is compared with.
func (s *series) remember(k *traceThread, t *thread, f form) {
	now := snapshot{name: t.state.object.name, object: k.previous.object, handle: t.handle, elapsed: t.elapsed}
	if t.state.kind == running {
		k.state, now.object = running, ""
	}
	k.previous = now
	k.stack, k.form, k.used = t.stack, f, t.usedUnits()
}

// rememberAll keeps what the next dump is compared with.
func (s *series) rememberAll(d *dump) {
	for _, k := range s.order {
		t := k.current
		if t == nil {
			continue
		}
		s.remember(k, t, d.form)
		k.current = nil
	}
	s.owners = nil
	if s.symbols.full && !s.sizeReported {
		s.sizeReported = true
		s.report(ruleTooLarge, trace.Error, d.place,
			fmt.Sprintf("the names of classes and methods do not fit into %d MiB; calls of others are left out",
				maxProgram>>20), nil)
	}
}

// independent reports whether the state of a thread does not depend on other threads of its dump: it owns nothing, and
// wants nothing that another thread may own.
//
// In an input's first dump they are emitted at once, so that a dump of a million virtual threads is not kept.
func (s *series) independent(d *dump, t *thread) bool {
	if s.dumps > 0 || d.form.ofOneMoment() || !d.dated || t.javaState == javaEnded || t.ownerID != "" ||
		len(t.owned)+len(t.synced) > 0 {
		return false
	}
	t.state = t.ownState()
	return t.state.kind != blocked && !javaname.IsOwnedLock(t.state.object.class)
}

// putNow emits an independent thread.
func (s *series) putNow(d *dump, t *thread) {
	if s.threads[t.id] != nil {
		s.reportTwice(t)
		return
	}
	if !d.begun {
		d.begun = true
		s.setTime(d, false)
		s.begin(d)
	}
	d.emitted++
	if o := t.state.object; o.known() && s.objects.byName[o.name] == nil {
		d.size += emittedSize + len(o.name) + len(o.class)
		s.define(o, t)
	}
	k := newTraceThread(t, d.form)
	s.threads[t.id] = k
	s.order = append(s.order, k)
	s.startThread(t, false)
	s.sample(t)
	if t.state.kind != running {
		s.startWait(k, t)
	}
	s.remember(k, t, d.form)
	k.current, k.changed = nil, false
}

// reportTwice reports a thread that occurs twice in this dump and was emitted at its first occurrence.
func (s *series) reportTwice(t *thread) {
	s.report(ruleThreadTwice, trace.Warning, t.place,
		fmt.Sprintf("thread %s occurs twice in this dump, as if two dumps were mixed; the first occurrence is used",
			t.label()),
		nil)
}
