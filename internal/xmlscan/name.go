package xmlscan

import "unicode/utf8"

// NameID is the number of a name of an element or an attribute. Equal names have equal ids in one Scanner; ids are
// small and count from 0, so that tables can be indexed by them.
type NameID int32

// name has what the scanner knows about a name.
type name struct {
	id   NameID
	text string
	// head, middle and tail are the first, middle and last eight bytes of a name of at most 24 bytes. They decide
	// equality.
	head, middle, tail uint64
	// assignment is the beginning of an attribute of this name as agents write it: a space, the name, an equals sign
	// and a double quote. Its size is 0 if the name is too long.
	assignment literal
	template   *template       // of elements of this name; nil before the first
	declared   *declaredOfName // of elements of this name; nil for most
}

// names holds all names so far, and a cache that finds short names by their words.
type names struct {
	all    []*name
	byText map[string]*name
	cache  [1 << 10]*name
}

// ends returns the first, middle and last eight bytes of the n bytes at p; n is at most 24. Names shorter than eight
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

// name reads the name at p and returns the position after it.
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
		return nil, 0, s.exceeds(p, "Names", "more than %d different names of elements and attributes",
			s.limits.Names)
	}
	return s.names.add(string(s.buf[p:q])), q, nil
}

// skipName returns the position after the name at p.
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
			return 0, s.exceeds(p, "Name", "a name of more than %d bytes", s.limits.Name)
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
	if assignment := " " + text + `="`; len(assignment) <= maxLiteral {
		added.assignment = literalOf(assignment)
	}
	if n.byText == nil {
		n.byText = make(map[string]*name)
	}
	n.all = append(n.all, added)
	n.byText[text] = added
	return added
}

// templateOf returns the template of the elements of the name.
func (n *name) templateOf() *template {
	if n.template == nil {
		n.template = &template{name: n}
		if opening := n.text + " "; len(opening) <= maxLiteral {
			n.template.opening = literalOf(opening)
		}
	}
	return n.template
}

// nameOf returns the name with the text, which must be a valid name.
func (s *Scanner) nameOf(text string) *name {
	if known := s.names.byText[text]; known != nil {
		return known
	}
	return s.names.add(text)
}
