package threaddump

import (
	"bytes"
	"time"

	"github.com/trcx/trcx/trace"
)

// beginsPlain reports whether the line is the third one of a plain dump. The three are a process id, a time, and the
// version of a JVM.
func (t *textReader) beginsPlain(content []byte) bool {
	process, moment := t.lastLines[1], t.lastLines[0]
	if len(content) == 0 || !isDigit(content[0]) || len(process) == 0 || countDigits(process) != len(process) ||
		len(moment) < len("2006-01-02T15:04:05Z") {
		return false
	}
	_, ok := parseInstant(moment)
	return ok && bytes.IndexByte(content, ' ') < 0
}

// parseInstant reads a time as java.time.Instant prints it.
func parseInstant(text []byte) (trace.Time, bool) {
	if len(text) > 40 || len(text) == 0 || text[len(text)-1] != 'Z' {
		return 0, false
	}
	return timeOf(time.Parse(time.RFC3339Nano, string(text)))
}

// beginPlain begins a plain dump. Its first two lines are the previous ones.
func (t *textReader) beginPlain(read line) {
	process, moment := string(t.lastLines[1]), t.lastLines[0]
	t.endDump(false)
	t.prefix = t.prefix[:0]
	t.dump = &dump{form: plain, place: read.place, complete: true}
	t.dump.vm, t.dump.process = string(trim(read.text)), process
	t.dump.at, t.dump.dated = parseInstant(moment)
	feature, _ := parseLine(read.text[:countDigits(read.text)])
	t.dump.hasStates = feature >= statesSince
	t.section = inThreads
}

// statesSince is the JDK version from which on dumps always have the states of threads.
const statesSince = 25

// beginsPlainThread reports whether a line begins like a thread of a plain dump: #7 "
func beginsPlainThread(content []byte) bool {
	if len(content) == 0 || content[0] != '#' {
		return false
	}
	digits := countDigits(content[1:])
	return digits > 0 && bytes.HasPrefix(content[1+digits:], []byte(` "`))
}

// plainHeader reads the line of a thread of a plain dump: #7 "name" virtual WAITING 2026-11-22T05:00:51Z. JDK 21 writes
// only its beginning. It returns false for any other line.
func (t *textReader) plainHeader(content []byte, read line) bool {
	if t.dump == nil || t.dump.form != plain || !beginsPlainThread(content) {
		return false
	}
	digits := countDigits(content[1:])
	rest := content[1+digits+len(` "`):]
	last := bytes.LastIndexByte(rest, '"')
	var virtual, complete bool
	var s javaState
	if last >= 0 {
		virtual, s, complete = plainState(rest[last+1:])
	}
	if !complete || s == javaUnknown && t.dump.hasStates {
		if t.name == nil {
			t.name, t.named, t.lead = append([]byte(nil), content...), read.place, 1
			return true
		}
		return false
	}
	t.beginThread(read.place)
	t.thread.id, t.thread.name = string(content[1:1+digits]), string(rest[:last])
	t.thread.isJava, t.thread.virtual, t.thread.javaState = true, virtual, s
	if s != javaUnknown {
		t.dump.hasStates, t.dump.hasLocks = true, true
	}
	return true
}

// plainState reads the text after the name.
func plainState(rest []byte) (virtual bool, s javaState, ok bool) {
	for field := range bytes.FieldsSeq(rest) {
		named, isState := javaStates[string(field)]
		_, isTime := parseInstant(field)
		switch {
		case string(field) == "virtual":
			virtual = true
		case isState:
			s = named
		case !isTime:
			return false, javaUnknown, false
		}
	}
	return virtual, s, true
}
