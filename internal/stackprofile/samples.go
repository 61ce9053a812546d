package stackprofile

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// Sample is what was added up under one description. What is unknown, or left out, is "".
type Sample struct {
	Stack     []uint32 // places, innermost first: numbers that Place takes; samples of one stack share it
	State     State
	Thread    string // whose stack it is
	Other     string // who held it up; where the holder is blamed, whom it held up
	Monitor   string // the class of what was waited for, as the trace spells it
	MonitorID string // the object's id, and its recording if that is not the first one
	Sum
}

// Place is the place with the number, which a Sample has given.
func (t *Tally) Place(number uint32) Place { return t.stacks.places.value(number) }

// Function is the function with the number, which a Place has given.
func (t *Tally) Function(number uint32) Function { return t.stacks.functions.value(number) }

// described is what makes a Sample. Different samples may have come to say the same.
type described struct {
	stack                         uint32
	state                         State
	thread, other, class, monitor string
}

// Samples are what was added up, those with the longest delays first.
func (t *Tally) Samples() []Sample {
	sums := make(map[described]Sum, len(t.samples))
	for s, sum := range t.samples {
		d := t.describe(s)
		all := sums[d]
		all.add(*sum)
		sums[d] = all
	}
	type ranked struct {
		described
		Sum
	}
	order := make([]ranked, 0, len(sums))
	for d, sum := range sums {
		order = append(order, ranked{d, sum})
	}
	slices.SortFunc(order, func(a, b ranked) int {
		if a.Delay != b.Delay {
			return cmp.Compare(b.Delay, a.Delay)
		}
		return cmp.Or(cmp.Compare(b.Count, a.Count), a.compare(b.described))
	})
	lists := make(map[uint32][]uint32)
	samples := make([]Sample, len(order))
	for i, r := range order {
		if lists[r.stack] == nil {
			lists[r.stack] = t.stacks.list(r.stack)
		}
		samples[i] = Sample{lists[r.stack], r.state, r.thread, r.other, r.class, r.monitor, r.Sum}
	}
	return samples
}

func (t *Tally) describe(s sample) described {
	m := t.monitors.value(s.monitor)
	d := described{
		stack: s.stack, state: s.state, class: m.class, monitor: m.id.String(),
		thread: t.threads.value(s.thread).title, other: t.threads.value(s.other).title,
	}
	if m.session > 0 {
		d.monitor = fmt.Sprintf("%s of recording %d", d.monitor, m.session+1)
	}
	return d
}

func (d described) compare(other described) int {
	return cmp.Or(
		cmp.Compare(d.stack, other.stack), cmp.Compare(d.state, other.state), strings.Compare(d.thread, other.thread),
		strings.Compare(d.other, other.other), strings.Compare(d.class, other.class),
		strings.Compare(d.monitor, other.monitor),
	)
}

// list is the places of the stack.
func (s *stacks) list(number uint32) []uint32 {
	text := s.numbers.value(number)
	places := make([]uint32, 0, len(text)/4)
	for ; text != ""; text = text[4:] {
		places = append(places, binary.LittleEndian.Uint32([]byte(text[:4])))
	}
	return places
}

// leftOut is what each step of detail leaves out.
var leftOut = [...]string{
	WithoutIDs: "the ids of monitors", WithoutOthers: "the other thread", WithoutMonitors: "the classes of monitors",
	WithoutThreads: "the names of threads",
}

// Nameless says that threads are not told apart any more, since there were too many.
func (t *Tally) Nameless() bool { return t.detail >= WithoutThreads }

// Notes say in words what samples do not, because there was too much of it.
func (t *Tally) Notes() []string {
	var notes, missing []string
	for step := t.options.Detail + 1; step <= min(t.detail, WithoutThreads); step++ {
		missing = append(missing, leftOut[step])
	}
	if len(missing) > 0 {
		notes = append(notes,
			fmt.Sprintf("left out, since there were more than %d different samples or %d MiB of names: %s",
				mostSamples, mostBytes>>20, strings.Join(missing, ", ")))
	}
	if t.other.Count > 0 {
		notes = append(notes,
			fmt.Sprintf("in [others], since there were too many different call stacks: %d delays of together %d ns",
				t.other.Count, t.other.Delay))
	}
	if forgotten := t.book.Forgotten(); forgotten > 0 {
		notes = append(notes,
			fmt.Sprintf("names that had been forgotten when they were needed, since there were too many: %d",
				forgotten))
	}
	return notes
}
