package xmlscan

import "unicode/utf8"

// isChar is the production Char of XML 1.0.
func isChar(r rune) bool {
	return r >= 0x20 && r <= 0xD7FF || r == '\t' || r == '\n' || r == '\r' || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// nameStarts holds the ranges of NameStartChar beyond ASCII (fifth edition), nameParts those that NameChar adds.
var (
	nameStarts = [][2]rune{{0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x2FF}, {0x370, 0x37D}, {0x37F, 0x1FFF}, {0x200C, 0x200D},
		{0x2070, 0x218F}, {0x2C00, 0x2FEF}, {0x3001, 0xD7FF}, {0xF900, 0xFDCF}, {0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF}}
	nameParts = [][2]rune{{0xB7, 0xB7}, {0x300, 0x36F}, {0x203F, 0x2040}}
)

func isNameStart(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r == '_' || r == ':'
	}
	return within(nameStarts, r)
}

func isNameChar(r rune) bool {
	if r < utf8.RuneSelf {
		return isNameStart(r) || r >= '0' && r <= '9' || r == '-' || r == '.'
	}
	return within(nameStarts, r) || within(nameParts, r)
}

func within(ranges [][2]rune, r rune) bool {
	for _, bounds := range ranges {
		if r >= bounds[0] && r <= bounds[1] {
			return true
		}
	}
	return false
}

// char decodes the character at p, which must be before the end, and checks that XML allows it. The
// scanner's encoding decides what its bytes may be.
func (s *Scanner) char(p int) (r rune, size int, err error) {
	c := s.buf[p]
	if c < utf8.RuneSelf {
		if c < ' ' && !isSpace(c) {
			return 0, 0, s.failAt(p, "the control character U+%04X is not allowed in XML", c)
		}
		return rune(c), 1, nil
	}
	if s.input.asciiOnly {
		return 0, 0, s.failAt(p, "byte 0x%02X in a document that says it is US-ASCII", c)
	}
	r, size = utf8.DecodeRune(s.buf[p:s.end])
	if r == utf8.RuneError && size <= 1 {
		if !utf8.FullRune(s.buf[p:s.end]) && !s.whole {
			return 0, 0, errMore
		}
		return 0, 0, s.failAt(p, "not valid %s", s.input.encoding())
	}
	if !isChar(r) {
		return 0, 0, s.failAt(p, "the character U+%04X is not allowed in XML", r)
	}
	return r, size, nil
}

// checkChars checks that XML allows all characters from p to q.
func (s *Scanner) checkChars(p, q int) error {
	for p < q {
		if w := word(s.buf, p); below(w, ' ')|w&highs == 0 {
			p += 8
			continue
		}
		_, size, err := s.char(p)
		if err != nil {
			return err
		}
		p += size
	}
	return nil
}

// IsName reports whether the text is a Name of XML 1.0.
func IsName(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text != "" && isNameStart(r) && IsNameToken(text)
}

// IsNameToken reports whether the text is a Nmtoken of XML 1.0.
func IsNameToken(text string) bool {
	for _, r := range text {
		if !isNameChar(r) {
			return false
		}
	}
	return text != ""
}
