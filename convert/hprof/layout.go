package hprof

import "slices"

// layout is how objects lie in memory.
type layout struct {
	header    int  // bytes before the fields of an object
	reference int  // bytes of a reference
	align     int  // an object begins at a multiple of this
	tight     bool // the elements of arrays begin right behind the length
}

// layouts are those that HotSpot has with ids of eight bytes, the usual one first: compressed references and class
// pointers, class pointers alone, none, compact headers, and references alone; in newer versions the elements of arrays
// are tight. Each may have a wider alignment. Most are told by the distances of objects.
var layouts = []layout{
	{12, 4, 8, false}, {12, 8, 8, false}, {16, 8, 8, false}, {16, 8, 8, true}, {8, 4, 8, true}, {8, 8, 8, true},
	{16, 4, 8, false},
}

// widest is the widest alignment that HotSpot can be told to have; the narrowest is 8.
const widest = 256

// alignments are those that all addresses have of which the bits are set.
func alignments(bits uint64) []int {
	all := []int{8}
	for align := 16; align <= widest && bits%uint64(align) == 0; align *= 2 {
		all = append(all, align)
	}
	return all
}

// layout32 is that of JVMs of 32 bits.
var layout32 = layout{8, 4, 8, true}

// up rounds up to a multiple.
func up(n, multiple int) int { return (n + multiple - 1) / multiple * multiple }

// kindSize is how many bytes a value of the kind has in memory.
func (l *layout) kindSize(kind byte) int {
	if kind == kindObject {
		return l.reference
	}
	return primitives[kind].size
}

// array is the size of an array.
func (l *layout) array(count int64, kind byte) uint64 {
	size := l.kindSize(kind)
	begin := l.header + 4
	if l.tight {
		begin = up(begin, size)
	} else {
		begin = up(begin, 8)
	}
	align := uint64(l.align)
	return (uint64(begin) + uint64(count)*uint64(size) + align - 1) / align * align
}

// gap is room between fields.
type gap struct{ begin, end int }

// shape is how the fields of a class are laid out.
type shape struct {
	gaps   []gap
	end    int
	sealed bool // fields were kept apart: from there on gaps are not filled
	order  fieldOrder
}

// fieldOrder is in which order the fields of a class are laid out.
type fieldOrder uint8

const (
	since15         fieldOrder = iota // as HotSpot does since JDK 15
	before15                          // as it did before
	referencesFirst                   // as it did before with classes whose fields it knows
)

// place finds room for a field: the smallest gap that it fits into, of those of one size the last; or the end.
func (s *shape) place(size int) {
	if s.sealed {
		s.append(size)
		return
	}
	best := -1
	for i := len(s.gaps) - 1; i >= 0; i-- {
		if g := s.gaps[i]; up(g.begin, size)+size <= g.end &&
			(best < 0 || g.end-g.begin < s.gaps[best].end-s.gaps[best].begin) {
			best = i
		}
	}
	if best < 0 {
		begin := up(s.end, size)
		if begin > s.end {
			s.gaps = append(s.gaps, gap{s.end, begin})
		}
		s.end = begin + size
		return
	}
	g := s.gaps[best]
	begin := up(g.begin, size)
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
func (s *shape) add(l *layout, kinds []byte) {
	if s.order == since15 {
		s.addWhereFree(l, kinds)
	} else {
		s.addBehind(l, kinds)
	}
}

// addWhereFree lays out fields as HotSpot does since JDK 15: those of primitive values by size, the largest first, and
// then references.
func (s *shape) addWhereFree(l *layout, kinds []byte) {
	for _, size := range []int{8, 4, 2, 1} {
		for _, kind := range kinds {
			if kind != kindObject && l.kindSize(kind) == size {
				s.place(size)
			}
		}
	}
	for _, kind := range kinds {
		if kind == kindObject {
			s.place(l.reference)
		}
	}
}

// below begins the fields of a class below.
func (s *shape) below(l *layout) {
	if s.order != since15 {
		s.end = up(s.end, l.reference)
		return
	}
	end := up(s.end, 8)
	if end > s.end && !s.sealed {
		s.gaps = append(s.gaps, gap{s.end, end})
	}
	s.end = end
}

// append lays out a field behind all others.
func (s *shape) append(size int) { s.end = up(s.end, size) + size }

// addStatic lays out static fields: references, and then those of primitive values by size. HotSpot does not fill the
// gap between them.
func (s *shape) addStatic(l *layout, kinds []byte) {
	for _, kind := range kinds {
		if kind == kindObject {
			s.append(l.reference)
		}
	}
	for _, size := range []int{8, 4, 2, 1} {
		for _, kind := range kinds {
			if kind != kindObject && l.kindSize(kind) == size {
				s.append(size)
			}
		}
	}
}
