package drain

import (
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
)

// names are Java's names as values of attributes. They are good until the next call.
func (d *Drainer) names(names ...[]byte) (values [3]trcxml.Value) {
	d.escaped = d.escaped[:0]
	for i, name := range names {
		d.java = appendJava(d.java[:0], name)
		d.xml = trace.EscapeJava(d.xml[:0], string(d.java))
		begin := len(d.escaped)
		d.escaped = trace.AppendValue(d.escaped, d.xml)
		values[i] = trcxml.Text(d.escaped[begin:len(d.escaped):len(d.escaped)])
	}
	return values
}

// appendJava appends a name in Java's modified UTF-8 as UTF-8: a zero is one byte, and two surrogates are one character. Those without a partner keep
// their three bytes, and what is no UTF-8 at all stays as it is.
func appendJava(dst, name []byte) []byte {
	for len(name) > 0 {
		switch {
		case len(name) >= 2 && name[0] == 0xC0 && name[1] == 0x80:
			dst, name = append(dst, 0), name[2:]
		case surrogate(name, 0xA0) && surrogate(name[3:], 0xB0):
			high, low := half(name), half(name[3:])
			r := 0x10000 + high<<10 + low
			dst = append(dst, byte(0xF0|r>>18), byte(0x80|r>>12&0x3F), byte(0x80|r>>6&0x3F), byte(0x80|r&0x3F))
			name = name[6:]
		default:
			dst, name = append(dst, name[0]), name[1:]
		}
	}
	return dst
}

// surrogate says whether the text begins with one of the half that the second byte says: from A0 on high ones, from B0 on low ones.
func surrogate(text []byte, second byte) bool {
	return len(text) >= 3 && text[0] == 0xED && text[1]&0xF0 == second && text[2]&0xC0 == 0x80
}

// half is the ten bits that a surrogate brings.
func half(text []byte) rune { return rune(text[1]&0x0F)<<6 | rune(text[2]&0x3F) }
