package xmlscan

// Unread makes the current start tag be read again, as if it were in the innermost of the first depth open elements;
// the others are forgotten. It returns false inside an entity, where that cannot be.
func (s *Scanner) Unread(depth int) bool {
	if len(s.outer) > 0 {
		return false
	}
	s.open = s.open[:min(depth, len(s.open))]
	s.pos = s.start
	return true
}

// PassEndTag goes on after an end tag that closes nothing, after the SyntaxError about it. It returns false inside an
// entity, where that cannot be.
func (s *Scanner) PassEndTag() bool {
	if len(s.outer) > 0 {
		return false
	}
	s.err, s.pos = nil, s.stray
	return true
}

// Resume goes on after a SyntaxError at the next start tag of an element for which known returns true, as if it were
// in the innermost of the first depth open elements, or at the next end tag of that one. It returns false if the
// input ends before such a tag.
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

// findTag moves to the next place in the buffer where Resume can go on, or as far as the buffer certainly holds none.
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
