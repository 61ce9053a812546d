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
	timeText              []byte // the time as a trace writes it, where the line has it like that
	thread, object, owner uint64
	name                  []byte
	stack                 []byte // from its depth on
	stackAt               int    // where that begins in the line
}

// mistake is what is wrong with a line, at a byte of it.
type mistake struct {
	rule    string
	at      int
	message string
}

// decode reads a line. The record is good if there is no mistake.
func (r *reader) decode(line []byte, rec *record) *mistake {
	*rec = record{line: line}
	at, wrong := r.decodeTime(line, rec)
	if wrong != nil {
		return wrong
	}
	if rec.event = kindAt(line[at:]); rec.event != nil {
		at += len(rec.event.name) + 1
	} else {
		name, next := field(line, at)
		if rec.event = kindOf(bytes.TrimSpace(name)); rec.event == nil {
			return r.decodePointed(line, at, rec)
		}
		at = next
	}
	operands := [...]*uint64{&rec.thread, &rec.object, &rec.owner}
	for operand, value := range operands[:rec.event.operands] {
		var next int
		var ok bool
		if *value, next, ok = usualHash(line, at); !ok {
			if next, wrong = rec.decodeHash(line, at, operand, value); wrong != nil {
				return wrong
			}
			r.unpadded = r.unpadded || r.lines.Terminated && operand < 2 && next-1-at < hashDigits
		}
		at = next
	}
	switch {
	case at > len(line):
	case rec.event.named:
		rec.name = line[at:]
	case at < len(line):
		rec.stack, rec.stackAt = line[at:], at
	}
	return nil
}

// decodePointed reads a line with no event at the byte: the time may have a decimal comma.
func (r *reader) decodePointed(line []byte, at int, rec *record) *mistake {
	var ok bool
	if r.pointed, ok = withPoint(r.pointed[:0], line, at); ok {
		_, nameAt := field(line, at)
		r.commaTime(line[:nameAt-1])
		return r.decode(r.pointed, rec)
	}
	name, _ := field(line, at)
	return &mistake{RuleEvent, at, "there is no event " + sanitize.Quote(name) +
		" in a monitor log; the line is left out"}
}

// decodeTime reads the time, and gives the place behind its comma.
func (r *reader) decodeTime(line []byte, rec *record) (at int, wrong *mistake) {
	if time, length := usualTime(line); length > 0 {
		rec.time, rec.timeText = time, line[:length]
		return length + 1, nil
	}
	comma := bytes.IndexByte(line, ',')
	if comma < 0 {
		return 0, &mistake{RuleFields, 0,
			"the line has no comma; an event is TIME,EVENT,THREAD and more, such as 12.5,ThreadSleep,0A1B2C3D"}
	}
	var reading trace.Reading
	switch rec.time, reading = parseTime(line[:comma]); reading {
	case trace.Unreadable:
		return 0, &mistake{RuleTime, 0, "the time " + sanitize.Quote(line[:comma]) +
			" is not decimal seconds such as 34232.841923742; the event is left out"}
	case trace.Truncated:
		r.cutTime(line[:comma])
	}
	return comma + 1, nil
}

// withPoint appends the line with a point for the comma before the byte if that is the decimal comma of its time: no
// event has a number for its name, so nothing else can be meant.
func withPoint(dst, line []byte, at int) (pointed []byte, ok bool) {
	decimals, nameAt := field(line, at)
	if len(decimals) == 0 || decimals[0]-'0' > 9 || nameAt > len(line) {
		return dst, false
	}
	if name, _ := field(line, nameAt); kindOf(bytes.TrimSpace(name)) == nil {
		return dst, false
	}
	dst = append(dst, line...)
	dst[at-1] = '.'
	_, reading := parseTime(dst[:nameAt-1])
	return dst, reading != trace.Unreadable
}

// decodeHash reads a hash code in any form, and gives the place behind its comma.
func (rec *record) decodeHash(line []byte, at, operand int, value *uint64) (next int, wrong *mistake) {
	if at > len(line) {
		return 0, rec.tooFew(len(line), operand)
	}
	text, next := field(line, at)
	var ok bool
	if *value, ok = hexadecimal(text); !ok && !(operand == 2 && len(bytes.TrimSpace(text)) == 0) {
		return 0, &mistake{RuleHex, at, "the hash code " + sanitize.Quote(text) + " of " + rec.event.name + " is " +
			wrongHex(text, " such as 0A1B2C3D") + "; the event is left out"}
	}
	return next, nil
}

// tooFew is the mistake of a line that ends where a hash code should stand.
func (rec *record) tooFew(at, operand int) *mistake {
	has := [...]string{"no hash code", "one hash code", "two hash codes"}[operand]
	return &mistake{RuleFields, at, rec.event.name + " has " + has + "; behind its name stand: " + rec.event.fields +
		"; the event is left out"}
}

// field is the field of the line that begins at the byte, and where the next one begins; behind the line's end by one
// if there is none.
func field(line []byte, at int) (text []byte, next int) {
	if end := bytes.IndexByte(line[at:], ','); end >= 0 {
		return line[at : at+end], at + end + 1
	}
	return line[at:], len(line) + 1
}
