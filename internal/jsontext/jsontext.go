// Package jsontext encodes text as JSON strings.
//
// Every package that writes JSON uses Append, so that a hostile name is escaped in the same way in each output.
package jsontext

import "unicode/utf8"

const lowerHex = "0123456789abcdef"

// Append appends s as a JSON string and returns dst. A lone surrogate, which Java strings can hold, becomes \udXXX; a
// byte that is not UTF-8 becomes \udcXX, as in Python's surrogateescape.
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
		var size int
		dst, size = appendEscaped(dst, next)
		i += size
		begin = i
	}
	return append(append(dst, s[begin:]...), '"')
}

// appendEscaped appends the escape of the first character of s. It returns the character's size in bytes.
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

// String marshals like Append: invalid UTF-8 and lone surrogates become \u escapes instead of U+FFFD.
type String string

// MarshalJSON implements json.Marshaler. The error is always nil.
func (s String) MarshalJSON() ([]byte, error) { return Append(nil, string(s)), nil }
