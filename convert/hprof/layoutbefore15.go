package hprof

// isBefore15 says whether the dump is of a JDK before 15, which java.lang.Class tells.
func (b *binaryReader) isBefore15() bool {
	c := b.classOfClasses()
	return c != nil && len(c.fieldNames) > 0 && b.ids == 8 && !b.hasClassField("classData")
}

// fieldOrder is how the fields of the class are laid out, not those of the classes above.
func (b *binaryReader) fieldOrder(c *class) fieldOrder {
	switch {
	case !b.heap.sizes.old:
		return since15
	case withReferencesFirst[b.nameOf(c)]:
		return referencesFirst
	}
	return before15
}

// withReferencesFirst are the classes of which HotSpot knew the fields before JDK 15.
var withReferencesFirst = map[string]bool{
	"java/lang/AssertionStatusDirectives": true, "java/lang/Class": true, "java/lang/ClassLoader": true,
	"java/lang/ref/Reference":     true,
	"java/lang/ref/SoftReference": true, "java/lang/StackTraceElement": true, "java/lang/String": true,
	"java/lang/Throwable": true,
	"java/lang/Boolean":   true, "java/lang/Character": true, "java/lang/Float": true, "java/lang/Double": true,
	"java/lang/Byte":  true,
	"java/lang/Short": true, "java/lang/Integer": true, "java/lang/Long": true,
}

// addBehind lays out fields as HotSpot did before JDK 15: behind those of the classes above, those of primitive values
// by size, the largest first, and then references. Where the first would leave a gap, smaller ones come before it: the
// largest that fit, a reference only if nothing else does.
func (s *shape) addBehind(l *layout, kinds []byte) {
	count := [9]int{}
	references := 0
	for _, kind := range kinds {
		if kind == kindObject {
			references++
		} else {
			count[l.kindSize(kind)]++
		}
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

// fill puts fields into the gap before the first one of eight bytes.
func (s *shape) fill(l *layout, count *[9]int, references *int) {
	end := up(s.end, 8)
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

// appendAll lays out so many fields behind all others; none are left then.
func (s *shape) appendAll(size int, count *int) {
	for ; *count > 0; *count-- {
		s.append(size)
	}
}
