// Package digits reads and writes decimal numbers. It tests, joins and splits eight digits at a time, as the bytes of a
// 64-bit word, for package trace, the XML tokenizer and readers of numbers.
//
// A word is eight bytes of text, the first one lowest. Its values, 0 to 9, are the digits without Zeros.
package digits

import (
	"encoding/binary"
	"math/bits"
)

// Zeros are eight ASCII zeros: the values of a word of ASCII digits are word ^ Zeros.
const Zeros = 0x3030303030303030

// Others sets the highest bit of each byte whose value is above 9. Only the lowest flag counts: bytes after it may be
// flagged without reason.
func Others(values uint64) uint64 {
	return (values | (values + 0x7676767676767676)) & 0x8080808080808080
}

// Join returns the number with these eight values, the first digit in the lowest byte. One multiplication each joins
// neighbors to pairs, pairs to fours, and fours to eight.
func Join(values uint64) uint64 {
	values = values * (10<<8 + 1) >> 8 & 0x00FF00FF00FF00FF
	values = values * (100<<16 + 1) >> 16 & 0x0000FFFF0000FFFF
	return values * (10000<<32 + 1) >> 32
}

// split returns the eight values of a number below 100,000,000. It is the inverse of Join.
func split(value uint64) uint64 {
	high := value / 10000
	fours := high | (value-high*10000)<<32
	high = fours * 10486 >> 20 & 0x0000007F_0000007F // by 100, below 10000
	pairs := high | (fours-high*100)<<16
	high = pairs * 103 >> 10 & 0x000F000F_000F000F // by 10, below 100
	return high | (pairs-high*10)<<8
}

// Prefix reads the digits at the beginning of text and returns their count. The value of more than 18 digits exceeds
// every limit.
func Prefix(text []byte) (value uint64, n int) {
	for n < len(text) && text[n]-'0' <= 9 {
		if value < 1e17 {
			value = value*10 + uint64(text[n]-'0')
		} else {
			value = 1 << 63
		}
		n++
	}
	return value, n
}

// Number returns the number that the whole text is. ok is false, and value 0, if it is not a number or above 1<<62.
func Number(text []byte) (value int64, ok bool) {
	number, n := Prefix(text)
	if n == 0 || n != len(text) || number > 1<<62 {
		return 0, false
	}
	return int64(number), true
}

// hundredMillion is the first number of nine digits.
const hundredMillion = 100_000_000

// Append appends a number in decimal. It is faster than strconv.AppendUint, because it writes eight digits at once:
// every event has half a dozen numbers.
func Append(dst []byte, value uint64) []byte {
	switch {
	case value < 10:
		return append(dst, byte('0'+value))
	case value >= hundredMillion:
		return AppendEight(Append(dst, value/hundredMillion), value%hundredMillion)
	}
	values := split(value)
	none := bits.TrailingZeros64(values) / 8 // leading zeros
	dst = binary.LittleEndian.AppendUint64(dst, (values|Zeros)>>(8*none))
	return dst[:len(dst)-none]
}

// AppendEight appends a number below hundredMillion in eight digits.
func AppendEight(dst []byte, value uint64) []byte {
	return binary.LittleEndian.AppendUint64(dst, split(value)|Zeros)
}
