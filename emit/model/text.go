package model

import (
	"strconv"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

const lowerHex = "0123456789abcdef"

// appendString appends s as a JSON string. A lone surrogate, which Java strings can hold, is written as \udXXX; a byte
// that is no UTF-8 as \udcXX, the escape that Python has for it.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	begin := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			if r, size := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
		}
		dst = append(dst, s[begin:i]...)
		size := 1
		dst, size = appendEscaped(dst, s[i:])
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

func appendInteger(dst []byte, value int64) []byte {
	if value < 0 {
		return trace.AppendDecimal(append(dst, '-'), -uint64(value))
	}
	return trace.AppendDecimal(dst, uint64(value))
}

// object writes the fields of a JSON object into a buffer.
type object struct{ buf []byte }

// name begins a field; its value is to follow.
func (o *object) name(name string) {
	if last := o.buf[len(o.buf)-1]; last != '{' && last != '[' {
		o.buf = append(o.buf, ',')
	}
	o.buf = append(append(append(o.buf, '"'), name...), `":`...)
}

func (o *object) string(name, value string) {
	o.name(name)
	o.buf = appendString(o.buf, value)
}

// known writes a string that is not "".
func (o *object) known(name, value string) {
	if value != "" {
		o.string(name, value)
	}
}

func (o *object) number(name string, value int64) {
	o.name(name)
	o.buf = appendInteger(o.buf, value)
}

func (o *object) bool(name string, value bool) {
	o.name(name)
	o.buf = strconv.AppendBool(o.buf, value)
}
