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

// place places a field in the smallest gap that fits, the last one if several are equal, or at the end.
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

// isBefore15 reports whether the dump is of a JDK before 15, which the fields of java.lang.Class show.
func (b *binaryReader) isBefore15() bool {
	c := b.classOfClasses()
	return c != nil && len(c.fieldNames) > 0 && !b.hasClassField("classData")
}

// isBefore7 reports whether the dump is of a JDK before 7, whose java.lang.Class objects do not have the static fields.
func (b *binaryReader) isBefore7() bool { return b.isBefore15() && !b.hasClassField("classValueMap") }

// fieldOrder returns the order of the class's own fields.
func (b *binaryReader) fieldOrder(c *class) fieldOrder {
	switch {
	case !b.heap.layout.before15:
		return since15
	case withReferencesFirst[b.nameOf(c)]:
		return referencesFirst
	}
	return before15
}

// withReferencesFirst are the classes whose fields HotSpot knew before JDK 15.
var withReferencesFirst = map[string]bool{
	"java/lang/AssertionStatusDirectives": true, "java/lang/Class": true, "java/lang/ClassLoader": true,
	"java/lang/ref/Reference":     true,
	"java/lang/ref/SoftReference": true, "java/lang/StackTraceElement": true, "java/lang/String": true,
	"java/lang/Throwable": true,
	"java/lang/Boolean":   true, "java/lang/Character": true, "java/lang/Float": true, "java/lang/Double": true,
	"java/lang/Byte":  true,
	"java/lang/Short": true, "java/lang/Integer": true, "java/lang/Long": true,
}

// addBefore15 lays out fields as JDKs before 15 do: after the superclass's fields come primitives, the largest first,
// then references. A gap before the first is filled with smaller ones, with a reference only if nothing else fits.
func (s *fieldLayout) addBefore15(l *layout, kinds []byte) {
	count := [9]int{}
	primitive, references := l.sizes(kinds)
	for _, size := range primitive {
		count[size]++
	}
	if s.order == referencesFirst {
		s.appendAll(l.reference, &references)
	} else if count[8] > 0 {
		s.fill(l, &count, &references)
	}
	for _, size := range []int{8, 4, 2, 1} {
		s.appendAll(size, &count[size])
	}
	s.appendAll(l.reference, &references)
}

// fill fills the gap before the first field of 8 bytes.
func (s *fieldLayout) fill(l *layout, count *[9]int, references *int) {
	end := roundUp(s.end, 8)
	for _, size := range []int{4, 2, 1} {
		for s.end+size <= end && count[size] > 0 {
			count[size]--
			s.end += size
		}
	}
	if s.end+l.reference <= end && *references > 0 {
		*references--
		s.end += l.reference
	}
	s.end = end
}

// appendAll places count fields at the end and sets count to 0.
func (s *fieldLayout) appendAll(size int, count *int) {
	for ; *count > 0; *count-- {
		s.append(size)
	}
}

// specialClass describes a class whose objects HotSpot lays out differently from the fields in the dump. This depends
// on the version of the JDK, which the fields show.
type specialClass struct {
	ifField         string     // applies if the class has this field; "" always applies
	ifClassField    string     // applies if java.lang.Class has this field; "" always applies
	injected        []byte     // kinds of the fields that HotSpot injects
	contended       bool       // the class is @Contended
	variable        bool       // objects have data after their fields that the dump lacks
	contendedGroups [][]string // names of @Contended fields, by group
}

// padding is the number of bytes before and after @Contended fields.
const padding = 128

// injectedSince7 are the kinds of the hidden fields of java.lang.Class of JDK 7 to 25.
var injectedSince7 = []byte{kindLong, kindLong, kindInt, kindInt, kindObject, kindObject, kindObject}

// specialClasses are the special classes of JDKs 17 and 25, from HotSpot's javaClasses.hpp and the JDK's annotations
// @Contended. The first entry of a class that applies counts.
var specialClasses = map[string][]specialClass{
	"java/lang/Class": {
		{ifField: "protectionDomain", injected: []byte{kindLong, kindLong, kindInt, kindInt, kindObject, kindObject}},
		{ifField: "classData", injected: injectedSince7},
		{ifField: "classValueMap", injected: injectedSince7},
		{injected: []byte{kindObject, kindObject, kindObject}},
	},
	"java/lang/ClassLoader":    {{ifClassField: "annotationData", injected: []byte{kindLong}}},
	"java/lang/InternalError":  {{injected: []byte{kindByte}}},
	"java/lang/Module":         {{injected: []byte{kindLong}}},
	"java/lang/StackFrameInfo": {{injected: []byte{kindShort}}},
	"java/lang/String":         {{ifField: "hashIsZero", injected: []byte{kindByte}}},
	"java/lang/Thread": {
		{ifField: "holder", injected: []byte{kindLong, kindInt, kindByte, kindShort}},
		{contendedGroups: [][]string{{"threadLocalRandomSeed", "threadLocalRandomProbe",
			"threadLocalRandomSecondarySeed"}}},
	},
	"java/lang/VirtualThread": {{ifField: "onWaitingList", injected: []byte{kindLong}}},
	"java/lang/invoke/CallSite": {{ifField: "context"},
		{ifClassField: "classData", injected: []byte{kindLong, kindLong}}},
	"java/lang/invoke/MemberName": {{ifField: "method", injected: []byte{kindLong}},
		{injected: []byte{kindLong, kindLong, kindObject}}},
	"java/lang/invoke/MethodHandleNatives$CallSiteContext": {
		{ifClassField: "classData", injected: []byte{kindLong, kindLong}},
		{injected: []byte{kindLong}}},
	"java/lang/invoke/ResolvedMethodName": {{ifField: "vmholder", injected: []byte{kindLong}},
		{injected: []byte{kindObject, kindLong}}},
	"java/lang/reflect/Field": {{ifClassField: "classFileAccessFlags",
		injected: []byte{kindInt}}},
	"java/util/concurrent/ConcurrentHashMap$CounterCell": {{contended: true}},
	"java/util/concurrent/Exchanger$Node":                {{ifField: "bound", contended: true}},
	"java/util/concurrent/Exchanger$Slot":                {{contended: true}},
	"java/util/concurrent/ForkJoinPool":                  {{contendedGroups: [][]string{{"ctl", "parallelism"}}}},
	"java/util/concurrent/ForkJoinPool$WorkQueue": {
		{ifField: "parking", contendedGroups: [][]string{{"top", "phase", "stackPred", "source", "nsteals",
			"parking"}}},
		{contendedGroups: [][]string{{"top", "source", "nsteals"}}},
	},
	"java/util/concurrent/SubmissionPublisher$BufferedSubscription": {
		{contended: true, contendedGroups: [][]string{{"demand", "waiting"}}}},
	"java/util/concurrent/atomic/Striped64$Cell": {{contended: true}},
	"jdk/internal/vm/StackChunk":                 {{variable: true}},
}

// special returns the entry of the class that applies, or nil.
func (b *binaryReader) special(c *class) *specialClass {
	if len(c.fieldNames) != len(c.fields) {
		return nil
	}
	variants := specialClasses[b.nameOf(c)]
	for i := range variants {
		o := &variants[i]
		if (o.ifField == "" || slices.Contains(c.fieldNames, o.ifField)) &&
			(o.ifClassField == "" || b.hasClassField(o.ifClassField)) {
			return o
		}
	}
	return nil
}

// hasClassField reports whether java.lang.Class has a field, which shows the version of the JDK.
func (b *binaryReader) hasClassField(name string) bool {
	c := b.classOfClasses()
	return c != nil && slices.Contains(c.fieldNames, name)
}

// addSpecial lays out the fields of a special class.
func (s *fieldLayout) addSpecial(l *layout, o *specialClass, c *class) {
	free := slices.Clone(o.injected)
	groups := make([][]byte, len(o.contendedGroups))
	for i, kind := range c.fields {
		at := slices.IndexFunc(o.contendedGroups, func(names []string) bool {
			return slices.Contains(names, c.fieldNames[i])
		})
		if at >= 0 {
			groups[at] = append(groups[at], kind)
		} else {
			free = append(free, kind)
		}
	}
	if o.contended {
		s.pad()
	}
	s.add(l, free)
	for _, kinds := range groups {
		if len(kinds) > 0 {
			s.pad()
			s.add(l, kinds)
		}
	}
	if s.noFill {
		s.pad()
	}
}

// pad adds the padding of @Contended.
func (s *fieldLayout) pad() { *s = fieldLayout{end: s.end + padding, noFill: true} }
