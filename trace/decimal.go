package trace

import (
	"encoding/binary"
	"math/bits"
)

// hundredMillion is the first number of nine digits.
const hundredMillion = 100_000_000

// AppendDecimal appends a number in decimal digits. It is strconv.AppendUint for many digits at once, which is worth
// much where every event has half a dozen numbers.
func AppendDecimal(dst []byte, value uint64) []byte {
	switch {
	case value < 10:
		return append(dst, byte('0'+value))
	case value >= hundredMillion:
		return appendEight(AppendDecimal(dst, value/hundredMillion), value%hundredMillion)
	}
	digits := digitsOf(value)
	none := bits.TrailingZeros64(digits) / 8 // leading zeros
	dst = binary.LittleEndian.AppendUint64(dst, (digits|zeros)>>(8*none))
	return dst[:len(dst)-none]
}

// appendEight appends a number below hundredMillion in eight digits.
func appendEight(dst []byte, value uint64) []byte {
	return binary.LittleEndian.AppendUint64(dst, digitsOf(value)|zeros)
}

// digitsOf are the values of the eight digits of a number below hundredMillion, the first in the lowest byte: eight are
// parted to fours, fours to pairs, pairs to digits, each by one multiplication. It is what eightDigits undoes.
func digitsOf(value uint64) uint64 {
	high := value / 10000
	fours := high | (value-high*10000)<<32
	high = fours * 10486 >> 20 & 0x0000007F_0000007F // by 100, below 10000
	pairs := high | (fours-high*100)<<16
	high = pairs * 103 >> 10 & 0x000F000F_000F000F // by 10, below 100
	return high | (pairs-high*10)<<8
}
