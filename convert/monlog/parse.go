package monlog

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/trcx/trcx/trace"
)

// hexadecimal decodes a number of at most 64 bits, with any number of leading zeros, blanks around it or 0x before it.
func hexadecimal(text []byte) (value uint64, ok bool) {
	value, err := strconv.ParseUint(string(hexDigits(text)), 16, 64)
	return value, err == nil
}

// hexDigits returns the digits of a number without blanks and 0x.
func hexDigits(text []byte) []byte {
	plain := bytes.TrimSpace(text)
	if len(plain) > 2 && plain[0] == '0' && plain[1]|0x20 == 'x' {
		return plain[2:]
	}
	return plain
}

// describeHex describes an invalid number; such is an example of a valid one, with a blank before it.
func describeHex(text []byte, such string) string {
	if plain := hexDigits(text); len(plain) > 0 && len(bytes.Trim(plain, "0123456789abcdefABCDEF")) == 0 {
		return "too long: a number has at most 16 hexadecimal digits" + such
	}
	return "not hexadecimal" + such
}

// mostExponent limits the exponent of a time.
const mostExponent = 30

// parseTime decodes decimal seconds. They may have an exponent, as floating-point numbers are often printed; no digit
// is lost.
func parseTime(text []byte) (trace.Time, trace.Reading) {
	text = bytes.TrimSpace(text)
	t, reading := trace.ParseTime(text)
	if reading != trace.Unreadable {
		return t, reading
	}
	plain := strings.TrimPrefix(string(text), "+")
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
