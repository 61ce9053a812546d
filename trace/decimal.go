package trace

import (
	"encoding/binary"
	"math/bits"

	"github.com/trcx/trcx/internal/digits"
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
	values := digits.Split(value)
	none := bits.TrailingZeros64(values) / 8 // leading zeros
	dst = binary.LittleEndian.AppendUint64(dst, (values|digits.Zeros)>>(8*none))
	return dst[:len(dst)-none]
}

// appendEight appends a number below hundredMillion in eight digits.
func appendEight(dst []byte, value uint64) []byte {
	return binary.LittleEndian.AppendUint64(dst, digits.Split(value)|digits.Zeros)
}
