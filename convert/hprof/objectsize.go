package hprof

import (
	"fmt"
	"math"
)

// A dump has the fields of objects, not their sizes in memory. HotSpot's rules give the sizes, except for two flags of
// the JVM: compressed references and class pointers, and alignment. These show in the distances between objects, which
// HotSpot dumps in the order of their addresses.

// layOut lays out the instances of a class with these superclasses.
func (b *binaryReader) layOut(l *layout, c *class, line []*class) fieldLayout {
	s := fieldLayout{end: l.header}
	for i := len(line) - 1; i >= 0; i-- {
		c := line[i]
		o := b.special(c)
		if s.order = b.fieldOrder(c); i < len(line)-1 && (len(c.fields) > 0 || o != nil) && s.end > l.header {
			s.beginSubclass(l)
		}
		if o != nil {
			s.addSpecial(l, o, c)
			continue
		}
		s.add(l, c.fields)
	}
	return s
}

// maxLayoutFields limits the fields laid out to compare layouts. Real dumps need less; a crafted one may not.
const maxLayoutFields = 1 << 18

// noGeneration is a generation in which no class is resolved.
const noGeneration = math.MaxUint32

// computeSize returns the size of an instance by a layout. It is 0 if a superclass is unknown, if objects have data
// after their fields, or if the class has more fields than left, which it decreases.
func (b *binaryReader) computeSize(l *layout, c *class, left *int) uint64 {
	if *left < 0 {
		return 0
	}
	line, _, complete := b.superclasses(c, noGeneration, b.scratch[:0])
	b.scratch = line[:0]
	for _, part := range line {
		*left -= 1 + len(part.fields)
	}
	if !complete || *left < 0 {
		return 0
	}
	if o := b.special(c); o != nil && o.variable {
		return 0
	}
	s := b.layOut(l, c, line)
	return uint64(roundUp(s.end, l.align))
}

// heapLayout is the layout of objects in a heap dump.
type heapLayout struct {
	layout
	known    bool     // the layout is detected or assumed
	measured bool     // it follows from the distances of objects
	before15 bool     // the JDK is older than 15
	mirrors  []*class // java.lang.Class objects, in the order of the dump
	emitted  int      // number of emitted mirrors
}

// beginLayout begins a heap dump, whose layout may differ from the previous one; the number of detections is limited.
func (b *binaryReader) beginLayout() {
	b.progress.dumps++
	if b.heap.detections < maxDetections {
		b.heap.layout = heapLayout{}
	}
	b.heap.layout.mirrors, b.heap.layout.emitted = nil, 0
}

// arraySize returns the size of an array, or 0 if it is unknown or not needed.
func (b *binaryReader) arraySize(count int64, kind byte) uint64 {
	if s := &b.heap.layout; s.known && s.kindSize(kind) > 0 {
		return s.array(count, kind)
	}
	return 0
}

// describe returns how sizes are computed, for people.
func (s *heapLayout) describe() string {
	if !s.known {
		return "there are no objects in the dump"
	}
	how := "as the distances between objects show"
	if !s.measured {
		how = "which are assumed, since the addresses of objects do not show it"
	}
	return fmt.Sprintf(
		"they are computed by HotSpot's rules with headers of %d bytes, references of %d and an alignment of %d, "+
			"%s", s.header, s.reference, s.align, how)
}

// maxInstance limits the fields and superclasses of an instance whose size is computed; a larger one exceeds the
// window.
const maxInstance = windowSize + maxDepth

// instanceSize returns the size of an instance, or 0 if it is unknown or not needed.
func (b *binaryReader) instanceSize(c *class) uint64 {
	if c.size == 0 && b.count == nil {
		left := maxInstance
		c.size = b.computeSize(&b.heap.layout.layout, c, &left)
	}
	return c.size
}

// emitMirrors emits the java.lang.Class objects of dumped classes; they have no instance dumps.
func (b *binaryReader) emitMirrors() {
	s := &b.heap.layout
	mirrors := s.mirrors[s.emitted:]
	s.emitted = len(s.mirrors)
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
			statics := fieldLayout{end: int(own)}
			statics.addStatic(&s.layout, c.statics)
			size = uint64(roundUp(statics.end, s.align))
		}
		b.object(c.id, ofClass, size, 0)
	}
}

// classOfClasses returns java.lang.Class, or nil if the dump lacks it.
func (b *binaryReader) classOfClasses() *class {
	for ; b.javaLangClass == nil && b.searched < len(b.classes); b.searched++ {
		if c := b.classes[b.searched]; b.nameOf(c) == "java/lang/Class" {
			b.javaLangClass = c
		}
	}
	return b.javaLangClass
}
