package trace

import (
	"encoding/binary"
	"math"

	"github.com/trcx/trcx/internal/digits"
)

// Time is a moment: nanoseconds since the Unix epoch, UTC, exactly. Traces write it as decimal seconds; no float
// touches it on the way.
type Time int64

// Reading is how far the text of a time could be parsed.
type Reading uint8

// The readings.
const (
	NoTime     Reading = iota // there is no such attribute
	Exact                     // every digit is in the Time
	Truncated                 // the text has more than nine decimals; those beyond are dropped
	Unreadable                // not decimal seconds, or beyond the year 2262
)

// String names the reading.
func (r Reading) String() string {
	return [...]string{NoTime: "no time", Exact: "exact", Truncated: "truncated", Unreadable: "unreadable"}[r]
}

const (
	nanosPerSecond = 1_000_000_000
	maxSeconds     = math.MaxInt64 / nanosPerSecond
)

// ParseTime reads decimal seconds, such as 1164203541, 1164203541.5 or 1164203541.123456789: digits, and a point with
// at least one digit after it if there is a point at all. The reading is never NoTime.
func ParseTime(text []byte) (Time, Reading) {
	if len(text) == commonSize {
		if t, ok := parseCommon(text); ok {
			return t, Exact
		}
	}
	return parseAny(text)
}

// parseAny reads a time in any form.
func parseAny(text []byte) (Time, Reading) {
	seconds, n := digits.Prefix(text)
	if n == 0 || seconds > maxSeconds {
		return 0, Unreadable
	}
	if n == len(text) {
		return Time(seconds * nanosPerSecond), Exact
	}
	nanos, reading := fraction(text[n:])
	if seconds == maxSeconds && nanos > math.MaxInt64%nanosPerSecond {
		return 0, Unreadable
	}
	return Time(seconds*nanosPerSecond + nanos), reading
}

// commonSize is the size of a time as agents write it: ten digits, a point, nine digits.
const commonSize = 20

// parseCommon reads a time as agents write it. The text must have commonSize bytes.
func parseCommon(text []byte) (Time, bool) {
	common := (*[commonSize]byte)(text)
	high := binary.LittleEndian.Uint64(common[:]) ^ digits.Zeros
	low := binary.LittleEndian.Uint64(common[11:]) ^ digits.Zeros
	rest := uint64(common[8]-'0') | uint64(common[9]-'0')<<8 | uint64(common[19]-'0')<<16
	if common[10] != '.' || digits.Others(high)|digits.Others(low)|digits.Others(rest) != 0 {
		return 0, false
	}
	return joinCommon(common)
}

// joinCommon joins the digits of that form. ok is false beyond the limit and close to it, where parseAny must decide.
func joinCommon(text *[commonSize]byte) (t Time, ok bool) {
	high := binary.LittleEndian.Uint64(text[:]) ^ digits.Zeros
	low := binary.LittleEndian.Uint64(text[11:]) ^ digits.Zeros
	seconds := digits.Join(high)*100 + uint64(text[8]-'0')*10 + uint64(text[9]-'0')
	return Time(seconds*nanosPerSecond + digits.Join(low)*10 + uint64(text[19]-'0')), seconds < maxSeconds
}

// fraction reads a point and the digits after it as nanoseconds.
func fraction(text []byte) (nanos uint64, reading Reading) {
	if text[0] != '.' || len(text) == 1 {
		return 0, Unreadable
	}
	reading = Exact
	unit := uint64(nanosPerSecond)
	for _, c := range text[1:] {
		if c-'0' > 9 {
			return 0, Unreadable
		}
		unit /= 10
		nanos += uint64(c-'0') * unit
		if unit == 0 {
			reading = Truncated
		}
	}
	return nanos, reading
}

// AppendTo appends the time as decimal seconds with nine decimals, as agents write it.
func (t Time) AppendTo(dst []byte) []byte {
	seconds, nanos := int64(t)/nanosPerSecond, int64(t)%nanosPerSecond
	if nanos < 0 || seconds < 0 {
		dst = append(dst, '-')
		seconds, nanos = -seconds, -nanos
	}
	dst = digits.Append(dst, uint64(seconds))
	dst = digits.AppendEight(append(dst, '.'), uint64(nanos/10))
	return append(dst, byte('0'+nanos%10))
}

// String is the time as decimal seconds with nine decimals.
func (t Time) String() string { return string(t.AppendTo(nil)) }
