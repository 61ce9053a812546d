package heap

import (
	"errors"
	"math"
	"strconv"

	"github.com/trcx/trcx/internal/list"
	"github.com/trcx/trcx/trace"
)

// maxObjects limits the objects, and the references, of a graph.
const maxObjects = math.MaxUint32 - 2

// errTooLarge is the error for a dump that exceeds maxObjects.
var errTooLarge = errors.New("the heap dump has more than 4,294,967,293 objects and references, the limit")

// Collector is a sink of convert that collects the last heap dump of the input. The zero value is ready.
type Collector struct {
	// Dumps counts the dumps of the input.
	Dumps int
	// Truncated reports whether the input is cut off.
	Truncated bool
	// ClassesOnly drops references and roots: the graph has only objects.
	ClassesOnly bool
	// Limit limits objects and references together; 0 is the most that a graph can have. A dump with more is dropped.
	Limit int
	// Exceeded reports whether the last dump was dropped.
	Exceeded bool

	classes []Class
	numbers map[uint64]uint32 // indexes in classes, by classId
	objects
	references
	at    trace.Time // when the dump was made, if it is timed
	timed bool
	kinds texts // of roots
	calls texts
}

// objects are the objects of the last dump.
type objects struct {
	ids     list.List[uint64]
	classOf list.List[uint32]
	sizes   list.List[uint32]
	large   map[int]uint64 // sizes of objects beyond 32 bits, by index
	unsized int
}

// references are the references and roots of the last dump.
type references struct {
	holders list.List[holder]
	targets list.List[uint64]
	weak    []edge
	roots   []root
	events  bool // references came as events, which do not say which are weak
}

// holder is an object with references, and their number.
type holder struct {
	id    uint64
	count uint32
}

// edge is a reference between the objects of two ids.
type edge struct{ from, to uint64 }

// root is a root of an object.
type root struct {
	object uint64
	kind   string
	thread uint64
	call   string
}

// Begin begins a recording.
func (c *Collector) Begin(int) error { return nil }

// Put consumes an event: a class, or an object, a reference or a root of a dump that is not binary.
func (c *Collector) Put(e *trace.Event) error {
	switch e.Kind {
	case trace.HeapDumpDef:
		c.Dumps++
		c.reset()
		c.Exceeded = false
		c.at, c.timed = e.Time, e.Timed()
	case trace.ClassDef:
		c.class(e)
	case trace.ObjAlloc:
		id, known := number(e, trace.AttrObjID)
		if !known || !c.InDump(e) {
			return nil
		}
		class, _ := number(e, trace.AttrClassIDRef)
		size, _ := number(e, trace.AttrSize)
		kind, _ := number(e, trace.AttrIsArray)
		return c.Object(id, class, size, uint8(kind))
	case trace.ObjReference, trace.ObjectReference:
		from, known := number(e, trace.AttrObjIDRef)
		to, alsoKnown := number(e, trace.AttrTargetObjIDRef)
		c.events = true
		if known && alsoKnown {
			return c.Reference(from, to, false)
		}
	case trace.GCRoot:
		if object, known := number(e, trace.AttrObjIDRef); known {
			thread, _ := number(e, trace.AttrThreadIDRef)
			return c.Root(object, e.Text(trace.AttrType), thread, "")
		}
	}
	return nil
}

// InDump reports whether an objAlloc describes an object of a dump, not an allocation that the trace records.
func (c *Collector) InDump(e *trace.Event) bool {
	return c.Dumps > 0 && !(c.timed && e.Timed() && e.Time > c.at)
}

// End ends a recording.
func (c *Collector) End(ending trace.Ending) error {
	c.Truncated = c.Truncated || ending.Truncated
	return nil
}

// Finish does nothing.
func (c *Collector) Finish() error { return nil }

// reset drops the objects, references and roots.
func (c *Collector) reset() { c.objects, c.references = objects{}, references{} }

// class keeps the name of a class, and the id of its object.
func (c *Collector) class(e *trace.Event) {
	id, known := number(e, trace.AttrClassID)
	if !known {
		return
	}
	class := &c.classes[c.classNumber(id)]
	class.Name = e.Text(trace.AttrName)
	class.object, _ = number(e, trace.AttrObjIDRef)
}

// classNumber returns the number of the class with the classId, and adds it if it is new.
func (c *Collector) classNumber(id uint64) uint32 {
	if c.numbers == nil {
		c.numbers = map[uint64]uint32{0: 0}
		c.classes = append(c.classes, Class{}) // the class of objects without one
	}
	n, known := c.numbers[id]
	if !known {
		n = uint32(len(c.classes))
		c.numbers[id] = n
		c.classes = append(c.classes, Class{})
	}
	return n
}

// Object consumes an object; see builder.Heap.
func (c *Collector) Object(id, class, size uint64, _ uint8) error {
	if c.exceeds() {
		return nil
	}
	if c.ids.Len() >= maxObjects {
		return errTooLarge
	}
	if size >= math.MaxUint32 {
		if c.large == nil {
			c.large = map[int]uint64{}
		}
		c.large[c.ids.Len()], size = size, math.MaxUint32
	}
	if size == 0 {
		c.unsized++
	}
	c.ids.Add(id)
	c.classOf.Add(c.classNumber(class))
	c.sizes.Add(uint32(size))
	return nil
}

// Reference consumes a reference; see builder.Heap.
func (c *Collector) Reference(from, to uint64, weak bool) error {
	if c.ClassesOnly || c.exceeds() {
		return nil
	}
	if weak {
		c.weak = append(c.weak, edge{from, to})
		return nil
	}
	if c.targets.Len() >= maxObjects {
		return errTooLarge
	}
	if n := c.holders.Len(); n > 0 && c.holders.At(n-1).id == from {
		c.holders.At(n-1).count++
	} else {
		c.holders.Add(holder{from, 1})
	}
	c.targets.Add(to)
	return nil
}

// Root consumes a root; see builder.Heap.
func (c *Collector) Root(object uint64, kind string, thread uint64, call string) error {
	if c.ClassesOnly || c.Exceeded {
		return nil
	}
	if len(c.roots) >= maxObjects {
		return errTooLarge
	}
	kind, call = c.kinds.of(kind, maxKinds, "unknown"), c.calls.of(call, maxCalls, "")
	c.roots = append(c.roots, root{object, kind, thread, call})
	return nil
}

// texts are the texts that roots share.
type texts map[string]string

// of returns the shared text. A new one beyond the limit becomes the other one.
func (t *texts) of(text string, limit int, beyond string) string {
	shared, known := (*t)[text]
	switch {
	case known:
		return shared
	case len(*t) >= limit:
		return beyond
	case *t == nil:
		*t = texts{}
	}
	(*t)[text] = text
	return text
}

// exceeds reports whether the dump has more than Limit objects and references. It drops the dump then.
func (c *Collector) exceeds() bool {
	if c.Limit > 0 && !c.Exceeded && c.ids.Len()+c.targets.Len()+len(c.weak) >= c.Limit {
		c.Exceeded = true
		c.reset()
	}
	return c.Exceeded
}

// maxKinds limits the different kinds of roots; JVMs have fifteen.
const maxKinds = 1000

// maxCalls limits the different calls of roots. Further calls are unknown.
const maxCalls = 1 << 16

// number returns the value of an attribute that is a whole number.
func number(e *trace.Event, a trace.Attr) (value uint64, ok bool) {
	value, err := strconv.ParseUint(string(e.Value(a)), 10, 64)
	return value, err == nil
}

// ClassName returns the name of a class as jmap prints it, by the id of the class that Object receives.
func (c *Collector) ClassName(class uint64) string {
	return c.classes[c.classNumber(class)].ClassName()
}
