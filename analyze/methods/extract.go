package methods

import (
	"iter"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
)

// Profile is what profiles of other programs show: the calls of a recording, or if it has none its samples on a
// processor, or else its samples of threads in any state.
type Profile struct {
	// Values are the name and the unit of each value of a stack. The last one is what a stack costs.
	Values [2]struct{ Name, Unit string }
	// Start is the start of the first recording.
	Start   trace.Time
	session *Session
	view    *View
}

// Frame is a method on a stack.
type Frame struct {
	// Method is the class as the trace names it, but with dots, the name and the file.
	Method *trace.ModelMethod
	Title  string
	Line   int32 // where the method begins, or trace.NoLine
}

// Profile returns the profile of the only recording, nil if there are several.
func (c *Collector) Profile(v View) *Profile {
	if len(c.sessions) != 1 {
		return nil
	}
	s := c.sessions[0]
	p := &Profile{Start: c.start, session: s, view: &v}
	p.Values[0].Name, p.Values[0].Unit, p.Values[1].Name, p.Values[1].Unit = "calls", "count", "base", "nanoseconds"
	if s.tree.count == 0 && s.samples[OnCPU].count > 0 {
		p.session = s.sampledBy(OnCPU)
		p.Values[0].Name, p.Values[1].Name = "samples", "cpu"
	} else if s.tree.count == 0 && s.samples[Moments].count > 0 {
		p.session = s.sampledBy(Moments)
		p.Values[0].Name, p.Values[1].Name, p.Values[1].Unit = "runnable", "samples", "count"
	}
	return p
}

// frames returns the frames of all methods.
func (p *Profile) frames() []Frame {
	frames := make([]Frame, len(p.session.methods))
	for i, m := range p.session.methods {
		described := &trace.ModelMethod{Name: m.name, Number: uint32(i + 1)}
		if m.class != nil {
			described.Class, described.File = m.class.name, m.class.file
		}
		frames[i] = Frame{described, m.Title(), m.line}
	}
	return frames
}

// values returns the values of a node.
func (p *Profile) values(n *node) [2]int64 {
	if p.Values[0].Name == "runnable" {
		return [2]int64{n.base, histogram.Signed(n.calls)}
	}
	return [2]int64{histogram.Signed(n.calls), p.view.baseOf(n)}
}

// Stack is a call stack with what it costs.
type Stack struct {
	Thread string
	Frames []Frame // the outermost first; valid until the next stack
	Values [2]int64
}

// maxFrames is the limit of frames of a stack. Deeper calls count at the innermost of them.
const maxFrames = 1 << 10

// Stacks iterates over the stacks that cost anything.
func (p *Profile) Stacks() iter.Seq[Stack] {
	return func(yield func(Stack) bool) {
		all, stopped := p.frames(), false
		var stack []Frame
		var sum [2]int64 // the values of the deepest stack that is shown, and of all below it
		level := 0
		put := func(t *thread, values [2]int64) {
			if values != [2]int64{} && !stopped {
				stopped = !yield(Stack{t.title(), stack, values})
			}
		}
		p.session.walk(p.view.Threads, func(t *thread, i int32) {
			n := p.session.tree.at(i)
			values := p.values(n)
			if level++; level <= maxFrames {
				stack = append(stack, all[n.method])
			}
			if level < maxFrames {
				put(t, values)
			} else {
				add(&sum[0], values[0])
				add(&sum[1], values[1])
			}
		}, func(t *thread, _ int32) {
			if level == maxFrames {
				put(t, sum)
				sum = [2]int64{}
			}
			if level--; level < maxFrames {
				stack = stack[:level]
			}
		})
	}
}

// Function is a method with the calls that it made.
type Function struct {
	Frame
	Base    int64
	Callees []Callee
}

// Callee is a method that a function called, and the cost of these calls, including the calls inside them.
type Callee struct {
	Frame
	Calls      uint64
	Cumulative int64
}

// Functions iterates over the methods that have calls or samples.
func (p *Profile) Functions() iter.Seq[Function] {
	return func(yield func(Function) bool) {
		callees := map[int32][]Callee{}
		all := p.frames()
		for _, i := range p.session.Invocations(p.view, "*", true) {
			for _, r := range i.Rows {
				callees[i.Of.method] = append(callees[i.Of.method], Callee{all[r.method], r.Calls, r.Cumulative})
			}
		}
		for _, r := range p.session.Tables(p.view.Threads).Methods {
			if !yield(Function{all[r.method], p.view.base(&r.Figures), callees[r.method]}) {
				return
			}
		}
	}
}
