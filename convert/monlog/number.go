package monlog

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/trcx/trcx/trace"
)

// digits has the value of each hexadecimal digit plus one; 0 for what is none.
var digits = func() (values [256]byte) {
	for i, c := range "0123456789ABCDEF" {
		values[c] = byte(i + 1)
	}
	for i, c := range "abcdef" {
		values[c] = byte(i + 11)
	}
	return values
}()

// usualHash reads eight digits and a comma, or the end of the line behind them, and gives the place behind that.
func usualHash(line []byte, at int) (value uint64, next int, ok bool) {
	end := at + 8
	if end > len(line) || end < len(line) && line[end] != ',' {
		return 0, 0, false
	}
	for _, c := range line[at:end] {
		digit := digits[c]
		if digit == 0 {
			return 0, 0, false
		}
		value = value<<4 | uint64(digit-1)
	}
	return value, end + 1, true
}

// usualTime reads the time that a line begins with in the form that a trace writes: seconds without leading zeros, of at most nine digits, a point, nine
// digits, and a comma. The length is 0 if it has another form.
func usualTime(line []byte) (t trace.Time, length int) {
	seconds := uint64(0)
	at := 0
	for ; at < len(line) && at < 10 && line[at]-'0' <= 9; at++ {
		seconds = seconds*10 + uint64(line[at]-'0')
	}
	if at == 0 || at == 10 || line[0] == '0' && at > 1 || len(line) < at+11 || line[at] != '.' || line[at+10] != ',' {
		return 0, 0
	}
	nanos := uint64(0)
	for _, c := range line[at+1 : at+10] {
		if c-'0' > 9 {
			return 0, 0
		}
		nanos = nanos*10 + uint64(c-'0')
	}
	return trace.Time(seconds*1e9 + nanos), at + 10
}

// hexadecimal reads a number of at most 64 bits, however many leading zeros it has.
func hexadecimal(text []byte) (value uint64, ok bool) {
	if len(text)-1 < 16 && len(text) > 0 {
		for _, c := range text {
			digit := digits[c]
			if digit == 0 {
				return carefulHexadecimal(text)
			}
			value = value<<4 | uint64(digit-1)
		}
		return value, true
	}
	return carefulHexadecimal(text)
}

// carefulHexadecimal reads the forms that are not usual: with blanks around, with 0x in front, with more than 16 digits.
func carefulHexadecimal(text []byte) (uint64, bool) {
	plain := string(bytes.TrimSpace(text))
	if len(plain) > 2 && plain[0] == '0' && plain[1]|0x20 == 'x' {
		plain = plain[2:]
	}
	if plain == "" || strings.Trim(plain, "0123456789abcdefABCDEF") != "" {
		return 0, false
	}
	value, err := strconv.ParseUint(plain, 16, 64)
	return value, err == nil
}

// most is how many digits a power of ten in a time moves the point, at most.
const mostExponent = 30

// parseTime reads decimal seconds. They may have an exponent, as floating-point numbers are often printed; no digit is lost.
func parseTime(text []byte) (trace.Time, trace.Reading) {
	t, reading := trace.ParseTime(text)
	if reading != trace.Unreadable {
		return t, reading
	}
	plain := strings.TrimPrefix(string(bytes.TrimSpace(text)), "+")
	mantissa, power := plain, 0
	if at := strings.IndexAny(plain, "eE"); at >= 0 {
		var err error
		if power, err = strconv.Atoi(plain[at+1:]); err != nil || power < -mostExponent || power > mostExponent {
			return 0, trace.Unreadable
		}
		mantissa = plain[:at]
	}
	whole, decimals, _ := strings.Cut(mantissa, ".")
	if len(whole)+len(decimals) == 0 || len(mantissa) > 2*mostExponent {
		return 0, trace.Unreadable
	}
	all := strings.Repeat("0", mostExponent) + whole + decimals + strings.Repeat("0", mostExponent)
	point := mostExponent + len(whole) + power
	before, after := strings.TrimLeft(all[:point], "0"), strings.TrimRight(all[point:], "0")
	return trace.ParseTime([]byte("0" + before + "." + after + "0"))
}
