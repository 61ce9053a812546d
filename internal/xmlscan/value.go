package xmlscan

import "unicode/utf8"

// value reads, from p to the quote, a value that startTag could not read quickly. A value that needs no change is
// returned as it is, with the form.
func (s *Scanner) value(of string, p int, quote byte, form Form) (value Attribute, after int, err error) {
	begin, mark := p, len(s.scratch)
	same := true // so far the value needs no change, and the scratch is empty
	for p < s.end {
		c := s.buf[p]
		if p-begin > s.limits.Value || len(s.scratch)-mark > s.limits.Value {
			return value, 0, s.exceeds(begin, "Value", "the value of %s has more than %d bytes", of,
				s.limits.Value)
		}
		if c == quote {
			if same {
				return Attribute{begin: uint32(begin), end: uint32(p), Form: form}, p + 1, nil
			}
			return Attribute{begin: uint32(mark), end: uint32(len(s.scratch)), Form: Resolved}, p + 1, nil
		}
		if same && (c == '&' || c < ' ') {
			same = false
			s.scratch = append(s.scratch, s.buf[begin:p]...)
		}
		n, err := s.valuePart(p)
		if err != nil {
			return value, 0, err
		}
		if same {
			s.scratch = s.scratch[:mark]
		}
		p += n
	}
	return value, 0, s.fail(s.end, "the value of %s has no closing quote", of)
}

// valuePart appends the character or the resolved reference at p to the scratch and returns its size in the text.
func (s *Scanner) valuePart(p int) (int, error) {
	switch c := s.buf[p]; {
	case c == '<':
		return 0, s.failAt(p, "'<' is not allowed in the value of an attribute (write &lt;, or close the quotes)")
	case c == '&':
		return s.valueReference(p)
	case c == '\r' && p+1 >= s.end && !s.whole:
		return 0, errMore
	case c == '\r' && s.buf[p+1] == '\n' && len(s.outer) == 0:
		s.scratch = append(s.scratch, ' ')
		return 2, nil
	case isSpace(c):
		s.scratch = append(s.scratch, ' ')
		return 1, nil
	}
	_, size, err := s.char(p)
	if err == nil {
		s.scratch = append(s.scratch, s.buf[p:p+size]...)
	}
	return size, err
}

// valueReference appends the replacement of the reference at p in the value of an attribute.
func (s *Scanner) valueReference(p int) (int, error) {
	r, entity, q, err := s.reference(p)
	if err != nil {
		return 0, err
	}
	switch {
	case entity == nil && r >= 0:
		s.scratch = utf8.AppendRune(s.scratch, r)
	case entity == nil:
		s.unresolved = string(s.buf[p:q]) // it may be declared in an unread text; nothing replaces it
	case entity.External():
		return 0, s.failAt(p, "the external entity %s in the value of an attribute", entity.Name)
	default:
		return q - p, s.expandInValue(p, entity)
	}
	return q - p, nil
}

// expandInValue appends the replacement text of an entity to the scratch.
func (s *Scanner) expandInValue(p int, entity *Entity) error {
	if err := s.enterEntity(p, p, entity); err != nil {
		return err
	}
	defer s.returnFrom()
	for at := 0; at < s.end; {
		n, err := s.valuePart(at)
		if err != nil {
			return err
		}
		at += n
	}
	return nil
}

// reference reads the reference at p. It returns a character, an entity, or, for an unknown entity that may be declared
// in an unread text, a negative character.
func (s *Scanner) reference(p int) (r rune, entity *Entity, after int, err error) {
	if s.buf[p+1] == '#' {
		r, after, err = s.characterReference(p)
		return r, nil, after, err
	}
	q, err := s.skipName(p + 1)
	if err != nil {
		if err == errMore {
			return 0, nil, 0, err
		}
		return 0, nil, 0,
			s.fail(p+1, "'&' begins a reference, and a name must follow it (write &amp; for the character)")
	}
	if s.buf[q] != ';' {
		return 0, nil, 0, s.fail(q, "the reference &%s must end with a semicolon (write &amp; for the character '&')",
			s.buf[p+1:q])
	}
	text := string(s.buf[p+1 : q])
	if r, ok := predefined[text]; ok {
		return r, nil, q + 1, nil
	}
	entity, err = s.entityNamed(p, text)
	return -1, entity, q + 1, err
}

var predefined = map[string]rune{"lt": '<', "gt": '>', "amp": '&', "quot": '"', "apos": '\''}

// characterReference reads &#10; or &#xA; at p.
func (s *Scanner) characterReference(p int) (r rune, after int, err error) {
	q, base := p+2, rune(10)
	if s.buf[q] == 'x' {
		q, base = q+1, 16
	}
	digits := q
	for ; ; q++ {
		d := digit(s.buf[q])
		if d >= base {
			break
		}
		if r = r*base + d; r > 0x10FFFF {
			r = 0x110000
		}
	}
	if q == digits || s.buf[q] != ';' {
		return 0, 0, s.fail(q, "a character reference is &#10; or &#xA;")
	}
	if !isChar(r) || r > 0x10FFFF {
		return 0, 0, s.failAt(p, "%s is a character that is not allowed in XML", s.buf[p:q+1])
	}
	return r, q + 1, nil
}

// digit returns the value of a hexadecimal digit, or a value too large for any base.
func digit(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return 16
}
