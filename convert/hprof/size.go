package hprof

import (
	"cmp"
	"fmt"
	"slices"
)

// A dump does not say how large objects are in memory, only what their fields are. HotSpot's rules make the size of these, but for how it ran: whether
// references and class pointers are compressed, and how objects are aligned. That shows in the distances between objects, for HotSpot dumps them by their
// addresses.

// layout is how objects lie in memory.
type layout struct {
	header    int  // bytes before the fields of an object
	reference int  // bytes of a reference
	align     int  // an object begins at a multiple of this
	tight     bool // the elements of arrays begin right behind the length
}

// layouts are those that HotSpot has with ids of eight bytes, the usual one first: compressed references and class pointers, class pointers alone, none, and
// compact headers; in newer versions the elements of arrays are tight. Most are told by the distances of objects.
var layouts = []layout{
	{12, 4, 8, false}, {12, 8, 8, false}, {16, 8, 8, false}, {16, 8, 8, true}, {8, 4, 8, true}, {8, 8, 8, true},
	{12, 4, 16, false}, {8, 4, 16, true}, {16, 4, 8, false},
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
	gaps []gap
	end  int
}

// place finds room for a field: the smallest gap that it fits into, of those of one size the last; or the end.
func (s *shape) place(size int) {
	best := -1
	for i := len(s.gaps) - 1; i >= 0; i-- {
		if g := s.gaps[i]; up(g.begin, size)+size <= g.end && (best < 0 || g.end-g.begin < s.gaps[best].end-s.gaps[best].begin) {
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

// add lays out fields as HotSpot does since JDK 15: those of primitive values by size, the largest first, and then references.
func (s *shape) add(l *layout, kinds []byte) {
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

// append lays out a field behind all others.
func (s *shape) append(size int) { s.end = up(s.end, size) + size }

// addStatic lays out static fields: references, and then those of primitive values by size. HotSpot does not fill the gap between them.
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

// padding is how far HotSpot keeps objects that are contended from others.
const padding = 128

// contended are the classes that HotSpot keeps apart as a whole.
var contended = map[string]bool{
	"java/util/concurrent/ConcurrentHashMap$CounterCell": true,
	"java/util/concurrent/atomic/Striped64$Cell":         true,
}

// hidden has the classes whose instances HotSpot gives fields of its own, or keeps apart from other objects by empty space: the kinds of these fields, as
// far as they are the same in JDKs 17 to 25. What is seen in the dump goes before.
var hidden = map[string][]byte{
	"java/lang/Class":                                               {kindLong, kindLong, kindInt, kindInt, kindObject, kindObject, kindObject},
	"java/lang/ClassLoader":                                         {kindLong},
	"java/lang/Module":                                              {kindLong},
	"java/lang/String":                                              {kindByte},
	"java/lang/Thread":                                              {kindLong},
	"java/lang/InternalError":                                       {kindByte},
	"java/lang/StackFrameInfo":                                      {kindShort},
	"java/lang/invoke/MemberName":                                   {kindLong},
	"java/lang/invoke/ResolvedMethodName":                           {kindObject, kindLong},
	"java/lang/invoke/MethodHandleNatives$CallSiteContext":          {kindLong, kindLong},
	"java/security/AccessControlContext":                            {kindByte},
	"java/util/concurrent/ConcurrentHashMap$CounterCell":            nil,
	"java/util/concurrent/atomic/Striped64$Cell":                    nil,
	"java/util/concurrent/ForkJoinPool":                             nil,
	"java/util/concurrent/ForkJoinPool$WorkQueue":                   nil,
	"java/util/concurrent/Exchanger$Node":                           nil,
	"java/util/concurrent/SubmissionPublisher$BufferedSubscription": nil,
	"jdk/internal/vm/StackChunk":                                    {kindObject, kindLong, kindInt, kindByte},
}

// isHidden says whether HotSpot lays out the class, or one above it, otherwise than its fields say.
func (b *binaryReader) isHidden(c *class) bool {
	for range maxDepth {
		if _, found := hidden[b.nameOf(c)]; found {
			return true
		}
		if c = b.classes.get(c.super); c == nil {
			return false
		}
	}
	return false
}

// shapeOf is how instances of the class are laid out. The classes above it must be known.
func (b *binaryReader) shapeOf(l *layout, c *class, line []*class) shape {
	s := shape{end: l.header}
	for i := len(line) - 1; i >= 0; i-- {
		kinds := slices.Concat(line[i].fields, hidden[b.nameOf(line[i])])
		if len(kinds) == 0 {
			continue
		}
		if i < len(line)-1 && s.end%8 != 0 && s.end > l.header {
			s.gaps = append(s.gaps, gap{s.end, up(s.end, 8)})
			s.end = up(s.end, 8)
		}
		if contended[b.nameOf(line[i])] {
			s = shape{end: s.end + padding}
			s.add(l, kinds)
			s.end += padding
			continue
		}
		s.add(l, kinds)
	}
	return s
}

// ruled is the size of an instance by the rules; 0 if the classes above are not known.
func (b *binaryReader) ruled(l *layout, c *class) uint64 {
	line, _, complete := b.classes.line(c, b.line[:0])
	b.line = line[:0]
	if !complete {
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
	mirrors []*class // in the order of the dump
	given   int      // so many of them have been given as objects
}

// beginSizes begins a heap dump: objects may lie otherwise than in the one before. That is not looked at any more where there are very many dumps.
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
	return fmt.Sprintf("they are computed as HotSpot lays objects out, with headers of %d bytes, references of %d and an alignment of %d, %s", s.header, s.reference, s.align, how)
}

// maxSurveys is how often it is looked ahead in a log for how large the instances of a class are.
const maxSurveys = 64

// look finds out how objects lie in memory, at the first of a dump.
func (b *binaryReader) look() {
	if b.heap.sizes.known {
		return
	}
	b.survey()
	b.settleClasses()
}

// sight is an object that a survey has seen.
type sight struct {
	address uint64
	class   *class // nil of an array
	count   int64  // elements of an array
	kind    byte   // of these
}

// survey looks at the objects in the window: how they lie in memory, if that is not known yet, and how large instances are.
func (b *binaryReader) survey() {
	s := &b.heap.sizes
	b.surveys++
	b.have(windowSize)
	seen := b.ahead()
	for _, c := range s.mirrors {
		seen = append(seen, sight{address: c.id, class: c, count: -1})
	}
	slices.SortFunc(seen, func(x, y sight) int { return cmp.Compare(x.address, y.address) })
	if !s.known {
		s.layout, s.told = b.bestLayout(seen)
		s.known = true
	}
	if s.told {
		b.measure(seen)
	}
}

// ahead lists the objects in the window, up to what is none.
func (b *binaryReader) ahead() (seen []sight) {
	text, left := b.next(), b.heap.left
	for len(text) > 0 {
		if left == 0 {
			if len(text) < headSize || !b.plausible(text) {
				break
			}
			size := int64(u4(text[5:]))
			if text[0] == tagSegment {
				left, size = size, 0
			}
			text = text[min(int64(len(text)), headSize+size):]
			continue
		}
		size := b.fixed(text[0])
		if size == 0 || size > len(text) || text[0] == subClass {
			break
		}
		all, seenHere := int64(size), sight{address: b.id(text[1:]), class: nil}
		switch head := text[:size]; text[0] {
		case subInstance:
			all += int64(u4(head[size-4:]))
			seenHere.class = b.classes.get(b.id(head[5+b.ids:]))
		case subObjectArray:
			seenHere.count, seenHere.kind = int64(u4(head[5+b.ids:])), kindObject
			all += seenHere.count * int64(b.ids)
		case subArray:
			seenHere.count, seenHere.kind = int64(u4(head[5+b.ids:])), head[size-1]
			if seenHere.kind >= kindCount || primitives[seenHere.kind].size == 0 {
				return seen
			}
			all += seenHere.count * int64(primitives[seenHere.kind].size)
		}
		if text[0] == subInstance && seenHere.class != nil || seenHere.kind != 0 {
			seen = append(seen, seenHere)
		}
		if left -= all; left < 0 {
			break
		}
		text = text[min(int64(len(text)), all):]
	}
	return seen
}

// bestLayout is the layout by which most objects end where the next one begins, and whether the objects have told it.
func (b *binaryReader) bestLayout(seen []sight) (best layout, told bool) {
	candidates := layouts
	if b.ids == 4 {
		candidates = []layout{layout32}
	}
	most := -1 << 30
	for i := range candidates {
		l := &candidates[i]
		fits, tooLong, pairs := b.compare(l, seen)
		if score := fits - 20*tooLong; score > most {
			best, most = *l, score
			told = fits >= 8 && fits*5 >= pairs && tooLong*50 <= pairs
		}
	}
	if !told {
		best = candidates[0]
	}
	return best, told
}

// compare counts the objects that end by the layout where the next one begins, and those that end behind.
func (b *binaryReader) compare(l *layout, seen []sight) (fits, tooLong, pairs int) {
	ruled := map[*class]uint64{}
	for i := range len(seen) - 1 {
		size := uint64(0)
		switch o := &seen[i]; {
		case o.count < 0:
			continue
		case o.class == nil:
			size = l.array(o.count, o.kind)
		default:
			var known bool
			if size, known = ruled[o.class]; !known {
				size = b.ruled(l, o.class)
				ruled[o.class] = size
			}
		}
		pairs++
		switch distance := seen[i+1].address - seen[i].address; {
		case distance == size:
			fits++
		case distance < size:
			tooLong++
		}
	}
	return fits, tooLong, pairs
}

// maxHidden is how many bytes an instance may have beyond what its fields need: two stretches of 128, by which HotSpot keeps it apart from others, and a
// few fields.
const maxHidden = 400

// measure notes how large instances are by what was seen: the least distance to the next object.
func (b *binaryReader) measure(seen []sight) {
	type least struct {
		size        uint64
		times, seen int
	}
	distances := map[*class]least{}
	ofClass := b.classOfClasses()
	for i := range len(seen) - 1 {
		o := &seen[i]
		c := o.class
		if c != nil && o.count < 0 && len(c.statics) == 0 {
			c = ofClass
		} else if o.count < 0 {
			continue
		}
		if c == nil || c.measured {
			continue
		}
		switch known, distance := distances[c], seen[i+1].address-o.address; {
		case distance == 0:
		case known.times == 0 || distance < known.size:
			distances[c] = least{distance, 1, known.seen + 1}
		case distance == known.size:
			distances[c] = least{distance, known.times + 1, known.seen + 1}
		default:
			known.seen++
			distances[c] = known
		}
	}
	align := uint64(b.heap.sizes.align)
	for c, found := range distances {
		size := b.ruled(&b.heap.sizes.layout, c)
		special := b.isHidden(c)
		least := size + padding
		if special {
			least = uint64(b.heap.sizes.header)
		}
		if size == 0 || found.size%align != 0 || found.size < least || found.size > size+maxHidden || !special && (found.times < 2 || found.times*2 < found.seen) {
			continue
		}
		c.size, c.measured = found.size, true
	}
}

// instanceSize is how large an instance is; 0 if that is not known, or nobody asks.
func (b *binaryReader) instanceSize(c *class) uint64 {
	if c.size != 0 || b.count != nil {
		return c.size
	}
	s := &b.heap.sizes
	if s.told && b.surveys < maxSurveys && b.isHidden(c) {
		b.survey()
	}
	if c.size == 0 {
		c.size = b.ruled(&s.layout, c)
	}
	return c.size
}

// settleClasses gives the java.lang.Class objects of the classes that have been dumped, which a dump does not list among the objects.
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
