package threaddump

import (
	"errors"
	"fmt"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// series turns dumps, one after the other, into a trace.
type series struct {
	*reader
	*process  // that of the current dump
	others    []*process
	processes int // how many there were
	out       *builder.Builder
	dumps     int
	form      form // of the last dump
	last      trace.Time
	owners    holders
	lacks     map[lackOf]bool
	stack     []byte
	tooLarge  bool // that the program is, which was reported
}

// known is what the trace says of a thread.
type known struct {
	id      string
	stack   *string
	thread  *thread // in the current dump, nil if it is not in it
	last    *last   // nil where there is nothing to be said; several threads may share it
	form    form
	virtual bool
	doing   doing
	changed bool // it does something else than in the last dump
}

// last is what a thread wanted in the last dump, and the VM's thread of it. It is immutable.
type last struct {
	name    string     // that the dump gave to the object; "" if it wanted none
	object  string     // the object's id in the trace; "" if it has none
	handle  string     // of the VM's thread; "" if it is not known
	elapsed trace.Time // since that was started; below 0 if it is not known
}

var nothingLast = last{elapsed: unknownTime}

// was is what there is to be said of the last dump.
func (k *known) was() *last {
	if k.last == nil {
		return &nothingLast
	}
	return k.last
}

// isNow keeps what there is to be said of the current dump, as another thread has it where that is the same.
func (k *known) isNow(now last, object *identity) {
	switch {
	case now == nothingLast:
		k.last = nil
	case object != nil && object.wanted != nil && *object.wanted == now:
		k.last = object.wanted
	default:
		k.last = &now
		if object != nil {
			object.wanted = k.last
		}
	}
}

func newSeries(r *reader, out *builder.Builder) *series {
	return &series{reader: r, process: newProcess(""), processes: 1, out: out, lacks: map[lackOf]bool{}}
}

// take turns a dump into elements.
func (s *series) take(d *dump) error {
	s.place(d.place)
	s.unique(d)
	other := s.turn(d)
	s.checkForm(d)
	if !d.begun {
		s.date(d, other)
	}
	s.resolve(d)
	s.note(d)
	if s.dumps++; s.dumps == 1 && !d.begun {
		if err := s.begin(d); err != nil {
			return err
		}
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
	s.keepLast(d)
	return nil
}

func (s *series) place(p trace.Place) { s.at = p }

// unique leaves out threads of a dump that come again: each thread occurs in it once.
func (s *series) unique(d *dump) {
	seen := make(map[string]*thread, len(d.threads))
	kept := d.threads[:0]
	for _, t := range d.threads {
		if seen[t.id] != nil {
			s.report(ruleThreadTwice, trace.Error, t.place,
				fmt.Sprintf(
					"thread %s occurs in this dump a second time, as if two were mixed; the first is used, which "+
						"is at line %d",
					t.label(), seen[t.id].place.Line), nil)
			continue
		}
		if d.told > 0 && s.known[t.id] != nil {
			s.twice(t)
			continue
		}
		seen[t.id] = t
		if t.state != ended {
			kept = append(kept, t)
		}
	}
	d.threads = kept
}

// checkForm reports a dump of another form than that of the one before, once.
func (s *series) checkForm(d *dump) {
	if s.dumps > 0 && d.form != s.form && !s.forms {
		s.forms = true
		s.report(ruleForms, trace.Warning, d.place,
			"this dump is of another form than the one before it, with other times and names of objects, so that "+
				"threads seem to change which did not; give dumps of several forms as several inputs", nil)
	}
	s.form = d.form
}

// finish ends the trace, and tells what the dumps could not.
func (s *series) finish() error {
	if s.dumps == 0 {
		s.report(ruleNone, trace.Error, trace.Place{Line: 1, Column: 1},
			`there is no thread dump in it; one begins with "Full thread dump", or is written by jcmd PID Thread.dump_to_file`, nil)
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
		s.lack("moments of change",
			fmt.Sprintf(
				"it is sampled by %d dumps: a change has the time of the dump that shows it, what was over before "+
					"the next dump is missing, and what must have happened in between is inferred", s.dumps))
	}
	return s.out.Element(trace.TraceEnd, s.at.Offset).At(s.last).Number(trace.AttrTraceIDRef, 1).Put()
}

// begin begins the trace with its first dump.
func (s *series) begin(d *dump) error {
	s.first = &dump{vm: d.vm, process: d.process}
	return s.preamble(d)
}

// preamble says what wrote the trace, and that it is sampled.
func (s *series) preamble(d *dump) error {
	process := s.out.Element(trace.ProcessCreate, d.place.Offset).Number(trace.AttrProcessID, 1)
	if d.process != "" {
		process = process.Text(trace.AttrPID, d.process)
	}
	err := process.At(d.at).Put()
	agent := s.out.Element(trace.AgentCreate, d.place.Offset).Number(trace.AttrAgentID, 1).
		Number(trace.AttrProcessIDRef, 1).
		Text(trace.AttrAgentName, "thread dump").Text(trace.AttrAgentType, "Profiler").Text(trace.AttrAgentParameters,
		"sampled").At(d.at)
	err = errors.Join(err, agent.Put(), s.out.Element(trace.TraceStart, d.place.Offset).Number(trace.AttrTraceID, 1).
		Number(trace.AttrAgentIDRef, 1).At(d.at).Put(),
		s.option("sampled", "true"))
	if d.vm != "" {
		err = errors.Join(err, s.option("jvm", d.vm))
	}
	return err
}

func (s *series) option(key, value string) error {
	return s.out.Element(trace.Option, s.at.Offset).Text(trace.AttrKey, key).Text(trace.AttrValue, value).Put()
}

// same reports whether a thread of the dump is the known one: its id, and where the VM keeps it, are the same.
func (s *series) same(k *known, t *thread) bool {
	return k.was().handle == "" || t.handle == "" || k.was().handle == t.handle
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

// compare keeps what the thread is compared with in the next dump.
func (s *series) compare(k *known, t *thread, f form) {
	now := last{name: t.now.object.name, object: k.was().object, handle: t.handle, elapsed: t.elapsed}
	if t.now.doing == running {
		k.doing, now.object = running, ""
	}
	k.isNow(now, s.objects.now[now.name])
	k.stack, k.form = t.stack, f
}

// keepLast keeps what the next dump is compared with.
func (s *series) keepLast(d *dump) {
	for _, k := range s.order {
		t := k.thread
		if t == nil {
			continue
		}
		s.compare(k, t, d.form)
		k.thread = nil
	}
	s.owners = nil
	if s.program.full && !s.tooLarge {
		s.tooLarge = true
		s.report(ruleTooLarge, trace.Error, d.place,
			fmt.Sprintf("the names of classes and methods do not fit into %d MiB; calls of others are left out",
				maxProgram>>20), nil)
	}
}
