// Package digits tests, joins and splits eight decimal digits at a time, as the bytes of a 64-bit word. It is used by
// package trace for times and ids, by the XML tokenizer and by readers of numbers.
//
// A word is eight bytes of text, the first one lowest. Its values are what is left of the digits without Zeros: 0 to 9.
package digits

// Zeros are eight ASCII zeros: the values of a word of ASCII digits are word ^ Zeros.
const Zeros = 0x3030303030303030

// Others flags by the highest bit of each byte the values that are more than 9. Only the first flag counts: bytes after
// it may be flagged without reason.
func Others(values uint64) uint64 {
	return (values | (values + 0x7676767676767676)) & 0x8080808080808080
}

// Join returns the number that eight values are, the first digit in the lowest byte: neighbors are joined to pairs,
// pairs to fours, fours to eight, each by one multiplication.
func Join(values uint64) uint64 {
	values = values * (10<<8 + 1) >> 8 & 0x00FF00FF00FF00FF
	values = values * (100<<16 + 1) >> 16 & 0x0000FFFF0000FFFF
	return values * (10000<<32 + 1) >> 32
}

// Split returns the eight values of a number below 100,000,000. It is the inverse of Join.
func Split(value uint64) uint64 {
	high := value / 10000
	fours := high | (value-high*10000)<<32
	high = fours * 10486 >> 20 & 0x0000007F_0000007F // by 100, below 10000
	pairs := high | (fours-high*100)<<16
	high = pairs * 103 >> 10 & 0x000F000F_000F000F // by 10, below 100
	return high | (pairs-high*10)<<8
}

// Parse returns the number that a word of eight digits is; ok is false if one of the bytes is not a digit.
func Parse(word uint64) (value uint64, ok bool) {
	values := word ^ Zeros
	return Join(values), Others(values) == 0
}
