package hprof

import (
	"cmp"
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

// bestLayout returns the layout and alignment by which most objects end where the next one begins; of equal ones the
// narrowest alignment and the most common layout. measured reports whether the objects show it, decided whether more of
// them would not change it.
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

// tally counts the objects that end at the next one, those that end after its begin, and all.
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

// overrideSizes sets sizes that differ from the rules. No object reaches into the next one. A larger distance is no
// proof, since objects may be missing in the dump; it counts only for special classes, and only if most of their
// objects have it.
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
