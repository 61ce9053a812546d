package switchlog

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// record is one switch. Its slices are parts of the line.
type record struct {
	acting, affected []byte // without Thread-
	action           *action
	at               int   // offset in the line
	active           int64 // in milliseconds; or unknown
	joined           bool  // the next record follows without a blank
}

// unknown is the active time of a record without one.
const unknown = -1

// maxActive limits the active time of a record in milliseconds: a hundred years.
const maxActive = 100 * 366 * 86400 * 1000

const prefix = "Thread-"

var prefixBytes = []byte(prefix)

// scanner splits a line into records, which are separated by blanks.
type scanner struct {
	lines *builder.Lines
	line  []byte
	at    int
}

// problem is a defect of a record, at an offset of the line.
type problem struct {
	rule    string
	at      int
	message string
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r' }

func (s *scanner) skipBlanks() {
	for s.at < len(s.line) && isBlank(s.line[s.at]) {
		s.at++
	}
	if bytes.HasPrefix(s.line[s.at:], noBreakSpace) { // as browsers copy them
		s.at += len(noBreakSpace)
		s.skipBlanks()
	}
}

var noBreakSpace = []byte("\u00A0")

// keyword returns a word that is not a thread's name. It ends where a name begins, because the next switch may follow
// without a blank.
func (s *scanner) keyword() []byte {
	word := s.word()
	if border := bytes.Index(word, prefixBytes); border > 0 {
		s.at -= len(word) - border
		word = word[:border]
	}
	return word
}

// word returns the text before the next blank or comma.
func (s *scanner) word() []byte {
	s.skipBlanks()
	begin := s.at
	for s.at < len(s.line) && s.line[s.at] != ',' && !isBlank(s.line[s.at]) &&
		!bytes.HasPrefix(s.line[s.at:], noBreakSpace) {
		s.at++
	}
	return s.line[begin:s.at]
}

// comma consumes a comma and reports whether it was next.
func (s *scanner) comma() bool {
	s.skipBlanks()
	if s.at < len(s.line) && s.line[s.at] == ',' {
		s.at++
		return true
	}
	return false
}

// next reads the next record of the line. It returns false at the end of the line. After a problem the record is
// invalid, and the scanner is at the next possible record.
func (s *scanner) next(rec *record) (more bool, wrong *problem) {
	if s.skipBlanks(); s.at >= len(s.line) {
		return false, nil
	}
	*rec = record{at: s.at, active: unknown}
	if wrong = s.read(rec); wrong != nil {
		s.recover(rec.at)
	}
	rec.joined = wrong == nil && bytes.HasPrefix(s.line[s.at:], prefixBytes)
	return true, wrong
}

func (s *scanner) read(rec *record) *problem {
	var wrong *problem
	if rec.acting, wrong = s.thread("want the acting thread, such as Thread-32452561"); wrong != nil {
		return wrong
	}
	if !s.comma() {
		return &problem{ruleFields, s.at, "want a comma and an action after the acting thread"}
	}
	s.skipBlanks()
	at := s.at
	if rec.action = actionOf(s.keyword()); rec.action == nil {
		return &problem{ruleAction, at, "unknown action " + sanitize.Quote(s.line[at:s.at]) + ": want " + actionNames()}
	}
	if !s.comma() {
		return &problem{ruleFields, s.at, "want a comma and the affected thread after " + rec.action.name}
	}
	if rec.affected, wrong = s.affectedThread("want the affected thread after " + rec.action.name +
		", such as Thread-60934352"); wrong != nil {
		return wrong
	}
	return s.active(rec)
}

func (s *scanner) thread(missing string) ([]byte, *problem) {
	s.skipBlanks()
	at := s.at
	return nameIn(s.word(), at, missing)
}

// affectedThread is like thread, but the next switch may follow the name without a blank.
func (s *scanner) affectedThread(missing string) ([]byte, *problem) {
	s.skipBlanks()
	at := s.at
	word := s.word()
	if border := bytes.LastIndex(word, prefixBytes); border > 0 && s.switchBegins(at+border) {
		s.at = at + border
		word = word[:border]
	}
	return nameIn(word, at, missing)
}

// nameIn returns the thread's name of a word at an offset.
func nameIn(word []byte, at int, missing string) ([]byte, *problem) {
	name, ok := bytes.CutPrefix(word, prefixBytes)
	if !ok || len(name) == 0 || len(name) > maxName || bytes.ContainsFunc(name, unprintable) {
		return nil, &problem{ruleFields, at, missing}
	}
	return name, nil
}

// switchBegins reports whether a switch begins at the offset: a thread, an action and a comma.
func (s *scanner) switchBegins(at int) bool {
	ahead := scanner{line: s.line, at: at}
	ahead.line = ahead.line[:min(len(ahead.line), at+len(prefix)+maxName+1)]
	if _, wrong := ahead.thread(""); wrong != nil {
		return false
	}
	ahead.line = s.line
	return ahead.comma() && actionOf(ahead.keyword()) != nil && ahead.comma()
}

// unprintable reports whether a thread's name may not have the character. A trace could not hold some of them.
func unprintable(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }

// maxName limits the name of a thread after Thread- in bytes.
const maxName = 256

// active reads ", active 8 ms", if that is next.
func (s *scanner) active(rec *record) *problem {
	before := s.at
	if !s.comma() {
		s.at = before
		return nil
	}
	s.skipBlanks()
	at := s.at
	if !bytes.EqualFold(s.keyword(), []byte("active")) {
		s.at = before
		return &problem{ruleFields, at,
			"want \"active\" and a time after the affected thread, such as active 8 ms"}
	}
	s.skipBlanks()
	at = s.at
	number := s.keyword()
	unit := []byte("ms")
	if n := len(number); n > 2 && bytes.EqualFold(number[n-2:], unit) {
		number = number[:n-2]
	} else {
		unit = s.keyword()
	}
	active, err := strconv.ParseInt(string(number), 10, 64)
	if err != nil || active < 0 || active > maxActive || !bytes.EqualFold(unit, []byte("ms")) {
		return &problem{ruleActive, at, "invalid time: want a whole number of milliseconds, such as 8 ms"}
	}
	rec.active = active
	return nil
}

// recover moves to the next possible record after the one at begin: a thread and an action; or, after the text already
// read, a thread after a blank and no comma; or the end of the line.
func (s *scanner) recover(begin int) {
	read := s.at
	for s.at = begin + 1; s.at < len(s.line); s.at++ {
		found := bytes.Index(s.line[s.at:], prefixBytes)
		if found < 0 {
			break
		}
		if s.at += found; s.switchBegins(s.at) || s.at >= read && s.followsBlank() {
			return
		}
	}
	s.at = len(s.line)
}

// followsBlank reports whether blanks precede the current offset, and no comma precedes them.
func (s *scanner) followsBlank() bool {
	before := bytes.TrimRight(s.line[:s.at], " \t\u00A0")
	return len(before) < s.at && len(before) > 0 && before[len(before)-1] != ','
}

// Recognises reports whether a text begins like a log: one of its first lines has a switch.
func Recognises(head []byte) bool {
	for line := range bytes.Lines(head) {
		s := scanner{line: bytes.TrimRight(line, "\r\n")}
		var rec record
		for more := true; more; {
			var wrong *problem
			if more, wrong = s.next(&rec); more && (wrong == nil || rec.affected != nil && rec.action != nil) {
				return true
			}
		}
	}
	return false
}

// action is an action of a thread.
type action struct {
	name      string
	kind      trace.Kind // Foreign if a trace has no element for it
	suspends  bool       // the acting thread stops running
	notifyAll bool
}

// actions lists all actions.
var actions = []action{
	{name: "start", kind: trace.CallStart},
	{name: "interrupt", kind: trace.CallInterrupt},
	{name: "join", kind: trace.MonWait, suspends: true},
	{name: "sleep", kind: trace.MonWait, suspends: true},
	{name: "wait", kind: trace.MonWait, suspends: true},
	{name: "notify", kind: trace.CallNotify},
	{name: "notifyAll", kind: trace.CallNotify, notifyAll: true},
	{name: "yield"}, {name: "suspend"}, {name: "resume"}, {name: "stop"},
}

// actionOf returns the action of the name, in upper or lower case, or nil.
func actionOf(name []byte) *action {
	for i := range actions {
		if bytes.EqualFold(name, []byte(actions[i].name)) {
			return &actions[i]
		}
	}
	return nil
}

// actionNames returns the names of all actions.
func actionNames() string {
	var names []string
	for i := range actions {
		names = append(names, actions[i].name)
	}
	return strings.Join(names, ", ")
}
