package monlog

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace"
)

// hexValues has the value of each hexadecimal digit, and noDigit for other bytes.
var hexValues = func() (values [256]byte) {
	for c := range values {
		values[c] = noDigit
	}
	for i, c := range "0123456789ABCDEF" {
		values[c] = byte(i)
	}
	for i, c := range "abcdef" {
		values[c] = byte(i + 10)
	}
	return values
}()

const noDigit = 0xFF

// commonHash decodes eight digits before a comma or the end of the line, and returns the offset after the comma.
func commonHash(line []byte, at int) (value uint64, next int, ok bool) {
	end := at + 8
	if end > len(line) || end < len(line) && line[end] != ',' {
		return 0, 0, false
	}
	value, ok = eightHexDigits(binary.LittleEndian.Uint64(line[at:]))
	return value, end + 1, ok
}

// eightHexDigits joins eight digits, the first in the lowest byte. A digit is 3x or, for a letter, 4x or 6x, with a
// value of 0 to 9 or 10 to 15. Neighbors are joined to pairs, pairs to fours, fours to eight.
func eightHexDigits(text uint64) (value uint64, ok bool) {
	const each = 0x0101010101010101
	letters := text >> 6 & each
	values := text&(0x0F*each) + 9*letters
	high := text &^ (letters << 5) & (0xF0 * each)
	wrong := high ^ (0x30*each + letters<<4) | (values+6*each)>>4&each ^ letters | values&(0x10*each)
	values = (values<<4 | values>>8) & 0x00FF00FF00FF00FF
	values = (values<<8 | values>>16) & 0x0000FFFF0000FFFF
	return (values<<16 | values>>32) & 0xFFFFFFFF, wrong == 0
}

// commonTime decodes the time at the begin of a line in the form of a trace: seconds of at most nine digits without
// leading zeros, a point, nine digits, and a comma. The length is 0 for other forms.
func commonTime(line []byte) (t trace.Time, length int) {
	seconds := uint64(0)
	at := 0
	for ; at < len(line) && at < 10 && line[at]-'0' <= 9; at++ {
		seconds = seconds*10 + uint64(line[at]-'0')
	}
	if at == 0 || at == 10 || line[0] == '0' && at > 1 || len(line) < at+11 || line[at] != '.' || line[at+10] != ',' {
		return 0, 0
	}
	nanos, ok := digits.Parse(binary.LittleEndian.Uint64(line[at+1:]))
	last := uint64(line[at+9] - '0')
	if !ok || last > 9 {
		return 0, 0
	}
	return trace.Time(seconds*1e9 + nanos*10 + last), at + 10
}

// hexadecimal decodes a number of at most 64 bits, with any number of leading zeros.
func hexadecimal(text []byte) (value uint64, ok bool) {
	if len(text)-1 < 16 && len(text) > 0 {
		for _, c := range text {
			digit := hexValues[c]
			if digit == noDigit {
				return parseHexadecimal(text)
			}
			value = value<<4 | uint64(digit)
		}
		return value, true
	}
	return parseHexadecimal(text)
}

// parseHexadecimal decodes less common forms: with blanks around, with 0x before it, with more than 16 digits.
func parseHexadecimal(text []byte) (uint64, bool) {
	plain := hexDigits(text)
	if !areHexDigits(plain) {
		return 0, false
	}
	value, err := strconv.ParseUint(plain, 16, 64)
	return value, err == nil
}

// hexDigits returns the digits of a number without blanks and 0x.
func hexDigits(text []byte) string {
	plain := string(bytes.TrimSpace(text))
	if len(plain) > 2 && plain[0] == '0' && plain[1]|0x20 == 'x' {
		return plain[2:]
	}
	return plain
}

func areHexDigits(plain string) bool {
	return plain != "" && strings.Trim(plain, "0123456789abcdefABCDEF") == ""
}

// describeHex describes an invalid number; such is an example of a valid one, with a blank before it.
func describeHex(text []byte, such string) string {
	if areHexDigits(hexDigits(text)) {
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
