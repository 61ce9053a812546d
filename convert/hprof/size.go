package hprof

import (
	"cmp"
	"fmt"
	"math"
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
	gaps   []gap
	end    int
	sealed bool // fields were kept apart: from there on gaps are not filled
}

// place finds room for a field: the smallest gap that it fits into, of those of one size the last; or the end.
func (s *shape) place(size int) {
	if s.sealed {
		s.append(size)
		return
	}
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

// below begins the fields of a class below.
func (s *shape) below() {
	end := up(s.end, 8)
	if end > s.end && !s.sealed {
		s.gaps = append(s.gaps, gap{s.end, end})
	}
	s.end = end
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

// shapeOf is how instances of the class are laid out. The classes above it must be known.
func (b *binaryReader) shapeOf(l *layout, c *class, line []*class) shape {
	s := shape{end: l.header}
	for i := len(line) - 1; i >= 0; i-- {
		c := line[i]
		o := b.oddityOf(c)
		if i < len(line)-1 && (len(c.fields) > 0 || o != nil) && s.end > l.header {
			s.below()
		}
		if o != nil {
			s.addOdd(l, o, c)
			continue
		}
		s.add(l, c.fields)
	}
	return s
}

// maxLaidOut is how many fields are laid out to compare objects by a layout. That is enough for all classes of a dump; a crafted one may have more.
const maxLaidOut = 1 << 18

// noGeneration is one in which no class is resolved.
const noGeneration = math.MaxUint32

// ruled is the size of an instance by the rules; 0 if the classes above are not known, objects have more than fields, or it takes more fields than are left, of which those are taken.
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
	said := fmt.Sprintf("they are computed as HotSpot lays objects out, with headers of %d bytes, references of %d and an alignment of %d, %s", s.header, s.reference, s.align, how)
	if s.old {
		said += "; the dump is of a JDK before 15, whose objects may be 8 bytes larger"
	}
	return said
}

// maxSurveys is how often it is looked ahead in a log for how objects lie in memory.
const maxSurveys = 64

// farthest is how far it is looked ahead at most, in bytes.
const farthest = 8 * windowSize

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
	count   int64  // elements of an array; or mirror
	kind    byte   // of these; 0 of what is no array
}

// mirror is the count of a java.lang.Class object, of which the class is the one that it stands for.
const mirror = -1

// survey looks at the objects that come: how they lie in memory, and how large instances are. It looks the further, the less they tell.
func (b *binaryReader) survey() {
	s := &b.heap.sizes
	b.surveys++
	s.known = true
	var seen []sight
	var rooms map[ballot]seenRoom
	for size, decided := windowSize, false; !decided && size <= farthest; size *= 2 {
		more := b.haveWithin(size, farthest)
		seen = b.ahead(seen[:0])
		for _, c := range s.mirrors {
			seen = append(seen, sight{address: c.id, class: c, count: mirror})
		}
		slices.SortFunc(seen, func(x, y sight) int { return cmp.Compare(x.address, y.address) })
		rooms = b.rooms(seen)
		s.layout, s.told, decided = b.bestLayout(rooms)
		decided = decided || !more
	}
	if s.told {
		b.measure(rooms)
	}
	s.old = b.classOfClasses() != nil && len(b.ofClasses.fieldNames) > 0 && b.ids == 8 && !b.hasClassField("classData")
}

// ahead appends the objects in the window, up to what is none.
func (b *binaryReader) ahead(seen []sight) []sight {
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

// ballot is what objects have in common that are of one size: the class, or what arrays have in them and how many of these.
type ballot struct {
	class *class
	count int64
	kind  byte
}

// maxCount is how many elements an array has at most that is looked at.
const maxCount = 64

// seenRoom is the least room that objects have up to the next one: how many have just that, of how many that were seen.
type seenRoom struct {
	least       uint64
	times, seen int
}

// rooms are the rooms that the objects have, which are sorted by their addresses.
func (b *binaryReader) rooms(seen []sight) map[ballot]seenRoom {
	rooms := map[ballot]seenRoom{}
	ofClass := b.classOfClasses()
	for i := range len(seen) - 1 {
		o := &seen[i]
		of := ballot{o.class, o.count, o.kind}
		if o.count == mirror {
			of = ballot{class: ofClass}
			if ofClass == nil || len(o.class.statics) > 0 {
				continue
			}
		}
		room := seen[i+1].address - o.address
		if o.count > maxCount || room == 0 {
			continue
		}
		known := rooms[of]
		if known.seen == 0 || room < known.least {
			known.least, known.times = room, 0
		}
		if room == known.least {
			known.times++
		}
		known.seen++
		rooms[of] = known
	}
	return rooms
}

// enough is by how many votes a layout must exceed any other one.
const enough = 24

// bestLayout is the layout by which most objects end where the next one begins; whether the objects have told it, and whether more of them would not
// change that.
func (b *binaryReader) bestLayout(rooms map[ballot]seenRoom) (best layout, told, decided bool) {
	candidates := layouts
	if b.ids == 4 {
		candidates = []layout{layout32}
	}
	most, second := math.MinInt, math.MinInt
	for i := range candidates {
		l := &candidates[i]
		fits, tooLong, all := b.compare(l, rooms)
		score := fits - 20*tooLong
		if score <= most {
			second = max(second, score)
			continue
		}
		best, most, second = *l, score, most
		told = fits >= 8 && fits*5 >= all && tooLong*50 <= all
	}
	if !told {
		best = candidates[0]
	}
	return best, told, told && most >= second+enough
}

// votes is how many objects of one ballot count at most.
const votes = 16

// compare counts the objects that end by the layout where the next one begins, and those that end behind.
func (b *binaryReader) compare(l *layout, rooms map[ballot]seenRoom) (fits, tooLong, all int) {
	left := maxLaidOut
	for of, room := range rooms {
		var size uint64
		if of.kind != 0 {
			size = l.array(of.count, of.kind)
		} else {
			size = b.ruled(l, of.class, &left)
		}
		n := min(room.times, votes)
		switch {
		case size == 0:
			continue
		case room.least == size:
			fits += n
		case room.least < size:
			tooLong += n
		}
		all += n
	}
	return fits, tooLong, all
}

// maxHidden is how many bytes an instance may have beyond what is known of its fields.
const maxHidden = 64

// agreed is how many objects of a class must have the same room for it to be taken for their size.
const agreed = 32

// measure notes how large instances are where what was seen shows that it is not by the rules. Nothing can reach into the next object. That there is more
// room behind is no proof: there may be an object that the dump does not have. It is believed only of classes whose fields HotSpot knows better than the
// dump, and of which most objects say so.
func (b *binaryReader) measure(rooms map[ballot]seenRoom) {
	s := &b.heap.sizes
	align, left := uint64(s.align), maxLaidOut
	for of, room := range rooms {
		if of.kind != 0 {
			continue
		}
		c := of.class
		size := b.ruled(&s.layout, c, &left)
		switch {
		case size == 0 || room.least%align != 0 || room.least < uint64(s.header):
		case room.least < size, room.least <= size+maxHidden && room.times >= agreed && room.times*2 >= room.seen && b.oddityOf(c) != nil:
			c.size = room.least
		}
	}
}

// maxInstance is how many fields and classes above make the size of an instance; one with more is larger than the window.
const maxInstance = windowSize + maxDepth

// instanceSize is how large an instance is; 0 if that is not known, or nobody asks.
func (b *binaryReader) instanceSize(c *class) uint64 {
	if c.size != 0 || b.count != nil {
		return c.size
	}
	if c.size == 0 {
		left := maxInstance
		c.size = b.ruled(&b.heap.sizes.layout, c, &left)
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
