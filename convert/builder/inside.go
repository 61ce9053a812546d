package builder

import "github.com/trcx/trcx/trace"

// Inside is what elements have inside, made once for all those that have the same: logs say again and again where
// threads are.
type Inside struct {
	inner       []byte
	stack       []byte
	annotations uint64
}

// Stack says where the thread was; see Element.Stack. It may come once.
func (i *Inside) Stack(stack []byte) {
	if len(stack) > 0 {
		i.stack = stack
		i.annotate(trace.StackAnnotation, stack)
	}
}

// Annotate adds an annotation; see Element.Annotate.
func (i *Inside) Annotate(name, value string) { i.annotate(name, trace.EscapeJava(nil, value)) }

func (i *Inside) annotate(name string, value []byte) {
	i.inner = appendAnnotation(i.inner, name, value)
	i.annotations++
}

// Size is about how many bytes it takes.
func (i *Inside) Size() int { return len(i.inner) + len(i.stack) }

// Inside adds what was made before; nil is nothing. The Inside must not change until the element was taken.
func (e Element) Inside(inside *Inside) Element {
	if inside == nil || inside.annotations == 0 {
		return e
	}
	t := e.t
	t.inner = append(t.inner, inside.inner...)
	t.kinds[0].Count += inside.annotations
	if len(inside.stack) > 0 {
		t.stacks[0] = inside.stack
		t.extra.Stacks = t.stacks[:]
	}
	return e
}

// AtText is At where the time is at hand as At would write it.
func (e Element) AtText(at trace.Time, text []byte) Element {
	e.t.event.Time, e.t.event.Reading = at, trace.Exact
	return e.Raw(trace.AttrTime, text)
}

// appendAnnotation appends an annotation as XML.
func appendAnnotation(dst []byte, name string, value []byte) []byte {
	dst = append(trace.AppendValue(append(dst, `<annotation name="`...), []byte(name)), `" value="`...)
	return append(trace.AppendValue(dst, value), `"/>`...)
}

// Failed is the error of whoever takes elements, after which nothing is given any more.
func (t *Transcript) Failed() error { return t.err }
