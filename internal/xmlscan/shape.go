package xmlscan

// The elements of a trace are not only of a few dozen kinds: nearly every one has values as long as those of one before it, and all of
// them numbers. Such an element is recognised as a whole, by comparing the words of its text with those of its shape: what
// is the same in all elements of the shape, and where there are digits. What a match proves has been checked when the shape was learnt;
// an element that matches none is read attribute by attribute.

// Shape is what elements have in common that differ in their digits only.
type Shape struct {
	// Memo is for the reader of the tokens, to keep there what it has found out about such elements.
	Memo any

	blocks     int // of words that are compared
	words      [longestShape / 8]shapeWord
	size       int // of the tag in bytes
	of         *shapes
	tag        *name
	habit      int
	attributes []Attribute // at their places from the beginning of the tag on
}

// shapeWord is a piece of eight bytes of a shape. The bits of fixed are those of the bytes that are as in text; digits has the
// highest bits of those that are digits.
type shapeWord struct{ text, fixed, digits uint64 }

const (
	shapesEach    = 8       // shapes that are kept of the elements of a name
	mostShapes    = 1 << 10 // … of all elements
	longestShape  = 256     // bytes
	shortestShape = 16
	block         = 4 // words that are compared at once
	// lessonsFree is how many shapes an element's name may learn at once; beyond, one for so many elements that had a known shape.
	lessonsFree = 32
	hitsForOne  = 256
)

// shapes are those of the elements of one name, the last one that matched first.
type shapes struct {
	known  [shapesEach]*Shape
	learnt int
	hits   int
}

// forget drops the shapes, and returns how many these were.
func (s *shapes) forget() (count int) {
	for i, shape := range s.known {
		if shape != nil {
			s.known[i] = nil
			count++
		}
	}
	return count
}

// at says whether an element of the shape stands at p.
func (f *Shape) at(buf []byte, p int) bool {
	if p+longestShape > len(buf) {
		return false
	}
	words, text := &f.words, (*[longestShape]byte)(buf[p:])
	for i := 0; i < f.blocks*block && i <= len(words)-block; i += block {
		a, b, c, d := &words[i], &words[i+1], &words[i+2], &words[i+3]
		here := (*[block * 8]byte)(text[i*8:])
		wa, wb, wc, wd := word(here[:], 0), word(here[:], 8), word(here[:], 16), word(here[:], 24)
		if (wa^a.text)&a.fixed|noDigits(wa)&a.digits|(wb^b.text)&b.fixed|noDigits(wb)&b.digits|
			(wc^c.text)&c.fixed|noDigits(wc)&c.digits|(wd^d.text)&d.fixed|noDigits(wd)&d.digits != 0 {
			return false
		}
	}
	return true
}

// shaped takes the element at p, if it has a known shape.
func (s *Scanner) shaped(p int) bool {
	slot := &s.names.shaped[word(s.buf, p+1)*spreading>>56]
	for _, shapes := range slot {
		if shapes == nil || shapes.known[0] == nil {
			continue
		}
		if shape := shapes.known[0]; shape.at(s.buf, p) {
			s.takeShape(shape, p)
			return true
		}
		for i, shape := range shapes.known[1:] {
			if shape == nil {
				break
			}
			if shape.at(s.buf, p) {
				shapes.known[0], shapes.known[i+1] = shape, shapes.known[0]
				s.takeShape(shape, p)
				return true
			}
		}
	}
	return false
}

// takeShape makes the tag at p, of the shape, the one at hand.
func (s *Scanner) takeShape(shape *Shape, p int) {
	shape.of.hits++
	s.shape, s.tagAt = shape, uint32(p)
	s.attributes, s.habit = shape.attributes, shape.habit
	s.tag, s.last, s.empty, s.plain = shape.tag, shape.tag, true, true
	s.scratch, s.unresolved = s.scratch[:0], ""
	s.pos, s.rootSeen = p+shape.size, true
}

// learnShape learns the shape of the plain element at hand, from p to its end, if it has one.
func (s *Scanner) learnShape(element *element, p int) {
	shapes := &element.shapes
	size := s.pos - p
	if shapes.learnt >= lessonsFree+shapes.hits/hitsForOne || size > longestShape || size < shortestShape || element.declared != nil || len(s.outer) > 0 {
		return
	}
	shapes.learnt++
	text := s.buf[p:s.pos]
	shape := &Shape{of: shapes, tag: s.tag, habit: s.habit, size: size, blocks: (size + block*8 - 1) / (block * 8)}
	for i, c := range text {
		shape.words[i/8].text |= uint64(c) << (i % 8 * 8)
		shape.words[i/8].fixed |= 0xFF << (i % 8 * 8)
	}
	for _, a := range s.attributes {
		a.begin, a.end = a.begin-uint32(p), a.end-uint32(p)
		for i := a.begin; i < a.end; i++ {
			switch c := text[i]; {
			case c-'0' <= 9:
				shape.words[i/8].fixed &^= 0xFF << (i % 8 * 8)
				shape.words[i/8].digits |= 0x80 << (i % 8 * 8)
			case c != '.' && c != '-':
				return
			}
		}
		shape.attributes = append(shape.attributes, a)
	}
	last := shapesEach - 1
	if shapes.known[last] == nil {
		if s.names.shapes >= mostShapes {
			return
		}
		s.names.shapes++
	}
	if slot := &s.names.shaped[word(text, 1)*spreading>>56]; shapes.known[0] == nil && slot[0] != shapes {
		slot[0], slot[1] = shapes, slot[0]
	}
	copy(shapes.known[1:], shapes.known[:last])
	shapes.known[0] = shape
}
