package builder

import (
	"github.com/trcx/trcx/internal/xmltext"
	"github.com/trcx/trcx/trace"
)

// Annotations are annotations encoded once for many elements; logs repeat stack traces.
type Annotations struct {
	inner []byte
	stack []byte
	count uint64
}

// SetStack adds the stack trace; see Element.Stack. It may be called once.
func (a *Annotations) SetStack(stack []byte) {
	if len(stack) > 0 {
		a.stack = stack
		a.add(trace.NoteStack, stack)
	}
}

// Add adds an annotation; see Element.Annotate.
func (a *Annotations) Add(name, value string) { a.add(name, trace.EscapeJava(nil, value)) }

func (a *Annotations) add(name string, value []byte) {
	a.inner = AppendAnnotation(a.inner, name, value)
	a.count++
}

// Size returns the approximate size in bytes.
func (a *Annotations) Size() int { return len(a.inner) + len(a.stack) }

// AddAll adds annotations, which must not change until Put; nil adds none.
func (e Element) AddAll(annotations *Annotations) Element {
	if annotations == nil || annotations.count == 0 {
		return e
	}
	b := e.b
	b.inner = append(b.inner, annotations.inner...)
	b.kinds[0].Count += annotations.count
	if len(annotations.stack) > 0 {
		b.stacks[0] = annotations.stack
		b.extra.Stacks = b.stacks[:]
	}
	return e
}

// AppendAnnotation appends an annotation as XML, and escapes its name and value.
func AppendAnnotation(dst []byte, name string, value []byte) []byte {
	dst = append(xmltext.AppendValue(append(dst, `<annotation name="`...), []byte(name)), `" value="`...)
	return append(xmltext.AppendValue(dst, value), `"/>`...)
}
