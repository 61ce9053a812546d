package hprof

import "slices"

// layout is HotSpot's object layout, which depends on flags of the JVM.
type layout struct {
	header    int  // bytes before the fields
	reference int  // bytes of a reference
	align     int  // alignment of objects
	tight     bool // elements of arrays directly follow the length
}

// layouts are HotSpot's layouts with 8-byte ids, the default first: compressed references and class pointers, class
// pointers only, none, compact headers, references only. In newer versions elements of arrays are tight. Each may have
// a wider alignment.
var layouts = []layout{
	{12, 4, 8, false}, {12, 8, 8, false}, {16, 8, 8, false}, {16, 8, 8, true}, {8, 4, 8, true}, {8, 8, 8, true},
	{16, 4, 8, false},
}

// widest is the widest alignment of objects; the narrowest is 8.
const widest = 256

// alignments returns the alignments of addresses whose set bits are given.
func alignments(bits uint64) []int {
	all := []int{8}
	for align := 16; align <= widest && bits%uint64(align) == 0; align *= 2 {
		all = append(all, align)
	}
	return all
}

// layout32 is the layout of 32-bit JVMs.
var layout32 = layout{8, 4, 8, true}

// roundUp rounds up to a multiple.
func roundUp(n, multiple int) int { return (n + multiple - 1) / multiple * multiple }

// kindSize returns the size of a value in memory.
func (l *layout) kindSize(kind byte) int {
	if kind == kindObject {
		return l.reference
	}
	return primitives[kind].size
}

// array returns the size of an array.
func (l *layout) array(count int64, kind byte) uint64 {
	size := l.kindSize(kind)
	begin := l.header + 4
	if l.tight {
		begin = roundUp(begin, size)
	} else {
		begin = roundUp(begin, 8)
	}
	align := uint64(l.align)
	return (uint64(begin) + uint64(count)*uint64(size) + align - 1) / align * align
}

// gap is free space between fields.
type gap struct{ begin, end int }

// fieldLayout is the layout of the fields of a class.
type fieldLayout struct {
	gaps   []gap
	end    int
	noFill bool // gaps are not filled after @Contended fields
	order  fieldOrder
}

// fieldOrder is the order in which HotSpot lays out fields.
type fieldOrder uint8

const (
	since15         fieldOrder = iota // of JDK 15 and later
	before15                          // of older JDKs
	referencesFirst                   // of older JDKs, for classes whose fields HotSpot knows
)

// place places a field in the smallest gap that fits, the last of equal ones, or at the end.
func (s *fieldLayout) place(size int) {
	if s.noFill {
		s.append(size)
		return
	}
	best := -1
	for i := len(s.gaps) - 1; i >= 0; i-- {
		if g := s.gaps[i]; roundUp(g.begin, size)+size <= g.end &&
			(best < 0 || g.end-g.begin < s.gaps[best].end-s.gaps[best].begin) {
			best = i
		}
	}
	if best < 0 {
		begin := roundUp(s.end, size)
		if begin > s.end {
			s.gaps = append(s.gaps, gap{s.end, begin})
		}
		s.end = begin + size
		return
	}
	g := s.gaps[best]
	begin := roundUp(g.begin, size)
	var rest []gap
	if begin > g.begin {
		rest = append(rest, gap{g.begin, begin})
	}
	if begin+size < g.end {
		rest = append(rest, gap{begin + size, g.end})
	}
	s.gaps = slices.Replace(s.gaps, best, best+1, rest...)
}

// add lays out the fields of a class.
func (s *fieldLayout) add(l *layout, kinds []byte) {
	if s.order == since15 {
		s.addSince15(l, kinds)
	} else {
		s.addBefore15(l, kinds)
	}
}

// sizes returns the sizes of the fields of primitive types, the largest first, and the number of references.
func (l *layout) sizes(kinds []byte) (primitive []int, references int) {
	for _, kind := range kinds {
		if kind == kindObject {
			references++
		} else {
			primitive = append(primitive, l.kindSize(kind))
		}
	}
	slices.SortFunc(primitive, func(x, y int) int { return y - x })
	return primitive, references
}

// addSince15 lays out fields as JDK 15 and later: primitives by size, the largest first, then references.
func (s *fieldLayout) addSince15(l *layout, kinds []byte) {
	primitive, references := l.sizes(kinds)
	for _, size := range primitive {
		s.place(size)
	}
	for range references {
		s.place(l.reference)
	}
}

// beginSubclass begins the fields of a subclass.
func (s *fieldLayout) beginSubclass(l *layout) {
	if s.order != since15 {
		s.end = roundUp(s.end, l.reference)
		return
	}
	end := roundUp(s.end, 8)
	if end > s.end && !s.noFill {
		s.gaps = append(s.gaps, gap{s.end, end})
	}
	s.end = end
}

// append places a field at the end.
func (s *fieldLayout) append(size int) { s.end = roundUp(s.end, size) + size }

// addStatic lays out static fields: references, then primitives by size. HotSpot does not fill the gap between them.
func (s *fieldLayout) addStatic(l *layout, kinds []byte) {
	primitive, references := l.sizes(kinds)
	s.appendAll(l.reference, &references)
	for _, size := range primitive {
		s.append(size)
	}
}
