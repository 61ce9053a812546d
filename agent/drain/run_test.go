package drain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trcx/trcx/agent/output"
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/agent/ring/ringtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

func ownerOf(e *trace.Event) string { return string(e.Value(trace.AttrThreadOwner)) }

// program is a simulated program: threads that do what threads can do. A platform thread has its own ring, a virtual
// thread uses any.
type program struct {
	jvm      *ringtest.JVM
	carriers []carrier
	defined  sync.Mutex
	next     int64 // object
}

type carrier struct {
	mutex sync.Mutex
	ring  *ringtest.Producer
}

// life has what a thread has published, in order.
type life struct {
	id      int64
	told    []string
	virtual bool
	own     *ringtest.Producer
	random  *rand.Rand
}

// publish publishes a record and notes it.
func (p *program) publish(l *life, r ring.Record, note string) {
	r.Thread = l.id
	if l.own != nil {
		l.own.Put(r)
	} else {
		c := &p.carriers[l.random.IntN(len(p.carriers))]
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.ring.Put(r)
	}
	l.told = append(l.told, note)
}

// object defines a new object, before it is used.
func (p *program) object() int64 {
	p.defined.Lock()
	p.next++
	object := 1000 + p.next
	p.defined.Unlock()
	p.jvm.Define(ring.Record{Kind: ring.DefineObject, Object: object, Argument: 1})
	return object
}

// live publishes the events of one thread.
func (p *program) live(l *life, events int) {
	info := ring.ThreadInfo{Name: []byte("thread " + strings.Repeat("x", l.random.IntN(200)))}
	flags := uint8(0)
	if l.virtual {
		flags = ring.Virtual
	}
	p.publish(l, ring.Record{Kind: ring.ThreadStart, Flags: flags, Object: l.id, Payload: ringtest.ThreadInfo(info)},
		"threadStart "+strconv.FormatInt(l.id, 10))
	object := p.object()
	for range events {
		if l.random.IntN(10) == 0 {
			object = p.object()
		}
		p.act(l, object)
	}
	p.publish(l, ring.Record{Kind: ring.ThreadEnd}, "threadEnd ")
}

func (p *program) act(l *life, object int64) {
	is := strconv.FormatInt(object, 10)
	switch l.random.IntN(5) {
	case 0:
		p.publish(l, ring.Record{Kind: ring.ContendedEnter, Object: object, Payload: stacked(l.random)},
			"monContendedEnter "+is)
		p.publish(l, ring.Record{Kind: ring.ContendedEntered, Object: object}, "monContendedEntered "+is)
	case 1:
		p.publish(l, ring.Record{Kind: ring.Wait, Object: object}, "monWait "+is)
		p.publish(l, ring.Record{Kind: ring.Waited, Object: object}, "monWaited "+is)
		if l.virtual && l.random.IntN(2) == 0 {
			p.publish(l, ring.Record{Kind: ring.ContendedEntered, Object: object}, "monContendedEntered "+is)
		}
	case 2:
		p.publish(l, ring.Record{Kind: ring.Wait, Object: ring.Sleep, Argument: 1}, "monWait -1")
		p.publish(l, ring.Record{Kind: ring.Waited, Object: ring.Sleep, Flags: ring.TimedOut}, "monWaited -1")
	default:
		p.publish(l, ring.Record{Kind: ring.CallNotify, Object: object}, "callNotify "+is)
	}
}

// stacked returns a stack trace or nil; some are long enough to go round the end of a ring.
func stacked(random *rand.Rand) []byte {
	if random.IntN(3) > 0 {
		return nil
	}
	frames := make([]ring.Frame, 1+random.IntN(60))
	for i := range frames {
		frames[i] = ring.Frame{Method: 2, Location: uint16(random.IntN(3))}
	}
	return ringtest.Stack(frames...)
}

// newProgram returns a program whose carrier threads have their rings.
func newProgram(t testing.TB) *program {
	p := &program{jvm: begin(t, 25), carriers: make([]carrier, 3)}
	p.jvm.SetStarted(ring.Now())
	for i := range p.carriers {
		p.carriers[i].ring = p.jvm.Thread()
	}
	p.jvm.Define(ring.Record{Kind: ring.DefineClass, Object: 1, Payload: ringtest.ClassInfo("app/Lock", "Lock.java")})
	p.jvm.Define(ring.Record{Kind: ring.DefineMethod, Object: 2, Argument: 1, Payload: ringtest.MethodInfo("run", "()V",
		ringtest.Line{Location: 1, Line: 7})})
	return p
}

// run runs the threads, some after others in the same goroutine, and returns their lives.
func (p *program) run(seed uint64, atOnce, each, events int) []*life {
	lives := make([]*life, atOnce*each)
	var all sync.WaitGroup
	for n := range atOnce {
		all.Go(func() {
			for i := range each {
				l := &life{id: int64(1 + n*each + i), random: rand.New(rand.NewPCG(seed, uint64(n*each+i)))}
				lives[l.id-1] = l
				if l.virtual = l.random.IntN(3) == 0; !l.virtual {
					l.own = p.jvm.Thread()
				}
				p.live(l, events)
				if l.own != nil {
					l.own.Retire()
				}
			}
		})
	}
	all.Wait()
	return lives
}

// TestPrograms records random programs while they run. It proves that each record is written once, that the records of
// each thread are in order, that all are in the order of time, and that the trace is valid.
func TestPrograms(t *testing.T) {
	for seed := range testtool.Times(uint64(12)) {
		p := newProgram(t)
		p.jvm.Patient = true
		var out collected
		drainer := New(p.jvm.Segment, &out, preamble, nil)
		// a thread may be delayed for long when others have the processors
		drainer.patience, drainer.merger.limit = time.Hour, math.MaxInt
		result := make(chan *Summary)
		go func() { result <- drainer.Run(context.Background()) }()
		lives := p.run(seed, 8, 10, 600)
		p.jvm.End(ring.Now())
		summary := <-result
		name := fmt.Sprintf("seed %d", seed)
		if summary.Dropped+summary.Strays+summary.Repaired+summary.Unknown > 0 || summary.Stopped != nil {
			t.Errorf("%s: the summary is %+v", name, summary)
		}
		elements := checkTrace(t, name, string(out.text))
		checkOrder(t, name, elements)
		checkLives(t, name, elements, lives)
	}
}

// checkOrder proves that times do not go back. A definition precedes its uses, whatever its time.
func checkOrder(t *testing.T, name string, elements []*trace.Event) {
	t.Helper()
	last := trace.Time(0)
	for _, e := range elements {
		if !e.Timed() || e.Kind == trace.ClassDef || e.Kind == trace.ObjAlloc {
			continue
		}
		if e.Time < last {
			t.Fatalf("%s: %s at %v comes after an element at %v", name, e.Kind, e.Time, last)
		}
		last = e.Time
	}
}

// checkLives proves that the trace has the events that each thread has published, and definitions before their uses. A
// monContendedEnter that was inserted does not count.
func checkLives(t *testing.T, name string, elements []*trace.Event, lives []*life) {
	t.Helper()
	written := make([][]string, len(lives)+1)
	defined := map[string]bool{"-1": true}
	for _, e := range elements {
		if e.Kind == trace.ObjAlloc {
			defined[string(e.Value(trace.AttrObjID))] = true
			continue
		}
		id, err := strconv.Atoi(string(e.Value(e.Kind.Element().Thread())))
		if err != nil {
			continue
		}
		object := string(e.Value(trace.AttrObjIDRef))
		if e.Kind != trace.ThreadStart && e.Kind != trace.ThreadEnd && !defined[object] {
			t.Fatalf("%s: object %s is used before it is defined", name, object)
		}
		written[id] = append(written[id], e.Kind.String()+" "+object)
	}
	for _, l := range lives {
		if at := differs(written[l.id], l.told, l.virtual); at >= 0 {
			t.Fatalf("%s: thread %d has told\n%v\nand the trace says\n%v", name, l.id,
				l.told[at:min(at+5, len(l.told))], written[l.id][at:])
		}
	}
}

// differs returns the index at which the trace and the thread differ, or -1. A monContendedEnter may be
// inserted where that is missing.
func differs(written, told []string, virtual bool) int {
	inserted := 0
	for i, want := range told {
		if virtual && i+inserted+1 < len(written) && written[i+inserted] != want &&
			strings.HasPrefix(told[i-1], "monWaited ") &&
			written[i+inserted] == strings.Replace(want, "Entered", "Enter", 1) {
			inserted++
		}
		if i+inserted >= len(written) || written[i+inserted] != want {
			return i
		}
	}
	if len(written) > len(told)+inserted {
		return len(told)
	}
	return -1
}

// TestLosses proves that a trace is valid if records are lost, and has their number.
func TestLosses(t *testing.T) {
	for seed := range uint64(4) {
		p := newProgram(t)
		p.jvm.SetExtensions(math.MaxUint64)
		var out collected
		ctx, cancel := context.WithCancel(context.Background())
		result := make(chan *Summary)
		go func() { result <- New(p.jvm.Segment, &slow{&out}, preamble, nil).Run(ctx) }()
		p.run(seed, 8, 5, 1500)
		p.jvm.Ringless()
		cancel()
		summary := <-result
		lost := uint64(1)
		for _, ring := range p.jvm.Producers() {
			lost += ring.Lost()
		}
		name := fmt.Sprintf("seed %d", seed)
		if told := lostAccording(checkTrace(t, name, string(out.text), "class-undefined")); told != lost ||
			summary.Dropped != lost {
			t.Errorf("%s: %d records were lost, the trace says %d, the summary %d", name, lost, told, summary.Dropped)
		}
		if lost == 1 {
			t.Errorf("%s: nothing was lost that could be missed", name)
		}
	}
}

// lostAccording returns how many records were lost according to the trace.
func lostAccording(elements []*trace.Event) (lost uint64) {
	for _, e := range elements {
		if e.Kind == trace.Option && e.Text(trace.AttrKey) == trace.OptionDropped {
			n, _ := strconv.ParseUint(e.Text(trace.AttrValue), 10, 64)
			lost += n
		}
	}
	return lost
}

// slow is an output that accepts text slowly.
type slow struct{ output.Writer }

func (s *slow) Write(lines []byte) error {
	time.Sleep(3 * time.Millisecond)
	return s.Writer.Write(lines)
}

// TestKills proves that everything that was published is written if the JVM is killed.
func TestKills(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for kill := range 30 {
		jvm := begin(t, 17)
		published := 0
		for id := range int64(1 + random.IntN(5)) {
			p := jvm.Thread()
			p.Put(started(id+1, 1, 11).record)
			count := random.IntN(500)
			for n := range count {
				p.Put(act(ring.CallNotify, id+1, int64(2+n), 50, 0).record)
			}
			published += 1 + count
			p.Start()
			if random.IntN(2) == 0 {
				p.Write(p.Head(), act(ring.CallNotify, id+1, 1000, 50, 0).with(make([]byte, 100)).record)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var out collected
		summary := New(jvm.Segment, &out, preamble, nil).Run(ctx)
		checkTrace(t, fmt.Sprintf("kill %d", kill), string(out.text))
		if summary.Total() != uint64(published) {
			t.Errorf("kill %d: %d records were published, %d elements written", kill, published, summary.Total())
		}
	}
}

// TestHeldBack proves that the records of other threads wait for one that is being published, in extensions of their
// rings if these become full.
func TestHeldBack(t *testing.T) {
	jvm := begin(t, 17)
	stuck, other := jvm.Thread(), jvm.Thread()
	stuck.Put(started(1, 1, 11).record)
	other.Put(started(2, 1, 12).record)
	var out collected
	drainer := New(jvm.Segment, &out, preamble, nil)
	drainer.patience, drainer.merger.limit = time.Hour, math.MaxInt
	for id := range int64(9) {
		jvm.Define(ring.Record{Kind: ring.DefineMethod, Object: id + 1, Argument: 1, Payload: ringtest.MethodInfo("run",
			"()V")})
	}
	drainer.round()
	stuck.Start()
	begun := ring.Now()
	sent := 0
	for sent < 40_000 {
		for range 900 {
			stack := ringtest.Stack(ring.Frame{Method: int64(sent%9 + 1)})
			if !other.Put(ring.Record{Kind: ring.CallNotify, Thread: 2, Object: 50, Payload: stack}) {
				t.Fatal("the ring is full")
			}
			sent++
		}
		drainer.round()
	}
	drainer.delivery.flush()
	if strings.Contains(string(out.text), "callNotify") || jvm.Extensions() == 0 {
		t.Error("records were not held back")
	}
	stuck.Publish(ring.Record{Kind: ring.CallNotify, Thread: 1, Time: begun, Object: 50})
	stuck.Finish()
	document := finished(drainer, &out)
	elements := checkTrace(t, "held back", document, tolerated...)
	checkOrder(t, "held back", elements)
	var calls []string
	for _, e := range elements {
		if e.Kind == trace.CallNotify {
			calls = append(calls, string(e.Value(trace.AttrThreadID))+inside(e))
		}
	}
	if len(calls) != sent+1 || calls[0] != "1" {
		t.Fatalf("%d calls were written, want %d, the first one by %s, want 1", len(calls), sent+1, calls[0])
	}
	for n, got := range calls[1:] {
		if want := fmt.Sprintf(`2<annotation name="stack" value="%d"/>`, n%9+1); got != want {
			t.Fatalf("call %d is %s, want %s", n, got, want)
		}
	}
}

// inside returns the element's content.
func inside(e *trace.Event) string {
	if e.Extra == nil {
		return ""
	}
	return string(e.Extra.Inner)
}

// TestImpatience proves that records do not wait for a thread once the limit of held records is reached.
func TestImpatience(t *testing.T) {
	jvm := begin(t, 17)
	stuck, other := jvm.Thread(), jvm.Thread()
	other.Put(started(2, 1, 12).record)
	var out collected
	drainer := New(jvm.Segment, &out, preamble, nil)
	const limit = 1 << 14
	drainer.patience, drainer.merger.limit = time.Hour, limit
	drainer.round()
	stuck.Start()
	for sent := 0; sent < 3*limit; {
		for range 1500 {
			if !other.Put(ring.Record{Kind: ring.CallNotify, Thread: 2, Object: 50}) {
				t.Fatal("the ring is full")
			}
			sent++
		}
		drainer.round()
		drainer.delivery.flush()
		called := strings.Contains(string(out.text), "callNotify")
		if called && sent < limit || !called && sent > limit+ring.RingCells {
			t.Fatalf("of %d records some are written, though %d may be held back: %v", sent, limit, called)
		}
	}
	checkTrace(t, "impatient", finished(drainer, &out))
}

// finished returns the whole document.
func finished(d *Drainer, out *collected) string {
	d.finish()
	return string(out.text)
}

// refusing is an output that fails at the given write.
type refusing struct {
	collected
	after int
	err   error
}

func (r *refusing) Write(lines []byte) error {
	if r.after--; r.after < 0 {
		return r.err
	}
	return r.collected.Write(lines)
}

// TestFailures proves that recording stops when the output fails, with one reason and a whole document.
func TestFailures(t *testing.T) {
	reason := errors.New("the disk is full")
	for after := range 3 {
		jvm := begin(t, 17)
		p := jvm.Thread()
		out := &refusing{after: after, err: reason}
		drainer := New(jvm.Segment, out, preamble, nil)
		p.Put(started(1, 1, 11).record)
		written := uint64(0)
		for n := range 5 {
			p.Put(act(ring.CallNotify, 1, int64(2+n), 50, 0).record)
			drainer.round()
			drainer.delivery.flush()
			if n+1 == after {
				written = uint64(2 + n)
			}
		}
		summary := drainer.Run(context.Background())
		if summary.Stopped != reason || !jvm.Segment.Stopped() || !out.closed || summary.Total() != written {
			t.Errorf("after %d writes: closed %v, %d elements written, want %d; the summary is %+v", after, out.closed,
				summary.Total(), written, summary)
		}
		if after > 0 {
			checkTrace(t, "failed", string(out.text))
		}
	}
}

// partial is an output that keeps the first lines of the second write and fails.
type partial struct {
	collected
	lines, writes int
	stopped       output.Stopped
}

func (p *partial) Write(text []byte) error {
	if p.writes++; p.writes == 1 {
		return p.collected.Write(text)
	}
	for line := range bytes.Lines(text) {
		if p.lines--; p.lines < 0 {
			break
		}
		p.stopped.Written += len(line)
		p.text = append(p.text, line...)
	}
	return &p.stopped
}

// TestPartlyWritten proves that the summary counts the elements of a failed write that are in the file, and that the
// trace does not end before them.
func TestPartlyWritten(t *testing.T) {
	for lines := range 4 {
		jvm := begin(t, 17)
		p := jvm.Thread()
		out := &partial{lines: lines}
		drainer := New(jvm.Segment, out, preamble, nil)
		p.Put(started(1, 1, 11).record)
		drainer.round()
		drainer.delivery.flush()
		for n := range 5 {
			p.Put(act(ring.CallNotify, 1, int64(2+n), 50, 0).record)
		}
		drainer.round()
		drainer.delivery.flush()
		summary := drainer.Run(context.Background())
		if got, want := summary.Events[trace.CallNotify], uint64(lines); got != want || summary.Total() != 1+want {
			t.Errorf("%d lines: %d of %d elements are notifications, want %d", lines, got, summary.Total(), want)
		}
		elements := checkTrace(t, "partly written", string(out.text))
		if last := elements[len(elements)-1]; lines > 0 && last.Time < elements[len(elements)-3].Time {
			t.Errorf("%d lines: the trace ends at %v, before its last element", lines, last.Time)
		}
	}
}

// shortened is an output whose ending replaces the last lines.
type shortened struct {
	collected
	lines    int
	replaced []byte
}

func (s *shortened) Close(ending []byte) error {
	for range s.lines {
		at := bytes.LastIndexByte(s.text[:len(s.text)-1], '\n') + 1
		s.replaced, s.text = append(bytes.Clone(s.text[at:]), s.replaced...), s.text[:at]
	}
	return s.collected.Close(ending)
}

func (s *shortened) Replaced() []byte { return s.replaced }

// TestReplaced proves that the summary counts no elements that the ending of the trace has replaced.
func TestReplaced(t *testing.T) {
	const notifications = 5
	for lines := range 10 {
		jvm := begin(t, 17)
		p := jvm.Thread()
		out := &shortened{lines: lines}
		drainer := New(jvm.Segment, out, preamble, nil)
		p.Put(started(1, 1, 11).record)
		drainer.round()
		for n := range notifications {
			p.Put(act(ring.CallNotify, 1, int64(2+n), 50, 0).record)
		}
		drainer.round()
		jvm.End(ring.Now())
		summary := drainer.Run(context.Background())
		if got, want := summary.Events[trace.CallNotify], bytes.Count(out.text, []byte("<callNotify")); got != uint64(want) {
			t.Errorf("%d lines are replaced: %d notifications are counted, %d are in the file", lines, got, want)
		}
		if got, want := summary.Events[trace.ThreadStart], bytes.Count(out.text, []byte("<threadStart")); got != uint64(want) {
			t.Errorf("%d lines are replaced: %d starts are counted, %d are in the file", lines, got, want)
		}
	}
}

// halting is an output that now and then accepts only the first lines.
type halting struct {
	collected
	jvm    *ringtest.JVM
	random *rand.Rand
	ever   bool // it accepts nothing at all
	calls  int
	stalls int
	told   int // how often the JVM was told
}

func (h *halting) Write(lines []byte) error {
	if h.calls++; !h.ever && h.calls%3 == 0 {
		return h.collected.Write(lines)
	}
	h.stalls++
	for range 10_000 { // until the JVM is told
		if h.jvm.Stalled() {
			h.told++
			break
		}
		time.Sleep(time.Millisecond)
	}
	taken := 0
	for range h.random.IntN(5) {
		if h.ever {
			break
		}
		taken += 1 + strings.IndexByte(string(lines[taken:]), '\n')
		if taken == len(lines) {
			break
		}
	}
	h.collected.Write(lines[:taken])
	return &output.Stalled{Written: taken}
}

// TestStalls proves that text that a slow output has not accepted is written again, and that producers know meanwhile.
func TestStalls(t *testing.T) {
	p := newProgram(t)
	out := &halting{jvm: p.jvm, random: rand.New(rand.NewPCG(1, 2))}
	result := make(chan *Summary)
	go func() { result <- New(p.jvm.Segment, out, preamble, nil).Run(context.Background()) }()
	for seed := range uint64(3) {
		p.run(seed, 2, 1, 300)
		time.Sleep(5 * writePatience) // in which it is written; at the end there are few tries
	}
	p.jvm.End(ring.Now())
	if summary := <-result; summary.Stopped != nil || out.stalls == 0 || out.told != out.stalls || p.jvm.Stalled() {
		t.Errorf("%d stalls, of which the JVM was told %d; it is stalled: %v; the summary is %+v", out.stalls, out.told,
			p.jvm.Stalled(), summary)
	}
	checkTrace(t, "stalled", string(out.text))
}

// TestStallsForEver proves that the end of the trace does not wait for an output for ever.
func TestStallsForEver(t *testing.T) {
	jvm := begin(t, 17)
	jvm.Thread().Put(started(1, 1, 11).record)
	out := &halting{jvm: jvm, random: rand.New(rand.NewPCG(1, 2)), ever: true}
	jvm.End(2 * ms)
	summary := New(jvm.Segment, out, preamble, nil).Run(context.Background())
	var stalled *output.Stalled
	if !errors.As(summary.Stopped, &stalled) || !out.closed || summary.Total() != 0 {
		t.Errorf("closed: %v; the summary is %+v", out.closed, summary)
	}
}

// TestWaitingForTheJVM proves that a trace without a JVM has a preamble and an ending only.
func TestWaitingForTheJVM(t *testing.T) {
	jvm, err := ringtest.New()
	must(t, err)
	defer jvm.Close()
	var out collected
	drainer := New(jvm.Segment, &out, preamble, nil)
	if drainer.round(); len(drainer.delivery.text) > 0 {
		t.Error("something is written before the JVM is there")
	}
	if document := finished(drainer, &out); !strings.Contains(document, `pid="-1"`) {
		t.Errorf("the document is\n%s", document)
	}
}

// TestManyThreads proves that ten thousand threads can live at a time, and that their rings are used again.
func TestManyThreads(t *testing.T) {
	const many = 10_000
	jvm := begin(t, 17)
	var out collected
	drainer := New(jvm.Segment, &out, preamble, nil)
	for generation := range 2 {
		rings := make([]*ringtest.Producer, many)
		for i := range rings {
			rings[i] = jvm.Thread()
			id := uint64(generation*many + i + 1)
			info := ring.ThreadInfo{JavaThread: 0x10000 * id, StackLow: 1<<40 + id<<20, StackHigh: 1<<40 + (id+1)<<20}
			rings[i].Put(ring.Record{Kind: ring.ThreadStart, Thread: int64(id), Payload: ringtest.ThreadInfo(info)})
			owner := 1<<40 + uint64(generation*many+1+i/2)<<20 + 5
			rings[i].Put(ring.Record{Kind: ring.ContendedEnter, Thread: int64(id), Object: 50, Flags: ring.OwnerAddress,
				Argument: int64(owner)})
		}
		drainer.round()
		if drainer.threads.Len() != many || len(drainer.addresses.stacks) != many {
			t.Errorf("%d threads are known, %d stacks", drainer.threads.Len(), len(drainer.addresses.stacks))
		}
		for i, p := range rings {
			p.Put(ring.Record{Kind: ring.ThreadEnd, Thread: int64(generation*many + i + 1)})
			p.Retire()
		}
		drainer.round()
		drainer.round()
	}
	document := finished(drainer, &out)
	if got := strings.Count(document, " threadOwner="); got != 2*(many-1) {
		t.Errorf("%d owners, want %d", got, 2*(many-1))
	}
	if drainer.threads.Len()+len(drainer.addresses.stacks)+len(drainer.addresses.structures) > 0 ||
		len(drainer.merger.sources) != many {
		t.Errorf("%d threads are left, %d stacks, %d structures; %d rings were used", drainer.threads.Len(),
			len(drainer.addresses.stacks),
			len(drainer.addresses.structures), len(drainer.merger.sources))
	}
	checkTrace(t, "many threads", document)
}
