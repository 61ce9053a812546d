package builder

import (
	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace"
)

// Sample emits a sample of a thread with its call stack, a text of AppendFrame with defined methods; Err has an error.
func (b *Builder) Sample(offset int64, thread []byte, s *trace.Sample, stack []byte) {
	b.values = s.AppendTo(b.values[:0], thread, stack)
	b.annotation(offset, trace.NoteSample)
}

// CPU emits the CPU time of a thread. Err returns an error.
func (b *Builder) CPU(offset int64, thread []byte, used trace.CPUTime) {
	b.values = used.Time.AppendTo(append(append(b.values[:0], thread...), ' '))
	b.values = digits.Append(append(b.values, ' '), uint64(used.Used))
	if used.Age > 0 {
		b.values = digits.Append(append(b.values, ' '), uint64(used.Age))
	}
	b.annotation(offset, trace.NoteCPU)
}

// State emits the state of an object. Err returns an error.
func (b *Builder) State(offset int64, s *trace.ObjectState) {
	b.values = s.AppendTo(b.values[:0])
	b.annotation(offset, trace.NoteState)
}

// annotation emits an annotation among the events, whose value is in b.values.
func (b *Builder) annotation(offset int64, name string) {
	b.Element(trace.Annotation, offset).Raw(trace.AttrName, []byte(name)).Raw(trace.AttrValue, b.values).Put()
}
