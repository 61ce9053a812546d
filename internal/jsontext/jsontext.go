// Package jsontext writes text that comes from traces as JSON strings. It stands beneath all rooms that write JSON, so
// that a name, however hostile, is the same in all of their outputs.
package jsontext

import (
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

const lowerHex = "0123456789abcdef"

// Append appends s as a JSON string. A lone surrogate, which Java strings can hold, is written as \udXXX; a byte that
// is no UTF-8 as \udcXX, the escape that Python has for it.
func Append[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	begin := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		next := string(s[i:min(i+utf8.UTFMax, len(s))])
		if c >= utf8.RuneSelf {
			if r, size := utf8.DecodeRuneInString(next); r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
		}
		dst = append(dst, s[begin:i]...)
		size := 1
		dst, size = appendEscaped(dst, next)
		i += size
		begin = i
	}
	return append(append(dst, s[begin:]...), '"')
}

// appendEscaped appends the escape for what s begins with, and says how long that is.
func appendEscaped(dst []byte, s string) ([]byte, int) {
	switch c := s[0]; {
	case c == '"' || c == '\\':
		return append(dst, '\\', c), 1
	case c == '\n':
		return append(dst, `\n`...), 1
	case c == '\t':
		return append(dst, `\t`...), 1
	case c == '\r':
		return append(dst, `\r`...), 1
	case c < ' ':
		return append(dst, '\\', 'u', '0', '0', lowerHex[c>>4], lowerHex[c&15]), 1
	case len(s) >= 3 && c == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2]&0xC0 == 0x80:
		unit := 0xD000 | uint(s[1]&0x3F)<<6 | uint(s[2]&0x3F)
		return append(dst, '\\', 'u', 'd', lowerHex[unit>>8&15], lowerHex[unit>>4&15], lowerHex[unit&15]), 3
	default:
		return append(dst, '\\', 'u', 'd', 'c', lowerHex[c>>4], lowerHex[c&15]), 1
	}
}

// String is a text in what encoding/json writes. That escapes more of it, if it is told to, but nothing twice.
type String string

// MarshalJSON writes the string; it never fails.
func (s String) MarshalJSON() ([]byte, error) { return Append(nil, string(s)), nil }

// Frame is a call in what encoding/json writes. What is not known of it is "" or absent.
type Frame struct {
	Class  String `json:"class"`
	Method String `json:"method"`
	File   String `json:"file,omitempty"`
	Line   *int32 `json:"line,omitempty"`
}

// FrameOf is the frame, or nil if it has no method.
func FrameOf(f trace.Frame) *Frame {
	if f.Method == nil {
		return nil
	}
	frame := &Frame{Class: String(f.Method.Class), Method: String(f.Method.Name), File: String(f.Method.File)}
	if f.Line != trace.NoLine {
		frame.Line = &f.Line
	}
	return frame
}
