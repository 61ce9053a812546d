package xmlscan

import (
	"fmt"
	"unicode/utf8"
)

const doubleQuotes = ones * '"'

// startTag reads the start tag at p.
//
// Each attribute is first compared with the one that the template expects, by the words of ` name="`. If they differ,
// attribute reads it. A value without special characters is used as it is in the input.
func (s *Scanner) startTag(p int) (Token, error) {
	if len(s.open) == 0 && s.rootSeen && !s.fragments {
		return nothing, s.failAt(p, "a second element after the end of the document")
	}
	t, p, err := s.tagName(p + 1)
	if err != nil {
		return nothing, err
	}
	s.scratch, s.unresolved = s.scratch[:0], ""
	s.pattern, s.tagAt = 0, 0
	s.missed(t)
	form, p, err := s.readAttributes(t, p)
	if err != nil {
		return nothing, err
	}
	s.template, s.arranged = t.id, t.id
	if !form.matches {
		s.template = 0
		if t.orders < maxOrders || !form.arranged(len(s.attributes)) {
			s.arranged = 0
			if err := s.checkAttributes(t); err != nil {
				return nothing, err
			}
		}
	}
	if t.name.declared != nil {
		changed, err := s.applyDefaults(t.name.declared)
		if err != nil {
			return nothing, err
		}
		if changed {
			form.plain, s.template, s.arranged = false, 0, 0
		}
	}
	if !form.empty {
		if len(s.open) >= s.limits.Depth {
			return nothing, s.exceeds(s.start, "Depth", "more than %d elements inside each other",
				s.limits.Depth)
		}
		s.open = append(s.open, t.name)
	}
	s.tag, s.empty, s.plain = t.name, form.empty, form.plain && form.empty
	s.pos, s.rootSeen = p, true
	if s.plain && s.template != 0 {
		s.learnPattern(t)
	}
	return StartTag, nil
}

// tagForm is how a start tag is written.
type tagForm struct {
	matches bool   // its attributes match its template
	plain   bool   // see Plain
	empty   bool   // it ends with a slash
	found   uint64 // its attributes of the template, as bits; and unexpected for anything else
}

// unexpected is the bit for an attribute that is not in the template, or whose value is Resolved.
const unexpected = 63

// add adds an attribute whose value has special characters.
func (f *tagForm) add(a *Attribute) {
	f.plain, f.matches = f.plain && a.Form == Raw, f.matches && a.Form == Raw
	if f.found |= 1 << a.Place; a.Form > Quoted {
		f.found |= 1 << unexpected
	}
}

// tagEnd returns the size of the tag's end at p, > or />; 0 for anything else.
func tagEnd(buf []byte, p int) int {
	switch {
	case buf[p] == '>':
		return len(">")
	case buf[p] == '/' && buf[p+1] == '>':
		return len("/>")
	}
	return 0
}

// firstBits returns n bits, from the lowest on: the attributes with which a template begins.
func firstBits(n int) uint64 { return 1<<n - 1 }

// arranged reports whether the tag has exactly the first n attributes of the template.
func (f *tagForm) arranged(n int) bool { return n < unexpected && f.found == firstBits(n) }

// readAttributes reads the attributes from p to the end of the tag, and returns the position after it.
func (s *Scanner) readAttributes(t *template, p int) (form tagForm, _ int, err error) {
	form = tagForm{matches: t.id != 0, plain: true}
	expected, attributes, buf := t.expected, s.slots[:0], s.buf
	for at := 0; ; {
		var this *name
		written, quotes, found := Raw, uint64(doubleQuotes), at
		if (form.matches || t.orders < maxOrders) && at < len(expected) && expected[at].at(buf, p) {
			this = expected[at].name
			p += this.assignment.size
			at++
		} else if i := t.find(buf, p); i >= 0 && len(attributes) < s.limits.Attributes { // in another order
			this = expected[i].name
			p += this.assignment.size
			at, found, form.matches = i+1, i, false
			if buf[p-1] != '"' {
				quotes, written, form.plain = ones*'\'', Quoted, false
			}
		} else if size := tagEnd(buf, p); size > 0 {
			p, form.empty = p+size, size == len("/>")
			break
		} else {
			var quote byte
			s.attributes = attributes
			if this, p, quote, err = s.attribute(p); err != nil {
				return form, 0, err
			}
			if this == nil { // white space before the end of the tag
				form.plain = false
				continue
			}
			at, found, form.matches = next(expected, this, at), unexpected, false
			if quotes = ones * uint64(quote&^spaced); quote != '"' {
				written, form.plain = Quoted, false
			}
		}
		var end int
		if end = digitsEnd(buf, p); buf[end] != byte(quotes) {
			end = plainEnd(buf, end, quotes)
		}
		if buf[end] == byte(quotes) && end-p <= s.limits.Value {
			attributes = append(attributes, Attribute{this.id, uint32(p), uint32(end), written, uint16(found)})
			form.found |= 1 << found
			p = end + 1
			continue
		}
		value, after, err := s.value(this.text, p, byte(quotes), written)
		if err != nil {
			return form, 0, err
		}
		value.Name, value.Place = this.id, uint16(found)
		form.add(&value)
		attributes = append(attributes, value)
		p = after
	}
	s.attributes, s.slots = attributes, attributes
	return form, p, nil
}

// tagName reads the name of an element at p, and returns its template and the position after it. It first tries the
// element that followed the last time.
func (s *Scanner) tagName(p int) (t *template, end int, err error) {
	before := s.templates.last
	if guess := before.next; guess != nil && guess.opening.at(s.buf, p) {
		s.templates.last = guess
		return guess, p + guess.opening.size - 1, nil
	}
	prefix := word(s.buf, p)
	for _, guess := range &s.templates.byPrefix[prefix*spreading>>56] {
		if guess != nil && guess.opening.at(s.buf, p) {
			s.templates.last, before.next = guess, guess
			return guess, p + guess.opening.size - 1, nil
		}
	}
	tag, end, err := s.name(p)
	if err != nil {
		return nil, 0, err
	}
	t = tag.templateOf()
	if end < s.end && t.opening.size > 0 {
		s.templates.last, before.next = t, t
		s.templates.add(t, prefix)
	}
	return t, end, nil
}

// spaced marks a quote whose attribute has more white space around its name than one space before it.
const spaced = 0x80

// attribute reads an attribute from the white space before it up to its value; after is behind the opening quote. The
// name is nil if only white space precedes the end of the tag.
func (s *Scanner) attribute(p int) (this *name, after int, quote byte, err error) {
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
		return nil, 0, 0, s.exceeds(q, "Attributes", "an element of more than %d attributes",
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
		return nil, 0, 0, s.fail(opening, "the value of %s must be in quotes", this.text)
	}
	if q != p+1 || s.buf[p] != ' ' || opening != e+1 {
		quote |= spaced
	}
	return this, opening + 1, quote, nil
}

// charAt returns the error for an invalid character at p, or nil.
func (s *Scanner) charAt(p int) error {
	if p >= s.end {
		return nil
	}
	_, _, err := s.char(p)
	return err
}

// checkTagEnd checks that the end of the tag follows a slash.
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

// next returns the index of the attribute expected after this one. at was the guess for this one.
func next(expected []expected, this *name, at int) int {
	for i := range expected {
		if expected[i].name == this {
			return i + 1
		}
	}
	return at
}

// checkAttributes reports an attribute that the current tag has twice, and learns the order of the others. Attributes
// that match a template need no check.
func (s *Scanner) checkAttributes(t *template) error {
	if twice := s.markAttributes(); twice >= 0 {
		return s.failAt(s.placeOf(twice), "the attribute %s occurs twice in one element",
			s.TextOf(s.attributes[twice].Name))
	}
	s.learnOrder(t)
	return nil
}

// markAttributes marks the attributes of the current tag as seen. It returns the index of a repeated one, or -1.
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

// placeOf returns a place near the attribute of the index, for messages.
func (s *Scanner) placeOf(i int) int {
	for ; i >= 0; i-- {
		if s.attributes[i].Form <= Quoted {
			return int(s.tagAt + s.attributes[i].begin)
		}
	}
	return s.start
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

// strayEndTag returns the error for an end tag from p to after that closes nothing.
func (s *Scanner) strayEndTag(p, after int, tag *name, format string, arguments ...any) error {
	s.stray = after
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
