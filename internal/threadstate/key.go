package threadstate

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"

	"github.com/trcx/trcx/internal/digits"
)

// Key is an id of a trace as one number, which is cheap to compare and to look up. A text of up to eight ASCII bytes,
// as nearly all ids are, is kept as these bytes, the last one on top. Any other text is a hash with the top bit set,
// which no ASCII byte has. The hash is seeded anew for each process, so that no trace can be written whose ids collide.
// A caller whose ids are numbers converts these.
type Key uint64

const (
	None  Key = 0                 // no id, or an empty one
	Zero  Key = '0' << 56         // "0", which agents write for no thread and no object
	Sleep Key = '-'<<48 | '1'<<56 // "-1", the object of a Thread.sleep

	hashed Key = 1 << 63
)

// seed makes the hashes differ between processes.
var seed = maphash.MakeSeed()

// KeyOf returns the Key of a text. Two texts have the same Key only if they are equal: 7 and 007 are two ids.
func KeyOf(text []byte) Key {
	if k := ShortKey(text); k.IsShort() {
		return k
	}
	return rareKey(text)
}

// ShortKey returns the Key of a text of one to eight ASCII bytes in an array that goes on for eight bytes from where it
// begins, as part of an input does. For any other text it returns a Key that is not short.
//
// The length makes no branch, which the processor could not predict: eight bytes are loaded, and those after the text
// are shifted out.
func ShortKey(text []byte) Key {
	n := uint(len(text))
	if n-1 >= 8 || cap(text) < 8 {
		return None
	}
	return Key(binary.LittleEndian.Uint64(text[:8]) << ((64 - 8*n) & 63))
}

// rareKey is KeyOf for a text that is long, not ASCII, or alone in a short array.
func rareKey(text []byte) Key {
	if len(text) <= 8 {
		k := None
		for _, c := range text {
			k = k>>8 | Key(c)<<56
		}
		if k < hashed {
			return k
		}
	}
	return hashed | Key(maphash.Bytes(seed, text))
}

// IsShort reports whether the Key has the bytes of a text, at least one.
func (k Key) IsShort() bool { return k-1 < hashed-1 }

// Names reports whether the id names anything: agents write "0" and "-1" if they have nothing to name.
func (k Key) Names() bool { return k != None && k != Zero && k != Sleep }

// IsNumber reports whether the Key is that of one to eight decimal digits.
func (k Key) IsNumber() bool { return k != None && k.NonDigits() == 0 }

// NonDigits returns 0 if all bytes of the Key, but the zeros before the text, are decimal digits.
func (k Key) NonDigits() uint64 {
	return digits.Others(uint64(k) ^ digits.Zeros<<(bits.TrailingZeros64(uint64(k))&56))
}

// After reports whether a Key is larger than another: of two numbers of up to eight digits, the later one as agents
// count.
func (k Key) After(other Key) bool {
	return bits.ReverseBytes64(uint64(k)) > bits.ReverseBytes64(uint64(other))
}
