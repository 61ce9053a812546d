package trace

import (
	"math/bits"
	"slices"
)

// pairs holds the decimal texts of 0 to 99, two digits each.
const pairs = "00010203040506070809" + "10111213141516171819" + "20212223242526272829" + "30313233343536373839" +
	"40414243444546474849" + "50515253545556575859" + "60616263646566676869" + "70717273747576777879" +
	"80818283848586878889" + "90919293949596979899"

// powers holds the powers of ten that have 64 bits.
var powers = [20]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// AppendDecimal appends a number in decimal digits. It is strconv.AppendUint without the buffer in between, which
// is worth much where every event has half a dozen numbers.
func AppendDecimal(dst []byte, value uint64) []byte {
	if value < 10 {
		return append(dst, byte('0'+value))
	}
	digits := bits.Len64(value) * 1233 >> 12 // log10(2) is nearly 1233/4096
	if value >= powers[digits] {
		digits++
	}
	end := len(dst) + digits
	dst = slices.Grow(dst, digits)[:end]
	for value >= 100 {
		pair := value % 100 * 2
		value /= 100
		end -= 2
		dst[end], dst[end+1] = pairs[pair], pairs[pair+1]
	}
	if value >= 10 {
		dst[end-2], dst[end-1] = pairs[value*2], pairs[value*2+1]
	} else {
		dst[end-1] = byte('0' + value)
	}
	return dst
}
