package stackprofile

import (
	"cmp"
	"math"

	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// The default limits: of samples, and of the approximate size of samples and names in bytes.
const (
	maxSamples = 1 << 16
	maxBytes   = 64 << 20
)

// Options select the samples.
type Options struct {
	States States // others are ignored
	Detail Detail // the first step of detail
	// MaxSamples limits the samples, MaxBytes the approximate size of samples and names; 0 is the default.
	MaxSamples, MaxBytes int
}

// Select returns the options for states by name; without names, the state is Blocked.
func Select(states []string) (Options, error) {
	if len(states) == 0 {
		return Options{States: Of(Blocked)}, nil
	}
	selected, err := statesOf(states...)
	return Options{States: selected}, err
}

// Detail is a step of detail of samples, which always have state and call stack. Each step leaves out one more thing.
type Detail uint8

// The steps; the first one has all details.
const (
	Everything Detail = iota
	WithoutIDs
	WithoutOthers
	WithoutMonitors
	WithoutThreads
	WithoutNewStacks // new ones count as [others]
)

// Profile is a trace.Sink that adds up intervals. Put returns no errors.
type Profile struct {
	options  Options
	detail   Detail // the current step
	names    threads.Names
	stacks   stacks
	threads  table[thread]
	monitors table[monitor]
	bytes    int // of threads, monitors and samples, approximately
	samples  map[sample]*Sum
	other    Sum // of [others]
}

// Sum is the number of intervals and their length, in nanoseconds.
type Sum struct{ Count, Delay int64 }

// sample identifies a sample by numbers in the tables.
type sample struct {
	stack, thread, other, monitor uint32
	state                         State
}

// thread is a thread's title, with the key if the name may still come.
type thread struct {
	title string
	key   trace.ThreadKey
}

// monitor is a monitor, or a joined Thread object.
type monitor struct {
	class   string
	id      trace.ObjectID
	session int
}

// The approximate sizes, in bytes, of a sample, also when it is written, of each of its frames, and of a label without
// its text.
const (
	sampleSize = 400
	frameSize  = 12
	labelSize  = 96
)

// New returns a Profile.
func New(options Options) *Profile {
	options.MaxSamples = cmp.Or(options.MaxSamples, maxSamples)
	options.MaxBytes = cmp.Or(options.MaxBytes, maxBytes)
	return &Profile{options: options, detail: options.Detail,
		stacks:  stacks{cache: lru.NewCache[*trace.Stack, uint32](maxCachedFrames)},
		samples: make(map[sample]*Sum)}
}

// Put adds an interval if its state is selected, and keeps names.
func (p *Profile) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelThread:
		p.nameThread(r)
	case *trace.ModelObject:
		if r.Class != "" { // also for intervals added before
			p.monitors.correct(monitor{"", r.ID, r.Session}, monitor{r.Class, r.ID, r.Session})
		}
	case *trace.Interval:
		if state, held := StateOf(r); held && p.options.States.Has(state) {
			p.add(p.sampleOf(r, state), Sum{1, r.Length()})
		}
	}
	return nil
}

// nameThread keeps the name of a thread, also for intervals added before.
func (p *Profile) nameThread(m *trace.ModelThread) {
	p.names.Put(m)
	if m.Name != "" {
		unnamed := threads.Thread{ID: m.ID}
		p.threads.correct(thread{unnamed.Title(), m.Key}, thread{title: m.Name})
	}
}

// sampleOf returns the sample that the interval belongs to.
func (p *Profile) sampleOf(s *trace.Interval, state State) sample {
	found := sample{stack: p.stacks.of(s.Stack, s.Caller), state: state}
	if p.detail < WithoutThreads {
		found.thread = p.thread(s.Thread)
	}
	if p.detail < WithoutOthers {
		found.other = p.thread(s.Other)
	}
	if p.detail < WithoutMonitors {
		found.monitor = p.monitor(s)
	}
	return found
}

// thread returns the number of a thread's label, or 0 if there is no thread.
func (p *Profile) thread(ref trace.ThreadRef) uint32 {
	if ref.Key == 0 {
		return 0
	}
	known := p.names.Get(ref.Key)
	label := thread{title: known.Title()}
	if known.Name == "" {
		label.key = ref.Key
	}
	return p.threadLabel(label)
}

func (p *Profile) threadLabel(label thread) uint32 {
	if label == (thread{}) {
		return 0
	}
	number, fresh := p.threads.number(label)
	if fresh {
		p.bytes += labelSize + len(label.title)
	}
	return number
}

// monitor returns the number of the label of the interval's object, or 0 if it has none.
func (p *Profile) monitor(s *trace.Interval) uint32 {
	if !s.Object.Known() {
		return 0
	}
	return p.monitorLabel(monitor{s.Class, s.Object, s.Session})
}

func (p *Profile) monitorLabel(label monitor) uint32 {
	if p.detail >= WithoutIDs {
		label = monitor{class: label.class}
	}
	if label == (monitor{}) {
		return 0
	}
	number, fresh := p.monitors.number(label)
	if fresh {
		p.bytes += labelSize + len(label.class)
	}
	return number
}

// add adds to a sample. If that exceeds a limit, all samples lose a step of detail.
func (p *Profile) add(to sample, sum Sum) {
	if to.stack == p.stacks.others && to.stack != 0 {
		p.other.add(sum)
	}
	p.put(to, sum)
	for p.full() && p.detail < WithoutNewStacks {
		p.coarsen()
	}
}

func (p *Profile) put(to sample, sum Sum) {
	known := p.samples[to]
	if known == nil {
		known = &Sum{}
		p.samples[to] = known
		p.bytes += sampleSize + frameSize*p.stacks.depth(to.stack)
	}
	known.add(sum)
}

func (s *Sum) add(more Sum) {
	s.Count += more.Count
	if s.Delay += more.Delay; s.Delay < 0 {
		s.Delay = math.MaxInt64 // 292 years
	}
}

func (p *Profile) full() bool {
	return len(p.samples) >= p.options.MaxSamples || p.bytes+p.stacks.bytes >= p.options.MaxBytes
}

// coarsen takes the next step of detail.
func (p *Profile) coarsen() {
	p.detail++
	if p.detail == WithoutNewStacks {
		p.stacks.close()
		return
	}
	samples, threads, monitors := p.samples, p.threads, p.monitors
	p.samples, p.threads, p.monitors, p.bytes = make(map[sample]*Sum), table[thread]{}, table[monitor]{}, 0
	for finer, sum := range samples {
		coarser := sample{stack: finer.stack, state: finer.state}
		if p.detail < WithoutThreads {
			coarser.thread = p.threadLabel(threads.value(finer.thread))
		}
		if p.detail < WithoutOthers {
			coarser.other = p.threadLabel(threads.value(finer.other))
		}
		if p.detail < WithoutMonitors {
			coarser.monitor = p.monitorLabel(monitors.value(finer.monitor))
		}
		p.put(coarser, *sum)
	}
}
