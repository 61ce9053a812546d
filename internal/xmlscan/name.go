package xmlscan

import "unicode/utf8"

// NameID stands for a name of an element or an attribute. Equal names have equal ids in one Scanner; ids are small and
// count from 0, so that tables can be indexed by them.
type NameID int32

// name is what the scanner knows of a name.
type name struct {
	id   NameID
	text string
	// head and tail are the first and the last eight bytes of a name of at most 24 bytes; with middle they decide
	// equality.
	head, middle, tail uint64
	// element is what is known of the elements of this name; nil before the first.
	element *element
	// opening is the name with a space behind it, as a tag with attributes begins; follower is the element that came
	// after the last element of this name.
	opening  literal
	follower *name
	// usual is the attribute's beginning as agents write it: a space, the name, an equals sign and a double quote. Its
	// size is 0 if the name is too long.
	usual literal
}

// element is what the scanner knows of the elements of a name.
type element struct {
	// expected are the attributes of the last element that taught the scanner anything, in their order; usual is the
	// same, side by side in memory.
	expected []*name
	usual    []usual
	// lessons counts how often expected was changed. An element kind whose attributes come in ever other orders is soon
	// left alone, for teaching costs more than it brings.
	lessons int
	shapes  shapes
	// declared are the attributes that the document's own declarations give a default or a type that matters; nil for
	// most.
	declared map[NameID]*AttributeDeclaration
	defaults []*AttributeDeclaration // those of them with a default
}

// usual is how an attribute begins as agents write it, and how long its last value was. To guess the length lets the
// processor go on with the next attribute before it knows where this one ends.
type usual struct {
	literal
	length int
	id     NameID
}

const wrongGuess = -1

const maxLessons = 16

// names holds all names that were met, and a cache that finds the short ones by their words.
type names struct {
	all    []*name
	byText map[string]*name
	cache  [1 << 10]*name
	likely [1 << 8][2]*name // elements by the first eight bytes of their tags
	shaped [1 << 8][2]*shapes
	shapes int // how many shapes all elements have
}

// ends gives the first, middle and last eight bytes of the n bytes at p; n is at most 24. Names shorter than eight
// bytes are filled with zeros.
func ends(b []byte, p, n int) (head, middle, tail uint64) {
	head = word(b, p)
	if n < 8 {
		return head & (1<<(n*8) - 1), 0, 0
	}
	tail = word(b, p+n-8)
	if n > 16 {
		middle = word(b, p+8)
	}
	return head, middle, tail
}

// spreading is an odd number that makes the upper bits of a product depend on all bits of a word.
const spreading = 0x9E3779B97F4A7C15

func slot(head, tail uint64, n int) uint64 {
	return (head ^ tail*31 + uint64(n)) * spreading >> 54
}

// name reads the name at p and returns the position behind it.
func (s *Scanner) name(p int) (*name, int, error) {
	q := nameEnd(s.buf, p)
	n := q - p
	if n == 0 || n > maxLiteral || s.buf[q] >= utf8.RuneSelf { // it may go on beyond ASCII
		return s.anyName(p)
	}
	head, middle, tail := ends(s.buf, p, n)
	cached := &s.names.cache[slot(head, tail, n)]
	if known := *cached; known != nil && known.head == head && known.tail == tail && known.middle == middle &&
		len(known.text) == n {
		return known, q, nil
	}
	found, q, err := s.anyName(p)
	if err == nil && q-p == n {
		*cached = found
	}
	return found, q, err
}

// anyName reads the name at p character by character.
func (s *Scanner) anyName(p int) (*name, int, error) {
	q, err := s.skipName(p)
	if err != nil {
		return nil, 0, err
	}
	if known := s.names.byText[string(s.buf[p:q])]; known != nil {
		return known, q, nil
	}
	if len(s.names.all) >= s.limits.Names {
		return nil, 0, s.failAt(p, "more than %d different names of elements and attributes (limit: max-names)",
			s.limits.Names)
	}
	return s.names.add(string(s.buf[p:q])), q, nil
}

// skipName returns the position behind the name at p.
func (s *Scanner) skipName(p int) (int, error) {
	q := p
	for q < s.end {
		r, size, err := s.char(q)
		if err != nil {
			return 0, err
		}
		if !isNameChar(r) || q == p && !isNameStart(r) {
			break
		}
		if q += size; q-p > s.limits.Name {
			return 0, s.failAt(p, "a name of more than %d bytes (limit: max-name)", s.limits.Name)
		}
	}
	if q == p || q == s.end {
		if err := s.fail(q, "a name is expected here"); q == p || err == errMore {
			return 0, err
		}
	}
	return q, nil
}

func (n *names) add(text string) *name {
	added := &name{id: NameID(len(n.all)), text: text}
	if len(text) <= maxLiteral {
		padded := append([]byte(text), make([]byte, padding)...)
		added.head, added.middle, added.tail = ends(padded, 0, len(text))
	}
	if opening := text + " "; len(opening) <= maxLiteral {
		added.opening = literalOf(opening)
	}
	if usual := " " + text + `="`; len(usual) <= maxLiteral {
		added.usual = literalOf(usual)
	}
	if n.byText == nil {
		n.byText = make(map[string]*name)
	}
	n.all = append(n.all, added)
	n.byText[text] = added
	return added
}

// elementOf is what is known of the elements of the name.
func (n *name) elementOf() *element {
	if n.element == nil {
		n.element = new(element)
	}
	return n.element
}
