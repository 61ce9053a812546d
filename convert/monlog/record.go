package monlog

import (
	"bytes"

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

// problem is a problem with a line, at an offset.
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
		r.commaTime(line[:nameAt-1])
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
		r.cutTime(line[:comma])
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
		return 0, rec.missingField(len(line), operand)
	}
	text, next := field(line, at)
	var ok bool
	if *value, ok = hexadecimal(text); !ok && !(operand == 2 && len(bytes.TrimSpace(text)) == 0) {
		return 0, &problem{ruleHex, at, "the hash code " + sanitize.Quote(text) + " of " + rec.event.name + " is " +
			describeHex(text, " such as 0A1B2C3D") + "; the event is skipped"}
	}
	return next, nil
}

// missingField returns the problem of a line that ends before a hash code.
func (rec *record) missingField(at, operand int) *problem {
	has := [...]string{"no hash code", "one hash code", "two hash codes"}[operand]
	return &problem{ruleFields, at, rec.event.name + " has " + has + "; want after its name: " + rec.event.fields +
		"; the event is skipped"}
}

// field returns the field of the line at an offset, and the offset of the next one; len(line)+1 if there is none.
func field(line []byte, at int) (text []byte, next int) {
	if end := bytes.IndexByte(line[at:], ','); end >= 0 {
		return line[at : at+end], at + end + 1
	}
	return line[at:], len(line) + 1
}
