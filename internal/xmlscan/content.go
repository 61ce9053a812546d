package xmlscan

import (
	"bytes"
	"unicode/utf8"
)

// content reads the character data or the reference at p, inside an element.
func (s *Scanner) content(p int) (Token, error) {
	if s.buf[p] == '&' {
		return s.contentReference(p)
	}
	if q := s.skipSpace(p); q < s.end && (s.buf[q] == '<' || s.buf[q] == '&') || q == s.end && s.whole {
		return s.characters(s.normalised(p, q), true, true, q)
	}
	q := s.end
	if markup := bytes.IndexAny(s.buf[p:s.end], "<&"); markup >= 0 {
		q = p + markup
	} else if !s.whole && q-p <= s.limits.Value {
		return nothing, errMore
	}
	if err := s.checkText(p, q); err != nil {
		return nothing, err
	}
	return s.characters(s.normalised(p, q), true, false, q)
}

// characters returns character data that ends before after.
func (s *Scanner) characters(text []byte, literal, blank bool, after int) (Token, error) {
	s.text, s.literal, s.blank, s.pos = text, literal, blank, after
	return Text, nil
}

// checkText checks the character data from p to q.
func (s *Scanner) checkText(p, q int) error {
	if q-p > s.limits.Value {
		return s.exceeds(p, "Value", "%s of more than %d bytes", s.what(), s.limits.Value)
	}
	if err := s.checkChars(p, q); err != nil {
		return err
	}
	if closing := bytes.Index(s.buf[p:q], []byte("]]>")); closing >= 0 {
		return s.failAt(p+closing, "]]> is not allowed in text (write ]]&gt;)")
	}
	return nil
}

// normalised returns the text from p to q with every line end as a single line feed. Replacement texts of entities are
// normalised already.
func (s *Scanner) normalised(p, q int) []byte {
	text := s.buf[p:q]
	if len(s.outer) > 0 || bytes.IndexByte(text, '\r') < 0 {
		return text
	}
	s.scratch = normaliseLines(s.scratch[:0], text)
	return s.scratch
}

// normaliseLines appends text with every line end as a single line feed.
func normaliseLines(dst, text []byte) []byte {
	for i, c := range text {
		switch {
		case c != '\r':
			dst = append(dst, c)
		case i+1 == len(text) || text[i+1] != '\n':
			dst = append(dst, '\n')
		}
	}
	return dst
}

// contentReference reads the reference at p, inside an element.
func (s *Scanner) contentReference(p int) (Token, error) {
	r, entity, q, err := s.reference(p)
	switch {
	case err != nil:
		return nothing, err
	case entity == nil && r >= 0:
		s.scratch = utf8.AppendRune(s.scratch[:0], r)
		return s.characters(s.scratch, false, false, q)
	}
	known := entity != nil
	if known {
		if known, err = s.fetch(p, entity); err != nil {
			return nothing, err
		}
	}
	if !known {
		s.text, s.pos = s.buf[p:q], q
		return Skipped, nil
	}
	s.references++
	return nothing, s.enterEntity(p, q, entity)
}

// markup reads the comment, CDATA section or document type declaration at p.
func (s *Scanner) markup(p int) (Token, error) {
	switch rest := s.buf[p+2 : s.end]; {
	case bytes.HasPrefix(rest, []byte("--")):
		return s.comment(p)
	case bytes.HasPrefix(rest, []byte("[CDATA[")) && len(s.open) > 0:
		return s.cdata(p)
	case bytes.HasPrefix(rest, []byte("DOCTYPE")) && len(s.open) == 0:
		return s.doctypeDeclaration(p)
	case !s.whole && len(rest) < len("[CDATA["):
		return nothing, errMore
	}
	return nothing,
		s.failAt(p,
			"<! begins a comment (<!--) or, inside an element, a CDATA section (<![CDATA[), or before the first "+
				"element <!DOCTYPE")
}

func (s *Scanner) comment(p int) (Token, error) {
	begin := p + len("<!--")
	q, err := s.find(begin, "--")
	if err != nil {
		return nothing, err
	}
	if s.buf[q+2] != '>' {
		return nothing, s.fail(q+2, "-- is not allowed in a comment")
	}
	if err := s.checkChars(begin, q); err != nil {
		return nothing, err
	}
	s.text, s.pos = s.normalised(begin, q), q+3
	return Comment, nil
}

func (s *Scanner) cdata(p int) (Token, error) {
	begin := p + len("<![CDATA[")
	q, err := s.find(begin, "]]>")
	if err != nil {
		return nothing, err
	}
	if err := s.checkChars(begin, q); err != nil {
		return nothing, err
	}
	return s.characters(s.normalised(begin, q), false, false, q+3)
}

// find returns the place of the ending of the current token, from p on.
func (s *Scanner) find(p int, ending string) (int, error) {
	p = min(p, s.end)
	n := bytes.Index(s.buf[p:s.end], []byte(ending))
	switch {
	case n > s.limits.Value || n < 0 && s.end-p > s.limits.Value:
		s.beyond = p + s.limits.Value
		return 0, s.exceeds(s.start, "Value", "%s of more than %d bytes", s.what(), s.limits.Value)
	case n < 0:
		return 0, s.fail(s.end, "%s has no end; %s is missing", s.what(), ending)
	}
	return p + n, nil
}

// instruction reads the processing instruction or the XML declaration at p.
func (s *Scanner) instruction(p int) (Token, error) {
	q, err := s.skipName(p + 2)
	if err != nil {
		return nothing, err
	}
	target := s.buf[p+2 : q]
	if len(target) == 3 && bytes.EqualFold(target, []byte("xml")) {
		return s.xmlDeclaration(p, q)
	}
	end, err := s.find(q, "?>")
	if err != nil {
		return nothing, err
	}
	if end > q && !isSpace(s.buf[q]) {
		return nothing, s.failAt(q, "white space or ?> must follow the name of a processing instruction")
	}
	if err := s.checkChars(q, end); err != nil {
		return nothing, err
	}
	s.text, s.pos = s.normalised(p+2, end), end+2
	return Instruction, nil
}

// xmlDeclaration reads the XML declaration at p; q is after its name.
func (s *Scanner) xmlDeclaration(p, q int) (Token, error) {
	if s.begun || p > s.start || len(s.outer) > 0 || string(s.buf[p+2:q]) != "xml" {
		return nothing,
			s.failAt(p, "an XML declaration (<?xml …?>) is only allowed at the very beginning of the document")
	}
	end, err := s.find(q, "?>")
	if err != nil {
		return nothing, err
	}
	if err := s.declarationParts(q, end); err != nil {
		return nothing, err
	}
	s.recodeRest(end + 2)
	s.pos = end + 2
	return Declaration, nil
}

// declarationPart is a part of the XML declaration or, in an external entity, of the text declaration.
type declarationPart struct {
	name     string
	required bool
	apply    func(p int, value string) error
}

// declarationParts reads version, encoding and standalone, in that order, from q to end.
func (s *Scanner) declarationParts(q, end int) error {
	form := `the XML declaration has the form <?xml version="1.0" encoding="…" standalone="yes"?>`
	parts := []declarationPart{{"version", true, s.declareVersion}, {"encoding", false, s.declareEncoding},
		{"standalone", false, s.declareStandalone}}
	if s.ofEntity {
		form = `the text declaration has the form <?xml version="1.0" encoding="…"?>`
		parts = []declarationPart{{"version", false, s.declareVersion}, {"encoding", true, s.declareEncoding}}
	}
	for _, part := range parts {
		at := s.skipSpace(q)
		if !bytes.HasPrefix(s.buf[at:end], []byte(part.name)) {
			if part.required {
				return s.failAt(at, "%s", form)
			}
			continue
		}
		eq := s.skipSpace(at + len(part.name))
		opening := s.skipSpace(eq + 1)
		if at == q || s.buf[eq] != '=' || opening >= end || s.buf[opening] != '"' && s.buf[opening] != '\'' {
			return s.failAt(at, "%s", form)
		}
		size := bytes.IndexByte(s.buf[opening+1:end], s.buf[opening])
		if size < 0 {
			return s.failAt(opening, "%s", form)
		}
		if err := part.apply(opening+1, string(s.buf[opening+1:opening+1+size])); err != nil {
			return err
		}
		q = opening + size + 2
	}
	if at := s.skipSpace(q); at != end {
		return s.failAt(at, "%s", form)
	}
	return nil
}

func (s *Scanner) declareVersion(p int, value string) error {
	digits, ok := bytes.CutPrefix([]byte(value), []byte("1."))
	if !ok || len(digits) == 0 || len(bytes.Trim(digits, "0123456789")) > 0 {
		return s.failAt(p, "the version of XML must be 1.0")
	}
	if later := value != "1.0"; !s.ofEntity {
		s.laterVersion = later
	} else if later && !s.laterVersion {
		return s.failAt(p, "an entity of XML %s cannot be a part of a document of XML 1.0", value)
	}
	return nil
}

func (s *Scanner) declareStandalone(p int, value string) error {
	if value != "yes" && value != "no" {
		return s.failAt(p, "standalone must be yes or no")
	}
	s.standalone = value == "yes"
	return nil
}
