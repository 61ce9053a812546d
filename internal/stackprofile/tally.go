package stackprofile

import (
	"math"

	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/internal/names"
	"github.com/trcx/trcx/trace"
)

// mostSamples and mostBytes are how many samples are kept, and about how many bytes of what they name.
var (
	mostSamples = 1 << 16
	mostBytes   = 64 << 20
)

// Options say what is added up.
type Options struct {
	States States // which are looked at
	Blame  Blame
	Detail Detail // the most by which samples are told apart
}

// Select returns the options for states by name, where none is Blocked alone, and for the holders instead of the waiters.
func Select(states []string, byHolder bool) (Options, error) {
	options := Options{States: Of(Blocked)}
	if byHolder {
		options.Blame = Holder
	}
	if len(states) == 0 {
		return options, nil
	}
	var err error
	options.States, err = StatesOf(states...)
	return options, err
}

// Detail says by what samples are told apart, besides state and call stack. Each step leaves out one thing more.
type Detail uint8

// The steps, from everything on.
const (
	Everything Detail = iota
	WithoutIDs
	WithoutOthers
	WithoutMonitors
	WithoutThreads
	WithoutNewStacks // what is not known yet counts as [others]
)

// Tally is a trace.Sink that adds up intervals. Put returns no errors.
type Tally struct {
	options  Options
	detail   Detail // as it is now
	book     names.Book
	stacks   stacks
	threads  table[thread]
	monitors table[monitor]
	bytes    int // that threads, monitors and samples take, about
	samples  map[sample]*Sum
	other    Sum // of what counts as [others]
}

// Sum is how often threads were held up, and for how long, in nanoseconds.
type Sum struct{ Count, Delay int64 }

// sample is what samples are told apart by: numbers of the tables.
type sample struct {
	stack, thread, other, monitor uint32
	state                         State
}

// thread is what a sample says of a thread: the title, and the key of one whose name may still become known.
type thread struct {
	title string
	key   trace.ThreadKey
}

// monitor is what a sample says of a monitor, or of another object that a thread waited for.
type monitor struct {
	class   string
	id      trace.ObjectID
	session int
}

// What a sample takes, also when it is written, each of its frames, and a label besides its text.
const (
	sampleSize = 400
	frameSize  = 12
	labelSize  = 96
)

// New returns a Tally.
func New(options Options) *Tally {
	return &Tally{options: options, detail: options.Detail,
		stacks:  stacks{cache: lru.NewCache[*trace.Stack, uint32](maxCachedFrames)},
		samples: make(map[sample]*Sum)}
}

// Put adds an interval, if it is of one of the states that are looked at, and keeps names.
func (t *Tally) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelThread:
		t.nameThread(r)
	case *trace.ModelObject:
		if r.Class != "" { // also for what has been added up already
			t.monitors.correct(monitor{"", r.ID, r.Session}, monitor{r.Class, r.ID, r.Session})
		}
	case *trace.Interval:
		if state, held := StateOf(r); held && t.options.States.Has(state) {
			t.add(t.sampleOf(r, state), Sum{1, r.Length()})
		}
	}
	return nil
}

// nameThread keeps the name of a thread, also for what has been added up already.
func (t *Tally) nameThread(m *trace.ModelThread) {
	t.book.Thread(m)
	if m.Name != "" {
		unnamed := names.Thread{ID: m.ID}
		t.threads.correct(thread{unnamed.Title(), m.Key}, thread{title: m.Name})
	}
}

// sampleOf returns the sample that the interval belongs to.
func (t *Tally) sampleOf(s *trace.Interval, state State) sample {
	at, thread, other := t.stacks.of(s.Stack, s.Caller), s.Thread, s.Other
	if t.options.Blame == Holder {
		at, thread, other = t.holding(s, state), s.Other, s.Thread
	}
	found := sample{stack: at, state: state}
	if t.detail < WithoutThreads {
		found.thread = t.thread(thread)
	}
	if t.detail < WithoutOthers {
		found.other = t.thread(other)
	}
	if t.detail < WithoutMonitors {
		found.monitor = t.monitor(s)
	}
	return found
}

// holding is the stack of whoever held the thread up.
func (t *Tally) holding(s *trace.Interval, state State) uint32 {
	switch {
	case s.Other.Key != 0:
		return t.stacks.call(s.OtherCaller)
	case state == Blocked || state == Joined:
		return t.stacks.instead(unknownHolder)
	default:
		return t.stacks.instead(noHolder)
	}
}

// thread is the number of a thread's name, or 0 if there is no thread.
func (t *Tally) thread(ref trace.ThreadRef) uint32 {
	if ref.Key == 0 {
		return 0
	}
	known := t.book.Of(ref)
	label := thread{title: known.Title()}
	if known.Name == "" {
		label.key = ref.Key
	}
	return t.threadLabel(label)
}

func (t *Tally) threadLabel(label thread) uint32 {
	if label == (thread{}) {
		return 0
	}
	number, fresh := t.threads.number(label)
	if fresh {
		t.bytes += labelSize + len(label.title)
	}
	return number
}

// monitor is the number of what the thread waited for, or 0 if there is nothing.
func (t *Tally) monitor(s *trace.Interval) uint32 {
	if !s.Object.Known() {
		return 0
	}
	return t.monitorLabel(monitor{s.Class, s.Object, s.Session})
}

func (t *Tally) monitorLabel(label monitor) uint32 {
	if t.detail >= WithoutIDs {
		label = monitor{class: label.class}
	}
	if label == (monitor{}) {
		return 0
	}
	number, fresh := t.monitors.number(label)
	if fresh {
		t.bytes += labelSize + len(label.class)
	}
	return number
}

// add adds to a sample. When there are too many, all of them become less detailed.
func (t *Tally) add(to sample, sum Sum) {
	if to.stack == t.stacks.others && to.stack != 0 {
		t.other.add(sum)
	}
	t.put(to, sum)
	for t.full() && t.detail < WithoutNewStacks {
		t.coarsen()
	}
}

func (t *Tally) put(to sample, sum Sum) {
	known := t.samples[to]
	if known == nil {
		known = &Sum{}
		t.samples[to] = known
		t.bytes += sampleSize + frameSize*t.stacks.depth(to.stack)
	}
	known.add(sum)
}

func (s *Sum) add(more Sum) {
	s.Count += more.Count
	if s.Delay += more.Delay; s.Delay < 0 {
		s.Delay = math.MaxInt64 // 292 years
	}
}

func (t *Tally) full() bool {
	return len(t.samples) >= mostSamples || t.bytes+t.stacks.bytes >= mostBytes
}

// coarsen goes on to the next step of detail.
func (t *Tally) coarsen() {
	t.detail++
	if t.detail == WithoutNewStacks {
		t.stacks.close()
		return
	}
	samples, threads, monitors := t.samples, t.threads, t.monitors
	t.samples, t.threads, t.monitors, t.bytes = make(map[sample]*Sum), table[thread]{}, table[monitor]{}, 0
	for finer, sum := range samples {
		coarser := sample{stack: finer.stack, state: finer.state}
		if t.detail < WithoutThreads {
			coarser.thread = t.threadLabel(threads.value(finer.thread))
		}
		if t.detail < WithoutOthers {
			coarser.other = t.threadLabel(threads.value(finer.other))
		}
		if t.detail < WithoutMonitors {
			coarser.monitor = t.monitorLabel(monitors.value(finer.monitor))
		}
		t.put(coarser, *sum)
	}
}
