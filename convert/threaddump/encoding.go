package threaddump

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// The marks that stand at the beginning of texts.
var (
	markUTF8      = []byte("\xEF\xBB\xBF")
	markUTF16     = []byte("\xFF\xFE")
	markUTF16High = []byte("\xFE\xFF")
)

// decoded is the input as UTF-8, and says whether it is JSON. What the PowerShell of Windows redirects into a file is UTF-16.
func decoded(in io.Reader) (text io.Reader, isJSON bool, err error) {
	source := bufio.NewReaderSize(in, 64<<10)
	head, err := source.Peek(len(markUTF8))
	if err != nil && err != io.EOF {
		return source, false, err
	}
	switch {
	case bytes.HasPrefix(head, markUTF8):
		source.Discard(len(markUTF8))
	case bytes.HasPrefix(head, markUTF16):
		source.Discard(len(markUTF16))
		source = bufio.NewReaderSize(&units{in: source, order: binary.LittleEndian}, 64<<10)
	case bytes.HasPrefix(head, markUTF16High):
		source.Discard(len(markUTF16High))
		source = bufio.NewReaderSize(&units{in: source, order: binary.BigEndian}, 64<<10)
	}
	first, _ := source.Peek(512)
	first = bytes.TrimLeft(first, " \t\r\n")
	return source, len(first) > 0 && first[0] == '{', nil
}

// units reads UTF-16 as UTF-8.
type units struct {
	in    *bufio.Reader
	order binary.ByteOrder
	text  []byte
	high  rune // the first half of a character
}

func (u *units) Read(p []byte) (int, error) {
	for len(u.text) == 0 {
		var unit [2]byte
		if _, err := io.ReadFull(u.in, unit[:]); err != nil {
			if err == io.ErrUnexpectedEOF {
				err = io.EOF
			}
			return 0, err
		}
		u.add(rune(u.order.Uint16(unit[:])))
	}
	n := copy(p, u.text)
	u.text = u.text[n:]
	return n, nil
}

func (u *units) add(unit rune) {
	u.text = u.text[:0]
	if u.high != 0 {
		joined := utf16.DecodeRune(u.high, unit)
		u.high = 0
		u.text = utf8.AppendRune(u.text, joined)
		if joined != utf8.RuneError {
			return
		}
	}
	if unit >= 0xD800 && unit < 0xDC00 {
		u.high = unit
		return
	}
	u.text = utf8.AppendRune(u.text, unit)
}

// Recognises says whether what an input begins with can be a dump: JSON of one, the head of one, or the line of a thread.
func Recognises(head []byte) bool {
	head = bytes.TrimPrefix(head, markUTF8)
	if bytes.HasPrefix(head, markUTF16) || bytes.HasPrefix(head, markUTF16High) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	if rest := trim(head); len(rest) > 0 && rest[0] == '{' {
		return bytes.HasPrefix(trim(rest[1:]), []byte(`"threadDump"`))
	}
	if bytes.Contains(head, fullDump) {
		return true
	}
	process, rest, _ := bytes.Cut(head, []byte{'\n'})
	moment, _, more := bytes.Cut(rest, []byte{'\n'})
	if process = trim(process); more && len(process) > 0 && countDigits(process) == len(process) {
		_, ok := parseInstant(trim(moment))
		return ok
	}
	for line := range bytes.Lines(head) {
		line = trim(line)
		if len(line) > 0 && line[0] == '"' && bytes.Contains(line, []byte(" tid=0x")) && bytes.Contains(line, []byte(" nid=")) {
			return true
		}
	}
	return false
}
