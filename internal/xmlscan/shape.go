package xmlscan

// The elements of a trace are not only of a few dozen kinds: nearly every one has values as long as those of one before
// it, and all of them numbers. Such an element is recognised as a whole, by comparing the words of its text with those
// of its shape: what is the same in all elements of the shape, and where there are digits. What a match proves has been
// checked when the shape was learnt; an element that matches none is read attribute by attribute.

// Shape is what elements have in common that differ in their digits only.
type Shape struct {
	// Memo is for the reader of the tokens, to keep there what it has found out about such elements.
	Memo any
	// Usual is set by the reader where it has nothing to do between two such elements, so that they can be part of a
	// Run.
	Usual bool

	blocks     int // of words that are compared
	words      [longestShape / 8]shapeWord
	size       int // of the tag in bytes
	of         *shapes
	tag        *name
	habit      int
	attributes []Attribute // at their places from the beginning of the tag on
}

// shapeWord is a piece of eight bytes of a shape. Text has the bytes that are the same in all elements of the shape,
// and zeros (the digit) where there are digits. What differs from that must not be more than 0, or 9 for a digit; added
// to room it then stays below 128 in each byte. Behind the end of the tag there is room for nearly everything; what has
// none there is read attribute by attribute.
type shapeWord struct{ text, room uint64 }

// differs has one of the highest bits set if the word is not of the shape. There is no carry that could hide another
// one: a byte from which one comes has its own highest bit set.
func (w *shapeWord) differs(here uint64) uint64 {
	difference := here ^ w.text
	return difference | (difference + w.room)
}

const (
	roomForNone  = 0x7F
	roomForDigit = 0x7F - 9
)

const (
	shapesEach    = 8       // shapes that are kept of the elements of a name
	mostShapes    = 1 << 10 // … of all elements
	longestShape  = 256     // bytes
	shortestShape = 16
	block         = 4 // words that are compared at once
	// lessonsFree is how many shapes an element's name may learn at once; beyond, one for so many elements that had a
	// known shape.
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
		here := (*[block * 8]byte)(text[i*8:])
		if (words[i].differs(word(here[:], 0))|words[i+1].differs(word(here[:], 8))|
			words[i+2].differs(word(here[:], 16))|words[i+3].differs(word(here[:], 24)))&highs != 0 {
			return false
		}
	}
	return true
}

// shaped takes the element at p, if it has a known shape.
func (s *Scanner) shaped(p int) bool {
	shape := s.shapeAt(p)
	if shape != nil {
		s.takeShape(shape, p)
	}
	return shape != nil
}

// shapeAt is the known shape that the element at p has, or nil.
func (s *Scanner) shapeAt(p int) *Shape {
	slot := &s.names.shaped[word(s.buf, p+1)*spreading>>56]
	for _, shapes := range slot {
		if shapes == nil || shapes.known[0] == nil {
			continue
		}
		if shape := shapes.known[0]; shape.at(s.buf, p) {
			return shape
		}
		for i, shape := range shapes.known[1:] {
			if shape == nil {
				break
			}
			if shape.at(s.buf, p) {
				shapes.known[0], shapes.known[i+1] = shape, shapes.known[0]
				return shape
			}
		}
	}
	return nil
}

// Mark is an element of a Run.
type Mark struct {
	shape *Shape
	at    int
}

// Run finds the elements that come next, as long as they are Usual and wholly read already: as many as there is room
// for. Each is to be given to Take, in order, after which it is the token at hand; Next goes on behind the one that was
// taken last. To find many and then to take them is faster than to do both in turn, for the tables of the scanner and
// those of who takes the elements drive each other out of the processor's caches.
func (s *Scanner) Run(room []Mark) []Mark {
	marks := room[:0]
	if s.err != nil || len(s.outer) > 0 || !s.elementsAllowed() {
		return marks
	}
	for p := s.pos; len(marks) < cap(room); {
		p = s.pastLineEnd(p)
		shape := s.shapeAt(p)
		if shape == nil || !shape.Usual {
			break
		}
		marks = append(marks, Mark{shape, p})
		p += shape.size
	}
	return marks
}

// Take makes the element of a Run the token at hand.
func (s *Scanner) Take(m Mark) {
	s.start, s.beyond, s.begun = m.at, 0, true
	s.takeShape(m.shape, m.at)
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
	if shapes.learnt >= lessonsFree+shapes.hits/hitsForOne || size > longestShape || size < shortestShape ||
		element.declared != nil || len(s.outer) > 0 {
		return
	}
	shapes.learnt++
	text := s.buf[p:s.pos]
	shape := &Shape{of: shapes, tag: s.tag, habit: s.habit, size: size, blocks: (size + block*8 - 1) / (block * 8)}
	for i, c := range text {
		shape.words[i/8].text |= uint64(c) << (i % 8 * 8)
		shape.words[i/8].room |= roomForNone << (i % 8 * 8)
	}
	for _, a := range s.attributes {
		a.begin, a.end = a.begin-uint32(p), a.end-uint32(p)
		for i := a.begin; i < a.end; i++ {
			switch c := text[i]; {
			case c-'0' <= 9:
				shape.words[i/8].text ^= uint64(c^'0') << (i % 8 * 8)
				shape.words[i/8].room -= (roomForNone - roomForDigit) << (i % 8 * 8)
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
