package hprof

import (
	"fmt"
	"math"
)

// A dump does not say how large objects are in memory, only what their fields are. HotSpot's rules make the size of
// these, but for how it ran: whether references and class pointers are compressed, and how objects are aligned. That
// shows in the distances between objects, for HotSpot dumps them by their addresses.

// shapeOf is how instances of the class are laid out. The classes above it must be known.
func (b *binaryReader) shapeOf(l *layout, c *class, line []*class) shape {
	s := shape{end: l.header}
	for i := len(line) - 1; i >= 0; i-- {
		c := line[i]
		o := b.oddityOf(c)
		if s.order = b.fieldOrder(c); i < len(line)-1 && (len(c.fields) > 0 || o != nil) && s.end > l.header {
			s.below(l)
		}
		if o != nil {
			s.addOdd(l, o, c)
			continue
		}
		s.add(l, c.fields)
	}
	return s
}

// maxLaidOut is how many fields are laid out to compare objects by a layout. That is enough for all classes of a dump;
// a crafted one may have more.
const maxLaidOut = 1 << 18

// noGeneration is one in which no class is resolved.
const noGeneration = math.MaxUint32

// ruled is the size of an instance by the rules; 0 if the classes above are not known, objects have more than fields,
// or it takes more fields than are left, of which those are taken.
func (b *binaryReader) ruled(l *layout, c *class, left *int) uint64 {
	if *left < 0 {
		return 0
	}
	line, _, complete := b.classes.line(c, noGeneration, b.line[:0])
	b.line = line[:0]
	for _, part := range line {
		*left -= 1 + len(part.fields)
	}
	if !complete || *left < 0 {
		return 0
	}
	if o := b.oddityOf(c); o != nil && o.longer {
		return 0
	}
	s := b.shapeOf(l, c, line)
	return uint64(up(s.end, l.align))
}

// sizes is what a heap dump has shown of how large objects are.
type sizes struct {
	layout
	known   bool     // the layout is, or nothing tells it
	told    bool     // distances of objects have told it
	old     bool     // the JDK is one before 15
	mirrors []*class // in the order of the dump
	given   int      // so many of them have been given as objects
}

// beginSizes begins a heap dump: objects may lie otherwise than in the one before. That is not looked at any more where
// there are very many dumps.
func (b *binaryReader) beginSizes() {
	b.dumps++
	if b.surveys < maxSurveys {
		b.heap.sizes = sizes{}
	}
	b.heap.sizes.mirrors, b.heap.sizes.given = nil, 0
}

// arraySize is the size of an array; 0 if it is not known, or nobody asks.
func (b *binaryReader) arraySize(count int64, kind byte) uint64 {
	if s := &b.heap.sizes; s.known && kind < kindCount && s.kindSize(kind) > 0 {
		return s.array(count, kind)
	}
	return 0
}

// explain says how sizes came about.
func (s *sizes) explain() string {
	if !s.known {
		return "there are no objects in the dump"
	}
	how := "as the distances of the objects tell"
	if !s.told {
		how = "which is assumed, for the addresses of the objects do not tell"
	}
	return fmt.Sprintf(
		"they are computed as HotSpot lays objects out, with headers of %d bytes, references of %d and an "+
			"alignment of %d, %s", s.header, s.reference, s.align, how)
}

// maxInstance is how many fields and classes above make the size of an instance; one with more is larger than the
// window.
const maxInstance = windowSize + maxDepth

// instanceSize is how large an instance is; 0 if that is not known, or nobody asks.
func (b *binaryReader) instanceSize(c *class) uint64 {
	if c.size == 0 && b.count == nil {
		left := maxInstance
		c.size = b.ruled(&b.heap.sizes.layout, c, &left)
	}
	return c.size
}

// settleClasses gives the java.lang.Class objects of the classes that have been dumped, which a dump does not list
// among the objects.
func (b *binaryReader) settleClasses() {
	s := &b.heap.sizes
	mirrors := s.mirrors[s.given:]
	s.given = len(s.mirrors)
	if len(mirrors) == 0 || b.err != nil {
		return
	}
	ofClass := b.classOfClasses()
	own := uint64(0)
	if ofClass != nil && s.known && b.resolve(ofClass) {
		own = b.instanceSize(ofClass)
	}
	for _, c := range mirrors {
		size := own
		if own != 0 {
			statics := shape{end: int(own)}
			statics.addStatic(&s.layout, c.statics)
			size = uint64(up(statics.end, s.align))
		}
		b.object(c.id, ofClass, size, 0)
	}
}

// classOfClasses is java.lang.Class; nil if the dump does not have it.
func (b *binaryReader) classOfClasses() *class {
	for ; b.ofClasses == nil && b.searched < len(b.classes.all); b.searched++ {
		if c := b.classes.all[b.searched]; b.nameOf(c) == "java/lang/Class" {
			b.ofClasses = c
		}
	}
	return b.ofClasses
}
