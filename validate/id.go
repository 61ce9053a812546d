package validate

import (
	"encoding/binary"
	"hash/maphash"
)

// id is an id of the trace as one number, so that comparing and looking up ids costs nothing: a decimal id, as nearly all are, is its value
// plus one; any other text is a hash of it with the top bit set. The hash is seeded anew for each process, so nobody can write a trace
// whose ids collide.
type id uint64

const (
	noID    id = 0       // no attribute, or an empty one
	zeroID  id = 1       // "0"
	textID  id = 1 << 63 // the bit of ids that are no decimal numbers
	sleepID id = textID  // "-1"
)

// names says whether the id names anything: agents write "0" and "-1" where there is nothing to name.
func (i id) names() bool { return i > zeroID && i != sleepID }

var seed = maphash.MakeSeed()

// idOf makes the id of its text. Two texts give the same id only if they are the same: 7 and 007 are two ids.
func idOf(text []byte) id {
	if digits, ok := fewDigits(text); ok && text[0] != '0' {
		return id(eightDigits(digits) + 1)
	}
	return unusualID(text)
}

// unusualID is idOf for what is not a number of few digits.
func unusualID(text []byte) id {
	switch {
	case len(text) == 0:
		return noID
	case string(text) == "0":
		return zeroID
	case string(text) == "-1":
		return sleepID
	case len(text) > 18 || text[0] == '0' || !isDecimal(text):
		return textID | id(maphash.Bytes(seed, text)>>1) | 1
	}
	value := id(0)
	for _, c := range text {
		value = value*10 + id(c-'0')
	}
	return value + 1
}

// fewDigits loads a text of one to eight digits as their values, the last in the highest byte, with zeros before them. It says false also
// where it cannot load the text at once. How long the text is makes no branch, for nobody could predict it: eight bytes are loaded from the
// array in which the text lies, and those behind the text are shifted out.
func fewDigits(text []byte) (values uint64, ok bool) {
	n := uint(len(text))
	if n-1 >= 8 || cap(text) < 8 {
		return 0, false
	}
	values = (binary.LittleEndian.Uint64(text[:8]) ^ zeros) << ((64 - 8*n) & 63)
	return values, (values|(values+0x7676767676767676))&0x8080808080808080 == 0 // none is more than 9
}

// zeros is eight ASCII zeros; a word of ASCII digits becomes one of their values by ^ zeros.
const zeros = 0x3030303030303030

// eightDigits joins the values of eight digits, the first in the lowest byte: neighbours to pairs, pairs to fours, fours to eight, each
// by one multiplication.
func eightDigits(values uint64) uint64 {
	values = values * (10<<8 + 1) >> 8 & 0x00FF00FF00FF00FF
	values = values * (100<<16 + 1) >> 16 & 0x0000FFFF0000FFFF
	return values * (10000<<32 + 1) >> 32
}

// isDecimal says whether the text consists of digits, of any number but none.
func isDecimal(text []byte) bool {
	for _, c := range text {
		if c-'0' > 9 {
			return false
		}
	}
	return len(text) > 0
}
