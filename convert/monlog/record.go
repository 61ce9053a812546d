package monlog

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// record is a line of the log. Its slices are parts of the line.
type record struct {
	line                  []byte
	event                 *eventKind
	time                  trace.Time
	thread, object, owner uint64
	name                  []byte
	stack                 []byte // from its depth on
	stackAt               int    // offset of stack in the line
}

// problem is a defect of a line, at an offset.
type problem struct {
	rule    string
	at      int
	message string
}

// decode decodes a line. The record is valid if there is no problem.
func (r *reader) decode(line []byte, rec *record) *problem {
	*rec = record{line: line}
	at, wrong := r.decodeTime(line, rec)
	if wrong != nil {
		return wrong
	}
	name, next := field(line, at)
	if rec.event = kindOf(name); rec.event == nil {
		return r.decodeWithPoint(line, at, rec)
	}
	at = next
	operands := [...]*uint64{&rec.thread, &rec.object, &rec.owner}
	for operand, value := range operands[:rec.event.operands] {
		if next, wrong = rec.decodeHash(line, at, operand, value); wrong != nil {
			return wrong
		}
		r.shortHashes = r.shortHashes || r.lines.Terminated && operand < 2 && next-1-at < hashDigits
		at = next
	}
	switch {
	case at > len(line):
	case rec.event.hasName:
		rec.name = line[at:]
	case at < len(line):
		rec.stack, rec.stackAt = line[at:], at
	}
	return nil
}

// decodeWithPoint decodes a line without an event at the offset: its time may have a decimal comma.
func (r *reader) decodeWithPoint(line []byte, at int, rec *record) *problem {
	var ok bool
	if r.pointLine, ok = replaceComma(r.pointLine[:0], line, at); ok {
		_, nameAt := field(line, at)
		r.warnOfTimes(ruleComma, line[:nameAt-1],
			"a decimal comma, as in some locales; it is read as a decimal point")
		return r.decode(r.pointLine, rec)
	}
	name, _ := field(line, at)
	return &problem{ruleEvent, at, "unknown event " + sanitize.Quote(name) + "; the line is skipped"}
}

// decodeTime decodes the time and returns the offset after its comma.
func (r *reader) decodeTime(line []byte, rec *record) (at int, wrong *problem) {
	comma := bytes.IndexByte(line, ',')
	if comma < 0 {
		return 0, &problem{ruleFields, 0,
			"the line has no comma: want TIME,EVENT,THREAD and more, such as 12.5,ThreadSleep,0A1B2C3D"}
	}
	var reading trace.Reading
	switch rec.time, reading = parseTime(line[:comma]); reading {
	case trace.Unreadable:
		return 0, &problem{ruleTime, 0, "invalid time " + sanitize.Quote(line[:comma]) +
			": want decimal seconds such as 34232.841923742; the event is skipped"}
	case trace.Truncated:
		r.warnOfTimes(rulePrecision, line[:comma],
			"more than nine decimals; decimals beyond nanoseconds are cut")
	}
	return comma + 1, nil
}

// replaceComma appends the line with a point for the decimal comma before the offset, if the event follows the next
// comma. No event is named by a number, so the line has no other meaning.
func replaceComma(dst, line []byte, at int) (pointed []byte, ok bool) {
	decimals, nameAt := field(line, at)
	if len(decimals) == 0 || decimals[0]-'0' > 9 || nameAt > len(line) {
		return dst, false
	}
	if name, _ := field(line, nameAt); kindOf(name) == nil {
		return dst, false
	}
	dst = append(dst, line...)
	dst[at-1] = '.'
	_, reading := parseTime(dst[:nameAt-1])
	return dst, reading != trace.Unreadable
}

// decodeHash decodes a hash code in any form and returns the offset after its comma.
func (rec *record) decodeHash(line []byte, at, operand int, value *uint64) (next int, wrong *problem) {
	if at > len(line) {
		has := [...]string{"no hash code", "one hash code", "two hash codes"}[operand]
		return 0, &problem{ruleFields, len(line), rec.event.name + " has " + has + "; want after its name: " +
			rec.event.fields + "; the event is skipped"}
	}
	text, next := field(line, at)
	var ok bool
	if *value, ok = hexadecimal(text); !ok && !(operand == 2 && len(bytes.TrimSpace(text)) == 0) {
		return 0, &problem{ruleHex, at, "the hash code " + sanitize.Quote(text) + " of " + rec.event.name + " is " +
			describeHex(text, " such as 0A1B2C3D") + "; the event is skipped"}
	}
	return next, nil
}

// field returns the field of the line at an offset, and the offset of the next field; len(line)+1 after the last one.
func field(line []byte, at int) (text []byte, next int) {
	if end := bytes.IndexByte(line[at:], ','); end >= 0 {
		return line[at : at+end], at + end + 1
	}
	return line[at:], len(line) + 1
}

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

// describeHex describes an invalid number; such is an example of a valid number, with a blank before it.
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

// Recognises reports whether a text begins like a log: one of its first lines has a time and the name of an event.
func Recognises(head []byte) bool {
	return anyLine(head, func(line []byte) bool {
		text, at := field(line, 0)
		if _, reading := parseTime(text); reading == trace.Unreadable || at > len(line) {
			return false
		}
		if name, _ := field(line, at); kindOf(name) != nil {
			return true
		}
		_, ok := replaceComma(nil, line, at)
		return ok
	})
}

// RecognisesMetadata reports whether a text begins like a metadata file: one of its first lines describes a class or a
// method, and no line is of a log.
func RecognisesMetadata(head []byte) bool {
	return !Recognises(head) && anyLine(head, func(line []byte) bool {
		fields := bytes.Split(line, []byte{','})
		switch {
		case len(fields) == 2:
			signature := bytes.TrimSpace(fields[0])
			_, ok := className(string(signature))
			return ok && (signature[0] == 'L' || signature[0] == '[')
		case len(fields) >= 4:
			_, isID := hexadecimal(fields[0])
			_, isClass := className(string(bytes.TrimSpace(fields[3])))
			return isID && isClass && isMethodSignature(string(bytes.TrimSpace(fields[2])))
		}
		return false
	})
}

// anyLine reports whether a function holds for one of the lines. The last one may be truncated.
func anyLine(head []byte, like func(line []byte) bool) bool {
	head = bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF"))
	for line := range bytes.Lines(head) {
		if like(bytes.TrimRight(line, "\r\n")) {
			return true
		}
	}
	return false
}
