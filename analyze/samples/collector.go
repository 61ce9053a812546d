package samples

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// Collector observes the records of a trace's model. Its memory is bounded by the live threads that were sampled or
// whose CPU time is known, and by a limit of places.
type Collector struct {
	start, last trace.Time // of the trace
	dumps       bool       // the samples are thread dumps, not a profiler's
	alone       bool       // the trace has nothing else
	untimed     bool       // the times between dumps are unknown
	moments     int        // number of times at which threads were sampled
	moment      trace.Time // the latest of these times
	seen        int        // number of known thread dumps, if the trace has only dumps
	seenAt      trace.Time // the time of the latest one
	first       trace.Time // the time of the first one
	states      [trace.StateCount]uint64
	places      places
	threads     map[trace.ThreadKey]*thread
	ended       int // number of threads that have ended
}

// thread is what is known of a thread.
type thread struct {
	trace.ThreadRef
	samples  uint64 // all of them
	runnable uint64
	sampled  int64 // the time that they represent, in nanoseconds
	places   places
	cpu      cpu
	run      run // the current one
	longest
	at lastPlace
	io inIO
}

// inIO is what a profiler saw of a thread in native code, for input or output that it has asked for.
type inIO struct {
	places      places
	first, last trace.Time
}

// lastPlace is the place of the program at which a thread is RUNNABLE in the last dumps, in native code or not.
type lastPlace struct {
	place    trace.Frame
	from, to int // the moments
	native   bool
	locks    bool // as Runnable has it
}

// cpu is the CPU time of a thread when it was known first and when it was known last.
type cpu struct {
	first, last trace.CPUTime
}

// used returns the CPU time between these, and how long that was: by the thread's age, if the dumps have it, because
// times of dumps can be missing, and are in whole seconds.
func (c *cpu) used() (used, length int64) {
	length = int64(c.last.Time - c.first.Time)
	if c.first.Age > 0 && c.last.Age > c.first.Age {
		length = c.last.Age - c.first.Age
	}
	return max(c.last.Used-c.first.Used, 0), max(length, 0)
}

// run are successive dumps in which a thread was RUNNABLE at the same calls of the program.
type run struct {
	dumps  int
	moment int // of the last dump
	common []trace.Frame
	place  trace.Frame // the innermost call of the last dump, if all dumps have it
	begin  trace.CPUTime
	native bool // in one dump, the innermost call is native and the program's
}

// longest is the longest run, with the CPU time that the thread used meanwhile.
type longest struct {
	most         run
	used, length int64
}

// Observe consumes a record.
func (c *Collector) Observe(r trace.Record) {
	switch r := r.(type) {
	case *trace.Origin:
		c.start = r.Time
	case *trace.Session:
		c.dumps = c.dumps || r.Agent != nil
		c.alone = slices.Contains(r.Agent, trace.NamedValue{Name: trace.AttrAgentName.String(), Value: "thread dump"})
		c.untimed = c.untimed || r.Untimed
	case *trace.ModelEvent:
		c.see(r.Time)
		if r.Type == trace.Dead {
			c.end(r.Thread.Key)
		}
	case *trace.CPUTime:
		c.see(r.Time)
		c.usedCPU(r)
	case *trace.Sample:
		c.see(r.Time)
		c.sample(r)
	case *trace.Summary:
		c.last = r.Last
	}
}

// see counts the thread dumps by their times: everything in the trace belongs to one of them.
func (c *Collector) see(at trace.Time) {
	if c.seen == 0 || at > c.seenAt {
		c.seen++
		c.seenAt = at
	}
}

// maxEnded limits the ended threads that are kept.
const maxEnded = 1 << 12

// end ends a thread. It is not busy any more, unless a profiler has seen it busy for a part of the profile.
func (c *Collector) end(key trace.ThreadKey) {
	t := c.threads[key]
	if t == nil {
		return
	}
	if c.dumps || t.runnable < leastSamples || c.ended == maxEnded {
		delete(c.threads, key)
		return
	}
	c.ended++
}

func (c *Collector) thread(of trace.ThreadRef) *thread {
	t := c.threads[of.Key]
	if t == nil {
		t = &thread{ThreadRef: of}
		if c.threads == nil {
			c.threads = map[trace.ThreadKey]*thread{}
		}
		c.threads[of.Key] = t
	}
	return t
}

func (c *Collector) usedCPU(r *trace.CPUTime) {
	if r.Age > 0 {
		c.at(r.Time)
	}
	t := c.thread(r.Thread)
	if t.cpu.first.Used == 0 {
		t.cpu.first = *r
	}
	t.cpu.last = *r
}

// at notes that threads are sampled at the time.
func (c *Collector) at(time trace.Time) {
	if c.moments == 0 {
		c.first = time
	}
	if c.moments == 0 || time > c.moment {
		c.moments, c.moment = c.moments+1, time
	}
}

func (c *Collector) sample(s *trace.Sample) {
	c.at(s.Time)
	c.states[s.State] += s.Count
	t := c.thread(s.Thread)
	native := s.State == trace.StateInIO
	if c.alone && (native || s.State == trace.StateRunnable) && s.Stack != nil && !s.Stack.Library && !isIdle(s.Stack) {
		t.at.add(s.Stack.Place(), c.moments, native)
		t.at.locks = isFileLock(s.Stack)
	}
	if native && !c.dumps && s.Stack != nil && !s.Stack.Library && !isIdle(s.Stack) {
		t.io.add(s)
	}
	if t.samples += s.Count; s.State != trace.StateRunnable {
		return
	}
	t.runnable += s.Count
	t.sampled = min(t.sampled, math.MaxInt64/2) + int64(s.Count)*s.Period
	if s.Stack == nil {
		return
	}
	if c.places.add(s.Stack.Place(), s.Count); !c.dumps {
		t.places.add(s.Stack.Place(), s.Count)
		return
	}
	t.follow(c.moments, s.Stack)
}

func (io *inIO) add(s *trace.Sample) {
	if io.places == nil {
		io.first = s.Time
	}
	io.places.add(s.Stack.Place(), s.Count)
	io.last = s.Time
}

func (l *lastPlace) add(place trace.Frame, moment int, native bool) {
	if l.to != moment-1 || l.place.Method == nil || !l.place.Method.Same(place.Method) || l.native != native {
		l.from = moment
	}
	l.place, l.to, l.native = place, moment, native
}

// isFileLock reports whether the program wants the lock of a file, which another process can hold.
func isFileLock(stack *trace.Stack) bool {
	return slices.ContainsFunc(stack.Frames[:stack.Site], func(f trace.Frame) bool {
		return f.Method.Name == "lock0" && strings.HasSuffix(f.Method.Class, "FileDispatcherImpl")
	})
}

// isIdle reports whether calls wait until somebody asks for something, as those of idle servers do, or ask for the
// dump itself.
func isIdle(stack *trace.Stack) bool {
	return slices.ContainsFunc(stack.Frames[:stack.Site], func(f trace.Frame) bool {
		name := strings.ToLower(f.Method.Class + "." + f.Method.Name)
		return strings.Contains(name, "accept") || strings.Contains(name, "select") || strings.Contains(name, "poll.wait") ||
			strings.Contains(name, "watchservice") || strings.Contains(name, "dumpthreads")
	})
}

// follow adds a dump to the run of the thread, or begins another one.
func (t *thread) follow(moment int, stack *trace.Stack) {
	r := &t.run
	common := inCommon(r.common, stack)
	if r.moment != moment-1 || len(common) == 0 {
		*r = run{begin: t.cpu.last}
		common = ofProgram(stack)
	}
	inner := stack.Frames[0]
	r.native = r.native || inner.Line == trace.NoLine && !enrich.IsLibrary(inner.Method.Class)
	r.dumps, r.moment, r.common, r.place = r.dumps+1, moment, common, stack.Place()
	if r.dumps >= t.most.dumps {
		t.most = *r
		t.used, t.length = (&cpu{r.begin, t.cpu.last}).used()
	}
}

// maxCommon limits the calls that are compared.
const maxCommon = 16

// ofProgram returns the innermost calls of the program.
func ofProgram(stack *trace.Stack) (frames []trace.Frame) {
	if stack.Library {
		return nil
	}
	for _, f := range stack.Frames[stack.Site:] {
		if len(frames) < maxCommon && !enrich.IsLibrary(f.Method.Class) {
			frames = append(frames, f)
		}
	}
	return frames
}

// inCommon returns the calls whose methods the stack also has. Lines that differ are dropped.
func inCommon(common []trace.Frame, stack *trace.Stack) (kept []trace.Frame) {
	for _, f := range common {
		at := slices.IndexFunc(stack.Frames, func(other trace.Frame) bool { return other.Method.Same(f.Method) })
		if at < 0 {
			continue
		}
		if stack.Frames[at].Line != f.Line {
			f.Line = trace.NoLine
		}
		kept = append(kept, f)
	}
	return kept
}

// frame returns where the run was: the innermost common call.
func (r *run) frame() trace.Frame {
	switch {
	case len(r.common) == 0:
		return trace.Frame{}
	case r.place.Method.Same(r.common[0].Method) && r.place.Line == r.common[0].Line:
		return r.place
	}
	return r.common[0]
}

// places count samples by places.
type places map[place]uint64

// place is a frame without the calls below it.
type place struct {
	method *trace.ModelMethod
	line   int32
	outer  *trace.Outer
}

// maxPlaces limits the places of a thread, and of all threads.
const maxPlaces = 1 << 12

func (p *places) add(f trace.Frame, count uint64) {
	if *p == nil {
		*p = places{}
	}
	at := place{f.Method, f.Line, f.Outer}
	if _, known := (*p)[at]; known || len(*p) < maxPlaces {
		(*p)[at] += count
	}
}

// most returns where most samples are: the method, and its place with the most.
func (p places) most() (f trace.Frame, count uint64) {
	type method struct{ class, name string }
	methods, largest := map[method]uint64{}, map[method]place{}
	var best method
	for _, at := range p.sorted() {
		m := method{at.method.Class, at.method.Name}
		if _, known := largest[m]; !known {
			largest[m] = at
		}
		methods[m] += p[at]
	}
	for _, at := range p.sorted() {
		if m := (method{at.method.Class, at.method.Name}); methods[m] > methods[best] {
			best = m
		}
	}
	at := largest[best]
	return trace.Frame{Method: at.method, Line: at.line, Outer: at.outer}, methods[best]
}

// in counts the samples in the method of the frame.
func (p places) in(f trace.Frame) (count uint64) {
	for at, n := range p {
		if f.Method != nil && at.method.Same(f.Method) {
			count += n
		}
	}
	return count
}

// sorted returns the places, those with the most samples first.
func (p places) sorted() []place {
	all := make([]place, 0, len(p))
	for at := range p {
		all = append(all, at)
	}
	number := func(o *trace.Outer) uint32 {
		if o == nil {
			return 0
		}
		return o.Number
	}
	slices.SortFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(p[b], p[a]), cmp.Compare(a.method.Class, b.method.Class),
			cmp.Compare(a.method.Name, b.method.Name), cmp.Compare(a.line, b.line),
			cmp.Compare(number(a.outer), number(b.outer)), cmp.Compare(a.method.Number, b.method.Number))
	})
	return all
}
