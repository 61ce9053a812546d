package validate

import (
	"hash/maphash"
	"math/bits"

	"github.com/trcx/trcx/trace"
)

// id is an id of the trace as one number, so that comparing and looking up ids costs next to nothing. A text of up to
// eight bytes, as nearly all ids are, is these bytes, the last one on top; any other is a hash with the top bit set,
// which no ASCII has. The hash is seeded anew for each process, so nobody can write a trace whose ids collide.
type id uint64

const (
	noID    id = 0         // no attribute, or an empty one
	zeroID  id = '0' << 56 // "0"
	sleepID id = '-'<<48 | '1'<<56
	longID  id = 1 << 63 // the bit of the hashes
)

// names says whether the id names anything: agents write "0" and "-1" where there is nothing to name.
func (i id) names() bool { return i != noID && i != zeroID && i != sleepID }

// slot spreads ids over the places of a table, of which there are 2 to the power of bits.
func (i id) slot(bits int) uint64 { return uint64(i) * 0x9E3779B97F4A7C15 >> (64 - bits) }

// idOf makes the id of its text. Two texts give the same id only if they are the same: 7 and 007 are two ids.
func idOf(text []byte) id {
	if i := shortID(text); i-1 < longID-1 {
		return i
	}
	return unusualID(text)
}

// shortID is the word of a text of one to eight bytes, which is its id unless it is as large as a hash, or 0.
func shortID(text []byte) id { return id(trace.QuickWord(text)) }

var seed = maphash.MakeSeed()

// unusualID is idOf for texts that are long, not ASCII, or alone in a short array.
func unusualID(text []byte) id {
	i := id(trace.Word(text))
	if len(text) > 8 || i >= longID {
		i = longID | id(maphash.Bytes(seed, text))
	}
	return i
}

// isNumber says whether the word, as shortID makes it, is that of a decimal number of up to eight digits, as nearly all
// numbers are.
func (i id) isNumber() bool { return i != 0 && i.strange() == 0 }

// strange is 0 if all bytes of the word but the zeros below are digits.
func (i id) strange() uint64 {
	const zeros = 0x3030303030303030 // ASCII
	values := uint64(i) ^ zeros<<(bits.TrailingZeros64(uint64(i))&56)
	return (values | (values + 0x7676767676767676)) & 0x8080808080808080 // the bytes of more than 9
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
