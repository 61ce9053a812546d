package xmlscan

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// coding is a character encoding of an input. All except UTF-8 and US-ASCII are converted to UTF-8 when read.
type coding uint8

const (
	utf8Coding coding = iota
	latin1Coding
	utf16LittleCoding
	utf16BigCoding
)

// source reads the input and converts it to UTF-8.
type source struct {
	reader    io.Reader
	coding    coding
	detected  bool
	marked    bool // it begins with the mark of UTF-8
	asciiOnly bool
	raw       []byte // read but not yet converted to UTF-8
	over      bool   // the reader is at its end
}

// notCharacter replaces bytes that are not a character in the input's encoding. It is never valid in UTF-8.
const notCharacter = 0xFF

func (i *source) encoding() string {
	return [...]string{utf8Coding: "UTF-8", latin1Coding: "ISO-8859-1", utf16LittleCoding: "UTF-16",
		utf16BigCoding: "UTF-16"}[i.coding]
}

// fill reads at least one more byte, unless the input is over.
func (s *Scanner) fill() error {
	if !s.input.detected {
		if err := s.detect(); err != nil {
			return err
		}
	}
	if s.input.coding == utf8Coding && len(s.input.raw) == 0 {
		n, err := s.input.read(s.buf[s.end : len(s.buf)-padding])
		s.end += n
		s.whole = s.input.over
		clear(s.buf[s.end : s.end+padding])
		return err
	}
	return s.fillRecoded()
}

// read reads some bytes, or notes that the input is over.
func (i *source) read(into []byte) (int, error) {
	for range 100 {
		n, err := i.reader.Read(into)
		if err == io.EOF {
			i.over = true
			return n, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// fillRecoded is fill for an input that is converted.
func (s *Scanner) fillRecoded() error {
	if !s.input.over {
		block := make([]byte, min(32<<10, len(s.buf)))
		n, err := s.input.read(block)
		if err != nil {
			return err
		}
		s.input.raw = append(s.input.raw, block[:n]...)
	}
	text, rest := s.input.recode(s.input.raw)
	s.input.raw = append(s.input.raw[:0], rest...)
	s.buf = append(append(s.buf[:s.end], text...), make([]byte, padding)...)
	s.buf = s.buf[:cap(s.buf)]
	s.end += len(text)
	s.whole = s.input.over
	clear(s.buf[s.end : s.end+padding])
	return nil
}

// recode converts raw bytes to UTF-8 and returns the rest, which needs more input.
func (i *source) recode(raw []byte) (text, rest []byte) {
	switch i.coding {
	case latin1Coding:
		for _, c := range raw {
			text = utf8.AppendRune(text, rune(c))
		}
		return text, nil
	case utf16LittleCoding, utf16BigCoding:
		return i.recodeUTF16(raw)
	}
	return raw, nil
}

func (i *source) recodeUTF16(raw []byte) (text, rest []byte) {
	unit := func(at int) rune {
		if i.coding == utf16BigCoding {
			return rune(raw[at])<<8 | rune(raw[at+1])
		}
		return rune(raw[at+1])<<8 | rune(raw[at])
	}
	for at := 0; at < len(raw); at += 2 {
		switch {
		case at+1 == len(raw) || utf16.IsSurrogate(unit(at)) && at+3 >= len(raw):
			if !i.over {
				return text, raw[at:]
			}
			return append(text, notCharacter), nil
		case !utf16.IsSurrogate(unit(at)):
			text = utf8.AppendRune(text, unit(at))
		default:
			pair := utf16.DecodeRune(unit(at), unit(at+2))
			if pair == utf8.RuneError {
				text = append(text, notCharacter)
				continue
			}
			text = utf8.AppendRune(text, pair)
			at += 2
		}
	}
	return text, nil
}

// detect finds the encoding by the first bytes, as appendix F of the XML recommendation has it.
func (s *Scanner) detect() error {
	s.input.detected = true
	head := make([]byte, 4)
	n, err := io.ReadFull(s.input.reader, head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		s.input.over, err = true, nil
	}
	if err != nil {
		return err
	}
	head = head[:n]
	mark := 0
	switch {
	case hasAny(head, "\xFF\xFE\x00\x00", "\x00\x00\xFE\xFF", "\x00\x00\x00<", "<\x00\x00\x00"):
		return s.failAt(0, "the input is in UTF-32; trcx reads UTF-8, UTF-16, ISO-8859-1 and US-ASCII")
	case hasAny(head, "\x4C\x6F\xA7\x94"):
		return s.failAt(0, "the input is in EBCDIC; trcx reads UTF-8, UTF-16, ISO-8859-1 and US-ASCII")
	case hasAny(head, "\xEF\xBB\xBF"):
		mark, s.input.marked = 3, true
	case hasAny(head, "\xFE\xFF"):
		mark, s.input.coding = 2, utf16BigCoding
	case hasAny(head, "\xFF\xFE"):
		mark, s.input.coding = 2, utf16LittleCoding
	case hasAny(head, "\x00<"):
		s.input.coding = utf16BigCoding
	case hasAny(head, "<\x00"):
		s.input.coding = utf16LittleCoding
	}
	s.origin.Offset = int64(mark)
	s.input.raw = head[mark:]
	return nil
}

func hasAny(text []byte, beginnings ...string) bool {
	return slices.ContainsFunc(beginnings, func(b string) bool { return bytes.HasPrefix(text, []byte(b)) })
}

// declareEncoding switches to the encoding that the XML declaration names at p.
func (s *Scanner) declareEncoding(p int, name string) error {
	upper := strings.ToUpper(name)
	wide := s.input.coding == utf16BigCoding || s.input.coding == utf16LittleCoding
	switch upper {
	case "UTF-16", "ISO-10646-UCS-2", "UTF-16LE", "UTF-16BE":
		if !wide {
			return s.failAt(p, "the document says that it is %s, but its bytes are not", name)
		}
		return nil
	}
	if wide {
		return s.failAt(p, "the document says that it is %s, but its bytes are UTF-16", name)
	}
	if s.input.marked && upper != "UTF-8" && upper != "UTF8" {
		return s.failAt(p, "the document says that it is %s, but begins with the mark of UTF-8", name)
	}
	switch upper {
	case "UTF-8", "UTF8":
	case "US-ASCII", "ASCII", "ANSI_X3.4-1968", "ISO646-US":
		s.input.asciiOnly = true
	case "ISO-8859-1", "ISO_8859-1", "LATIN1", "L1":
		s.input.coding = latin1Coding
	default:
		return s.failAt(p,
			"the encoding %s is not known; trcx reads UTF-8, UTF-16, ISO-8859-1 and US-ASCII (recode the file, for "+
				"example with iconv)", name)
	}
	return nil
}

// recodeRest converts the text after the XML declaration to UTF-8, once the declaration has named the encoding.
func (s *Scanner) recodeRest(p int) {
	if s.input.coding != latin1Coding {
		return
	}
	text, _ := s.input.recode(s.buf[p:s.end])
	s.buf = append(append(s.buf[:p:p], text...), make([]byte, padding)...)
	s.end = p + len(text)
}

// advance returns the position after text, which begins at from.
func (s *Scanner) advance(from Position, text []byte) Position {
	after := from.Advance(text)
	after.Offset = from.Offset + s.input.width(text)
	return after
}

// Advance returns the position after a text in UTF-8, which begins at p.
func (p Position) Advance(text []byte) Position {
	p.Offset += int64(len(text))
	if lines := bytes.Count(text, []byte{'\n'}); lines > 0 {
		p.Line += lines
		p.Column = 1
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	p.Column += runes(text)
	return p
}

// runes counts the code points of text, eight bytes at a time where all are ASCII.
func runes(text []byte) int {
	n := 0
	for len(text) >= 8 && word(text, 0)&highs == 0 {
		n, text = n+8, text[8:]
	}
	return n + utf8.RuneCount(text)
}

// width is the number of bytes that the text has in the input's own encoding.
func (i *source) width(text []byte) int64 {
	switch i.coding {
	case latin1Coding:
		return int64(utf8.RuneCount(text))
	case utf16LittleCoding, utf16BigCoding:
		units := 0
		for _, r := range string(text) {
			units += max(1, utf16.RuneLen(r))
		}
		return int64(units) * 2
	}
	return int64(len(text))
}

// moveOrigin makes the current token's position the origin from which other positions are counted.
func (s *Scanner) moveOrigin() {
	s.origin = s.advance(s.origin, s.buf[s.originAt:s.start])
	s.originAt = s.start
}

// position returns the place in the input of p in the current text. In the text of an entity it is the place of the
// reference.
func (s *Scanner) position(p int) Position {
	buf := s.buf
	if len(s.outer) > 0 {
		buf, p = s.outer[0].buf, s.outer[0].reference
	}
	return s.advance(s.origin, buf[s.originAt:max(p, s.originAt)])
}
