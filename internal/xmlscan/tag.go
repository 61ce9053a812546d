package xmlscan

import (
	"fmt"
	"unicode/utf8"
)

const doubleQuotes = ones * '"'

// startTag reads the start tag at p.
//
// This is the scanner's hot loop. Each attribute is first tried as the one that stood here the last time, by comparing
// the words of ` name="`; if it is another one, attribute finds it out. Either way its value follows, and is taken as
// it stands if it holds nothing special.
func (s *Scanner) startTag(p int) (Token, error) {
	if len(s.open) == 0 && s.rootSeen && !s.fragments {
		return nothing, s.failAt(p, "a second element after the end of the document")
	}
	begin := p
	tag, p, err := s.tagName(p + 1)
	if err != nil {
		return nothing, err
	}
	element := tag.elementOf()
	s.scratch, s.unresolved = s.scratch[:0], ""
	s.shape, s.tagAt = nil, 0
	expected := element.expected
	at, p := s.usualAttributes(element.usual, p)
	attributes := s.slots[:at]
	habitual, plain, empty := true, true, false
	buf := s.buf
	for {
		var this *name
		form, quotes := Raw, uint64(doubleQuotes)
		if at < len(expected) && expected[at].usual.at(buf, p) {
			this = expected[at]
			p += this.usual.size
			at++
		} else {
			if buf[p] == '>' {
				p++
				break
			}
			if buf[p] == '/' && buf[p+1] == '>' {
				p, empty = p+2, true
				break
			}
			var quote byte
			s.attributes = attributes
			if this, p, quote, err = s.attribute(p); err != nil {
				return nothing, err
			}
			if this == nil { // white space before the end of the tag
				plain = false
				continue
			}
			at, habitual = next(expected, this, at), false
			if quotes = ones * uint64(quote&^unusual); quote != '"' {
				form, plain = Quoted, false
			}
		}
		var end int
		if end = digitsEnd(buf, p); buf[end] != byte(quotes) {
			end = plainEnd(buf, end, quotes)
		}
		if buf[end] == byte(quotes) && end-p <= s.limits.Value {
			attributes = append(attributes, Attribute{this.id, uint32(p), uint32(end), form})
			p = end + 1
			continue
		}
		value, behind, err := s.value(this.text, p, byte(quotes), form)
		if err != nil {
			return nothing, err
		}
		value.Name = this.id
		plain, habitual = plain && value.Form == Raw, habitual && value.Form == Raw
		attributes = append(attributes, value)
		p = behind
	}
	s.attributes, s.slots = attributes, attributes
	s.habit = element.lessons
	if !habitual {
		s.habit = -1
		if err := s.checkAttributes(element); err != nil {
			return nothing, err
		}
	}
	if element.declared != nil {
		changed, err := s.applyDeclarations(element)
		if err != nil {
			return nothing, err
		}
		if changed {
			plain, s.habit = false, -1
		}
	}
	if !empty {
		if len(s.open) >= s.limits.Depth {
			return nothing, s.failAt(s.start, "more than %d elements inside each other (limit: max-depth)",
				s.limits.Depth)
		}
		s.open = append(s.open, tag)
	}
	s.tag, s.empty, s.plain = tag, empty, plain && empty
	s.pos, s.rootSeen = p, true
	if s.plain && s.habit >= 0 {
		s.learnShape(element, begin)
	}
	return StartTag, nil
}

// usualAttributes reads attributes at p as long as they are the expected ones and their values are short or long
// numbers or other plain texts. It returns how many these are, and where the next one stands. It is startTag's loop for
// nearly all attributes of nearly all traces, without what the others need.
func (s *Scanner) usualAttributes(expected []usual, p int) (n, behind int) {
	if cap(s.slots) < len(expected) {
		s.slots = make([]Attribute, 0, 2*len(expected))
	}
	buf, attributes, longest := s.buf, s.slots[:len(expected)], s.limits.Value
	for i := range attributes {
		e := &expected[i]
		name := (*[maxLiteral]byte)(buf[p:])
		differ := (word(name[:], 0)^e.words[0])&e.masks[0] | (word(name[:], 8)^e.words[1])&e.masks[1]
		if e.size > 16 {
			differ |= (word(name[:], 16) ^ e.words[2]) & e.masks[2]
		}
		if differ != 0 {
			return i, p
		}
		begin := p + e.size
		value := (*[longNumber + 4]byte)(buf[begin:])
		size := e.length
		if size == longNumber {
			if value[longNumber] != '"' || value[10] != '.' ||
				noDigits(word(value[:], 0))|noDigits(word(value[:], 8)^point)|noDigits(word(value[:], 12)) != 0 {
				size = wrongGuess
			}
		} else if n := first(noDigits(word(value[:], 0))); n != size || value[n&15] != '"' {
			size = wrongGuess
		}
		if size == wrongGuess {
			size = first(noDigits(word(value[:], 0)))
			if value[size&15] != '"' {
				size = plainEnd(buf, begin+size, doubleQuotes) - begin
			}
			if buf[begin+size] != '"' {
				return i, p
			}
			e.length = size
		}
		if size > longest {
			return i, p
		}
		attributes[i] = Attribute{e.id, uint32(begin), uint32(begin + size), Raw}
		p = begin + size + 1
	}
	return len(attributes), p
}

// tagName reads the name of an element at p. Elements come in habits: the one that followed the last time is tried
// first.
func (s *Scanner) tagName(p int) (tag *name, behind int, err error) {
	before := s.last
	if guess := before.follower; guess != nil && guess.opening.at(s.buf, p) {
		s.last = guess
		return guess, p + guess.opening.size - 1, nil
	}
	likely := &s.names.likely[word(s.buf, p)*spreading>>56]
	for _, guess := range likely {
		if guess != nil && guess.opening.at(s.buf, p) {
			s.last, before.follower = guess, guess
			return guess, p + guess.opening.size - 1, nil
		}
	}
	if tag, behind, err = s.name(p); err == nil && behind < s.end && tag.opening.size > 0 {
		s.last, before.follower = tag, tag
		likely[0], likely[1] = tag, likely[0]
	}
	return tag, behind, err
}

// unusual marks a quote whose attribute does not begin as usual: the white space around the name is more than one
// space.
const unusual = 0x80

// attribute reads an attribute from the white space before it, to its value; p is behind the opening quote. The name is
// nil if white space before the end of the tag was all there was.
func (s *Scanner) attribute(p int) (this *name, behind int, quote byte, err error) {
	q := s.skipSpace(p)
	if q == s.end && !s.whole {
		return nil, 0, 0, errMore
	}
	if c := s.buf[q]; c == '/' || c == '>' && q > p {
		return nil, q, 0, s.checkTagEnd(q)
	}
	if q == p {
		if err := s.charAt(p); err != nil {
			return nil, 0, 0, err
		}
		return nil, 0, 0, s.fail(p, "%s: white space and an attribute, or the end of the tag, is expected here",
			s.describe(p))
	}
	if len(s.attributes) >= s.limits.Attributes {
		return nil, 0, 0, s.failAt(q, "an element of more than %d attributes (limit: max-attributes)",
			s.limits.Attributes)
	}
	this, e, err := s.name(q)
	if err != nil {
		return nil, 0, 0, err
	}
	eq := s.skipSpace(e)
	if s.buf[eq] != '=' {
		if err := s.charAt(eq); err != nil {
			return nil, 0, 0, err
		}
		return nil, 0, 0, s.fail(eq, `the attribute %s has no value; ="…" is expected here`, this.text)
	}
	opening := s.skipSpace(eq + 1)
	quote = s.buf[opening]
	if quote != '"' && quote != '\'' {
		return nil, 0, 0, s.fail(opening, "the value of %s must stand in quotes", this.text)
	}
	if q != p+1 || s.buf[p] != ' ' || opening != e+1 {
		quote |= unusual
	}
	return this, opening + 1, quote, nil
}

// charAt is the error for what is no character at p, if there is anything.
func (s *Scanner) charAt(p int) error {
	if p >= s.end {
		return nil
	}
	_, _, err := s.char(p)
	return err
}

// checkTagEnd sees to it that a slash is followed by the end of the tag.
func (s *Scanner) checkTagEnd(p int) error {
	if s.buf[p] == '/' && s.buf[p+1] != '>' {
		return s.fail(p+1, "a slash in a tag must be followed by >")
	}
	return nil
}

func (s *Scanner) skipSpace(p int) int {
	for p < s.end && isSpace(s.buf[p]) {
		p++
	}
	return p
}

// next is the index of the attribute that is expected after this one, of which at was the guess.
func next(expected []*name, this *name, at int) int {
	for i, candidate := range expected {
		if candidate == this {
			return i + 1
		}
	}
	return at
}

// checkAttributes sees to it that none of the attributes stands twice, and learns what to expect the next time.
// Attributes that came as expected need no check.
func (s *Scanner) checkAttributes(element *element) error {
	if twice := s.markAttributes(); twice >= 0 {
		return s.failAt(s.placeOf(twice), "the attribute %s stands twice in one element",
			s.TextOf(s.attributes[twice].Name))
	}
	if element.lessons < maxLessons {
		if element.learn(s.names.all, s.attributes) {
			s.names.shapes -= element.shapes.forget() // their habit is no longer that of the element
		}
	}
	return nil
}

// markAttributes notes which attributes are there. It returns the index of one that stands twice, or -1.
func (s *Scanner) markAttributes() (twice int) {
	s.generation++
	if len(s.seen) < len(s.names.all) {
		s.seen = append(s.seen, make([]uint32, len(s.names.all)-len(s.seen)+64)...)
	}
	for i := range s.attributes {
		seen := &s.seen[s.attributes[i].Name]
		if *seen == s.generation {
			return i
		}
		*seen = s.generation
	}
	return -1
}

// placeOf is a place near the attribute of the index, for messages.
func (s *Scanner) placeOf(i int) int {
	for ; i >= 0; i-- {
		if s.attributes[i].Form <= Quoted {
			return int(s.tagAt + s.attributes[i].begin)
		}
	}
	return s.start
}

// learn makes the attributes of an element the expected ones, if they are more than that. An element of which some are
// left out teaches nothing, and learn returns false.
func (e *element) learn(all []*name, attributes []Attribute) bool {
	if len(attributes) < len(e.expected) {
		return false
	}
	e.lessons++
	e.expected, e.usual = e.expected[:0:0], e.usual[:0:0]
	for _, attribute := range attributes {
		if this := all[attribute.Name]; this.usual.size > 0 {
			e.expected = append(e.expected, this)
			e.usual = append(e.usual, usual{literal: this.usual, id: this.id})
		}
	}
	return true
}

// endTag reads the end tag at p.
func (s *Scanner) endTag(p int) (Token, error) {
	tag, q, err := s.name(p + 2)
	if err != nil {
		return nothing, err
	}
	q = s.skipSpace(q)
	if s.buf[q] != '>' {
		return nothing, s.fail(q, "%s in an end tag; > is expected here", s.describe(q))
	}
	floor := 0
	if len(s.outer) > 0 {
		floor = s.outer[len(s.outer)-1].depth
	}
	if len(s.open) <= floor {
		return nothing, s.strayEndTag(p, q+1, tag, "</%s> has no start tag", tag.text)
	}
	if innermost := s.open[len(s.open)-1]; innermost != tag {
		return nothing, s.strayEndTag(p, q+1, tag, "</%s> where </%s> is expected", tag.text, innermost.text)
	}
	s.open = s.open[:len(s.open)-1]
	s.tag, s.pos = tag, q+1
	return EndTag, nil
}

// strayEndTag is the error for an end tag from p to behind that closes nothing.
func (s *Scanner) strayEndTag(p, behind int, tag *name, format string, arguments ...any) error {
	s.stray = behind
	err := s.failAt(p, format, arguments...).(*SyntaxError)
	err.EndTag = tag.text
	return err
}

// describe names the character at p, which was not expected.
func (s *Scanner) describe(p int) string {
	r, size := utf8.DecodeRune(s.buf[p:s.end])
	switch {
	case size == 0:
		return "the end of the text"
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf("the byte 0x%02X", s.buf[p])
	case r > ' ' && r < 0x7F:
		return "'" + string(r) + "'"
	}
	return fmt.Sprintf("the character U+%04X", r)
}
