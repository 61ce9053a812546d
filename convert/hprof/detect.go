package hprof

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// maxDetections limits the detections of a layout in a log.
const maxDetections = 64

// maxLookahead limits the bytes read ahead to detect a layout.
const maxLookahead = 8 * windowSize

// ensureLayout detects the layout at the first object of a dump, unless objects are only counted.
func (b *binaryReader) ensureLayout() {
	if b.heap.layout.known || b.count != nil {
		return
	}
	if len(b.heap.layout.mirrors) == 0 {
		b.lookAhead()
	}
	b.detectLayout()
	b.emitMirrors()
}

// sample is an object read ahead.
type sample struct {
	address uint64
	class   *class // nil for an array
	count   int64  // elements of an array, or mirrorCount
	kind    byte   // of elements; 0 for other objects
}

// mirrorCount is the count of a java.lang.Class object; class is the class that it represents.
const mirrorCount = -1

// detectLayout detects the layout from the addresses of the objects that follow. It reads further ahead as long as they
// are ambiguous.
func (b *binaryReader) detectLayout() {
	s := &b.heap.layout
	b.heap.detections++
	s.known = true
	s.before15 = b.isBefore15()
	var seen []sample
	var distances map[sampleKind]distance
	for size, decided := windowSize, false; !decided && size <= maxLookahead; size *= 2 {
		more := b.haveWithin(size, maxLookahead)
		seen = b.sampleAhead(seen[:0])
		for _, c := range s.mirrors {
			seen = append(seen, sample{address: c.id, class: c, count: mirrorCount})
		}
		slices.SortFunc(seen, func(x, y sample) int { return cmp.Compare(x.address, y.address) })
		distances = b.distances(seen)
		s.layout, s.measured, decided = b.bestLayout(distances, b.alignmentsOf(seen))
		decided = decided || !more
	}
	if s.measured {
		b.overrideSizes(distances)
	}
}

// sampleAhead appends the objects in the window.
func (b *binaryReader) sampleAhead(seen []sample) []sample {
	text, left := b.window(), b.heap.left
	for len(text) > 0 {
		if left == 0 {
			if len(text) < headSize || !b.plausible(text) {
				break
			}
			size := int64(u4(text[5:]))
			if text[0] == tagHeapDumpSegment {
				left, size = size, 0
			}
			text = text[min(int64(len(text)), headSize+size):]
			continue
		}
		size := b.fixedSize(text[0])
		if size == 0 || size > len(text) || text[0] == tagClassDump {
			break
		}
		all, one := int64(size), sample{address: b.id(text[1:]), class: nil}
		switch head := text[:size]; text[0] {
		case tagInstanceDump:
			all += int64(u4(head[size-4:]))
			one.class = b.byID[b.id(head[5+b.ids:])]
		case tagObjectArrayDump:
			one.count, one.kind = int64(u4(head[5+b.ids:])), kindObject
			all += one.count * int64(b.ids)
		case tagPrimitiveArrayDump:
			one.count, one.kind = int64(u4(head[5+b.ids:])), head[size-1]
			if primitives[one.kind].size == 0 {
				return seen
			}
			all += one.count * int64(primitives[one.kind].size)
		}
		if text[0] == tagInstanceDump && one.class != nil || one.kind != 0 {
			seen = append(seen, one)
		}
		if left -= all; left < 0 {
			break
		}
		text = text[min(int64(len(text)), all):]
	}
	return seen
}

// sampleKind is the kind of objects of equal size: a class, or arrays of a kind and length.
type sampleKind struct {
	class *class
	count int64
	kind  byte
}

// maxCount limits the elements of arrays sampled.
const maxCount = 64

// distance is the least distance of objects of a kind to the next object.
type distance struct {
	least          uint64 // in bytes
	times, samples int    // objects with this distance, and all
}

// distances returns the distances of samples sorted by address.
func (b *binaryReader) distances(seen []sample) map[sampleKind]distance {
	distances := map[sampleKind]distance{}
	ofClass := b.classOfClasses()
	for i := range len(seen) - 1 {
		o := &seen[i]
		of := sampleKind{o.class, o.count, o.kind}
		if o.count == mirrorCount {
			of = sampleKind{class: ofClass}
			if ofClass == nil || len(o.class.statics) > 0 {
				continue
			}
		}
		d := seen[i+1].address - o.address
		if o.count > maxCount || d == 0 {
			continue
		}
		least := distances[of]
		if least.samples == 0 || d < least.least {
			least.least, least.times = d, 0
		}
		if d == least.least {
			least.times++
		}
		least.samples++
		distances[of] = least
	}
	return distances
}

// minLead is the lead in votes that decides for a layout.
const minLead = 24

// alignmentsOf returns the alignments possible for these addresses.
func (b *binaryReader) alignmentsOf(seen []sample) []int {
	if b.ids == 4 {
		return []int{layout32.align}
	}
	var bits uint64
	for i := range seen {
		bits |= seen[i].address
	}
	return alignments(bits)
}

// bestLayout returns the layout and alignment by which most objects end where the next one begins; if several are
// equal, the narrowest alignment and the most common layout. measured reports whether the objects show it, decided
// whether more objects would not change it.
func (b *binaryReader) bestLayout(distances map[sampleKind]distance, alignments []int) (best layout, measured,
	decided bool) {
	candidates := layouts
	if b.ids == 4 {
		candidates = []layout{layout32}
	}
	most, second := math.MinInt, math.MinInt
	for _, l := range candidates {
		for i, t := range b.compare(l, alignments, distances) {
			l.align = alignments[i]
			score := t.fits - 20*t.tooLong
			if score < most || score == most && l.align >= best.align {
				second = max(second, score)
				continue
			}
			best, most, second = l, score, most
			measured = t.fits >= 8 && t.fits*5 >= t.all && t.tooLong*50 <= t.all
		}
	}
	if !measured {
		best = candidates[0]
	}
	return best, measured, measured && most >= second+minLead
}

// maxVotes limits the votes of one kind of objects.
const maxVotes = 16

// tally counts the objects that end at the next one, the objects that end after its begin, and all.
type tally struct{ fits, tooLong, all int }

// compare counts how objects end by a layout, for each alignment.
func (b *binaryReader) compare(l layout, alignments []int, distances map[sampleKind]distance) []tally {
	tallies := make([]tally, len(alignments))
	left := maxLayoutFields
	l.align = 1
	for of, d := range distances {
		var size uint64
		if of.kind != 0 {
			size = l.array(of.count, of.kind)
		} else {
			size = b.computeSize(&l, of.class, &left)
		}
		if size == 0 {
			continue
		}
		for i, align := range alignments {
			tallies[i].add(d, uint64(roundUp(int(size), align)))
		}
	}
	return tallies
}

// add counts the objects of a size.
func (t *tally) add(d distance, size uint64) {
	n := min(d.times, maxVotes)
	switch {
	case d.least == size:
		t.fits += n
	case d.least < size:
		t.tooLong += n
	}
	t.all += n
}

// maxHidden limits the bytes of an instance beyond its known fields.
const maxHidden = 64

// minAgreed is the number of objects of a class whose equal distance counts as their size.
const minAgreed = 32

// overrideSizes sets sizes that differ from the rules. No object reaches into the next one. A larger distance proves
// nothing, because the dump may lack objects; it counts only for special classes if most of their objects have it.
func (b *binaryReader) overrideSizes(distances map[sampleKind]distance) {
	s := &b.heap.layout
	align, left := uint64(s.align), maxLayoutFields
	for of, d := range distances {
		if of.kind != 0 {
			continue
		}
		c := of.class
		size := b.computeSize(&s.layout, c, &left)
		switch {
		case size == 0 || d.least%align != 0 || d.least < uint64(s.header):
		case d.least < size, d.least <= size+maxHidden && d.times >= minAgreed && d.times*2 >= d.samples &&
			b.special(c) != nil:
			c.size = d.least
		}
	}
}

// A dump has the fields of objects, not their sizes in memory. HotSpot's rules give the sizes, except for two flags of
// the JVM: compressed references and class pointers, and alignment. These show in the distances between objects, which
// HotSpot dumps in the order of their addresses.

// layOut lays out the instances of a class, given with its superclasses.
func (b *binaryReader) layOut(l *layout, line []*class) fieldLayout {
	s := fieldLayout{end: l.header}
	for i, c := range slices.Backward(line) {
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
	s := b.layOut(l, line)
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
		if own != 0 && !b.isBefore7() {
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
