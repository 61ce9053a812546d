package stackprofile

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// Sample is the sum of intervals with one description. Texts that are unknown, or left out, are "".
type Sample struct {
	Stack     []uint32 // places, innermost first: numbers for Profile.Place; samples of one stack share the slice
	State     State
	Thread    string // whose stack it is
	Other     string // the holder
	Monitor   string // its class, as in the trace
	MonitorID string // its id, and its recording unless that is the first one
	Sum
}

// Place returns the place of a number of Sample.Stack.
func (p *Profile) Place(number uint32) Place { return p.stacks.places.value(number) }

// Function returns the function of a number of Place.Function.
func (p *Profile) Function(number uint32) Function { return p.stacks.functions.value(number) }

// described is the description of a Sample, which several samples can have.
type described struct {
	stack                         uint32
	state                         State
	thread, other, class, monitor string
}

// Samples returns the samples by descending delay.
func (p *Profile) Samples() []Sample {
	sums := make(map[described]Sum, len(p.samples))
	for s, sum := range p.samples {
		d := p.describe(s)
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
			lists[r.stack] = p.stacks.list(r.stack)
		}
		samples[i] = Sample{lists[r.stack], r.state, r.thread, r.other, r.class, r.monitor, r.Sum}
	}
	return samples
}

func (p *Profile) describe(s sample) described {
	m := p.monitors.value(s.monitor)
	d := described{
		stack: s.stack, state: s.state, class: m.class, monitor: m.id.String(),
		thread: p.threads.value(s.thread).title, other: p.threads.value(s.other).title,
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

// list returns the numbers of the stack's places.
func (s *stacks) list(number uint32) []uint32 {
	text := s.numbers.value(number)
	places := make([]uint32, 0, len(text)/4)
	for ; text != ""; text = text[4:] {
		places = append(places, binary.LittleEndian.Uint32([]byte(text[:4])))
	}
	return places
}

// leftOut names what each step of Detail leaves out.
var leftOut = [...]string{
	Everything: "nothing", WithoutIDs: "the ids of monitors", WithoutOthers: "the other thread",
	WithoutMonitors: "the classes of monitors", WithoutThreads: "the names of threads", WithoutNewStacks: "new call stacks",
}

// String names what the step leaves out.
func (d Detail) String() string { return leftOut[d] }

// Notes returns sentences about what was left out beyond a limit.
func (p *Profile) Notes() []string {
	var notes, missing []string
	for step := p.options.Detail + 1; step <= min(p.detail, WithoutThreads); step++ {
		missing = append(missing, leftOut[step])
	}
	if len(missing) > 0 {
		notes = append(notes,
			fmt.Sprintf("left out, since there were more than %d different samples or %d MiB of names: %s",
				p.options.MaxSamples, p.options.MaxBytes>>20, strings.Join(missing, ", ")))
	}
	if p.other.Count > 0 {
		notes = append(notes,
			fmt.Sprintf("in [others], since there were too many different call stacks: %d delays of together %d ns",
				p.other.Count, p.other.Delay))
	}
	return notes
}
