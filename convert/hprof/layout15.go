package hprof

// isBefore15 reports whether the dump is of a JDK before 15, as the fields of java.lang.Class tell.
func (b *binaryReader) isBefore15() bool {
	c := b.classOfClasses()
	return c != nil && len(c.fieldNames) > 0 && b.ids == 8 && !b.hasClassField("classData")
}

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
