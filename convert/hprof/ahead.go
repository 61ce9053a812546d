package hprof

import (
	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// passes is the state of reading a log twice. The agent of JDK 8 and before writes classes after their instances; such
// a log is opened and read once more, only for its classes.
type passes struct {
	looked bool // the classes were read
	ahead  bool // this is the reading for classes
}

// lookAhead reads the classes of the whole log, if it can be read twice. The first class of an id counts. Defects of
// the log are reported when it is read as a whole.
func (b *binaryReader) lookAhead() {
	if b.passes.looked || b.options.Again == nil {
		return
	}
	text, whole, err := b.options.Again()
	if err != nil {
		b.options.Again = nil
		return
	}
	defer text.Close()
	ahead := *b // has the same names and classes
	ahead.input = newInput(b.ctx, text)
	ahead.findings = &findings{options: builder.Options{Whole: whole}, counts: map[string]*ruleCount{}}
	ahead.builder = builder.New(b.options.Session, nil, func(*trace.Event) error { return nil })
	ahead.count = func(trace.Kind, uint64) error { return nil }
	ahead.heap, ahead.progress, ahead.passes = heapState{}, recordProgress{}, passes{ahead: true}
	ahead.have(maxTitle)
	ahead.readBinary()
	b.passes.looked = true
	b.classTable, b.limit = ahead.classTable, ahead.limit
}

// pass skips a sub-record of a heap dump that is not a class.
func (b *binaryReader) pass(head []byte) bool {
	size := int64(0)
	switch head[0] {
	case tagInstanceDump:
		size = int64(u4(head[len(head)-4:]))
	case tagObjectArrayDump:
		size = int64(u4(head[5+b.ids:])) * int64(b.ids)
	case tagPrimitiveArrayDump:
		element := primitives[head[len(head)-1]].size
		if element == 0 {
			return b.skipSegment()
		}
		size = int64(u4(head[5+b.ids:])) * int64(element)
	}
	if all := int64(len(head)) + size; all > b.heap.left {
		return b.overrun(all, "an object")
	}
	b.consume(len(head))
	return b.skipBody(size)
}
