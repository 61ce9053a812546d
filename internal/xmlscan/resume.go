package xmlscan

import "io"

// Unread makes Next read the current start tag again, as a child of the innermost of the first depth open elements. It
// forgets the other open elements. It returns false inside an entity, where this is impossible.
func (s *Scanner) Unread(depth int) bool {
	if len(s.outer) > 0 {
		return false
	}
	s.open = s.open[:min(depth, len(s.open))]
	s.pos = s.start
	return true
}

// PassEndTag continues after an end tag that closes nothing, once Next has returned the SyntaxError about it. It
// returns false inside an entity, where this is impossible.
func (s *Scanner) PassEndTag() bool {
	if len(s.outer) > 0 {
		return false
	}
	s.err, s.pos = nil, s.stray
	return true
}

// Resume continues after a SyntaxError at the next start tag of an element for which known returns true, as a child of
// the innermost of the first depth open elements, or at the next end tag of that one. It returns false if the input
// ends before such a tag.
func (s *Scanner) Resume(depth int, known func(name []byte) bool) bool {
	s.err = nil
	s.resuming = true
	defer func() { s.resuming = false }()
	if len(s.outer) > 0 {
		s.leaveAll()
		s.start = s.pos - 1
	}
	s.open = s.open[:min(depth, len(s.open))]
	s.pos = min(max(s.start+1, s.beyond), s.end)
	for {
		if s.findTag(known) {
			return true
		}
		if s.whole {
			return false
		}
		s.start = s.pos
		if s.err = s.more(); s.err != nil {
			return false
		}
	}
}

// findTag moves to the next place in the buffer where Resume can continue, or as far as the buffer certainly has none.
func (s *Scanner) findTag(known func(name []byte) bool) bool {
	for ; s.pos < s.end; s.pos++ {
		if s.buf[s.pos] != '<' {
			continue
		}
		q := s.pos + 1
		closing := s.buf[q] == '/'
		if closing {
			q++
		}
		n := nameEnd(s.buf, q)
		if n >= s.end && !s.whole && n-q <= s.limits.Name {
			return false
		}
		if closing && len(s.open) > 0 && s.open[len(s.open)-1].text == string(s.buf[q:n]) || !closing &&
			known(s.buf[q:n]) {
			return true
		}
	}
	return false
}

// Detach removes the input that was read after the current token from the scanner and returns it; last reports whether
// the input ends with it. ok is false inside an entity, or in an input that is not in UTF-8: nothing is removed.
func (s *Scanner) Detach() (rest []byte, last, ok bool) {
	if len(s.outer) > 0 || s.input.coding != utf8Coding || len(s.input.raw) > 0 {
		return nil, false, false
	}
	s.start = s.pos
	s.moveOrigin()
	rest = append(rest, s.buf[s.pos:s.end]...)
	s.slid += s.start
	s.start, s.pos, s.end, s.originAt = 0, 0, 0, 0
	clear(s.buf[:padding])
	return rest, s.whole, true
}

// Begin is the position at which a text begins.
var Begin = Position{Line: 1, Column: 1}

// Passed tells a detached scanner that others have read a text; end is Begin.Advance(text).
func (s *Scanner) Passed(end Position) {
	if s.origin.Line += end.Line - 1; end.Line > 1 {
		s.origin.Column = end.Column
	} else {
		s.origin.Column += end.Column - 1
	}
	s.origin.Offset += end.Offset
	s.slid += int(end.Offset)
}

// Attach makes a detached scanner continue with another reader, and clears its error.
func (s *Scanner) Attach(r io.Reader) {
	s.input.reader, s.input.over, s.whole, s.err = r, false, false, nil
}

// Idle reports whether the scanner has consumed all that it has read, and is inside nothing but depth elements.
func (s *Scanner) Idle(depth int) bool {
	return s.pos == s.end && len(s.outer) == 0 && len(s.open) == depth && !s.resuming
}

// Branch returns a Scanner for parts of the same input: texts that Reset passes it, each a run of elements at the
// depth. It declares and resolves no entities.
func (s *Scanner) Branch(depth int) *Scanner {
	branch := &Scanner{settings: settings{limits: s.limits, fragments: true, skipBlank: s.skipBlank}}
	branch.templates = templates{off: s.templates.off, last: new(template)}
	branch.limits.Depth -= depth
	branch.input = source{detected: true, asciiOnly: s.input.asciiOnly}
	if s.doctype != nil {
		branch.adopt(s.doctype)
	}
	return branch
}

// Reset makes a branch read another text. Padding zero bytes must follow the text.
func (s *Scanner) Reset(text []byte) {
	s.frame = frame{buf: text[:len(text)+padding], end: len(text), whole: true}
	s.origin, s.originAt, s.slid = Begin, 0, 0
	s.open, s.outer, s.err, s.begun = s.open[:0], s.outer[:0], nil, true
	s.fragments, s.rootSeen = true, false
}
