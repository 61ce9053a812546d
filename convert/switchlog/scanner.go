package switchlog

import (
	"bytes"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/sanitize"
)

// record is one switch. Its slices are parts of the line.
type record struct {
	acting, affected []byte // without Thread- before them
	action           *action
	at               int   // where in the line it begins
	active           int64 // milliseconds; unknown if the record does not say it
	joined           bool  // the next one begins where it ends, without a blank
}

// unknown is the time that a thread was active where the log does not say it.
const unknown = -1

// mostActive is how many milliseconds a thread can have been active, at most: a hundred years.
const mostActive = 100 * 366 * 86400 * 1000

const prefix = "Thread-"

var prefixBytes = []byte(prefix)

// scanner finds the records of a line: several may stand on it, with blanks between them.
type scanner struct {
	lines *builder.Lines
	line  []byte
	at    int
}

// problem is what is wrong with a record, at a byte of the line.
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

// plain is a word that is no name of a thread: it ends where one begins, for the next switch may follow without a
// blank.
func (s *scanner) plain() []byte {
	word := s.word()
	if border := bytes.Index(word, prefixBytes); border > 0 {
		s.at -= len(word) - border
		word = word[:border]
	}
	return word
}

// word is what comes up to the next blank or comma.
func (s *scanner) word() []byte {
	s.skipBlanks()
	begin := s.at
	for s.at < len(s.line) && s.line[s.at] != ',' && !isBlank(s.line[s.at]) &&
		!bytes.HasPrefix(s.line[s.at:], noBreakSpace) {
		s.at++
	}
	return s.line[begin:s.at]
}

// comma goes over a comma, if one comes next.
func (s *scanner) comma() bool {
	s.skipBlanks()
	if s.at < len(s.line) && s.line[s.at] == ',' {
		s.at++
		return true
	}
	return false
}

// next reads the next record of the line, and returns false where there is none. The record is good if there is no
// problem; after one the scanner stands where the next record may begin.
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
	if rec.acting, wrong = s.thread("a switch begins with the acting thread, such as Thread-32452561"); wrong != nil {
		return wrong
	}
	if !s.comma() {
		return &problem{RuleFields, s.at, "behind the acting thread a comma and what it does are missing"}
	}
	s.skipBlanks()
	at := s.at
	if rec.action = actionOf(s.plain()); rec.action == nil {
		return &problem{RuleAction, at, "a thread cannot " + sanitize.Quote(s.line[at:s.at]) + "; it can " +
			actionNames()}
	}
	if !s.comma() {
		return &problem{RuleFields, s.at, "behind " + rec.action.name + " a comma and the affected thread are missing"}
	}
	if rec.affected, wrong = s.affectedThread("behind " + rec.action.name +
		" the affected thread is missing, such as Thread-60934352"); wrong != nil {
		return wrong
	}
	return s.active(rec)
}

func (s *scanner) thread(missing string) ([]byte, *problem) {
	s.skipBlanks()
	at := s.at
	return nameIn(s.word(), at, missing)
}

// affectedThread is thread where the next switch may follow without a blank.
func (s *scanner) affectedThread(missing string) ([]byte, *problem) {
	s.skipBlanks()
	at := s.at
	word := s.word()
	if border := bytes.LastIndex(word, prefixBytes); border > 0 && s.begins(at+border) {
		s.at = at + border
		word = word[:border]
	}
	return nameIn(word, at, missing)
}

// nameIn is the name of the thread that the word is, which stands at the byte.
func nameIn(word []byte, at int, missing string) ([]byte, *problem) {
	name, ok := bytes.CutPrefix(word, prefixBytes)
	if !ok || len(name) == 0 || len(name) > longestName || bytes.ContainsFunc(name, unprintable) {
		return nil, &problem{RuleFields, at, missing}
	}
	return name, nil
}

// begins says whether a switch begins at the byte: a thread, what it does, and a comma.
func (s *scanner) begins(at int) bool {
	ahead := scanner{line: s.line, at: at}
	ahead.line = ahead.line[:min(len(ahead.line), at+len(prefix)+longestName+1)]
	if _, wrong := ahead.thread(""); wrong != nil {
		return false
	}
	ahead.line = s.line
	return ahead.comma() && actionOf(ahead.plain()) != nil && ahead.comma()
}

// unprintable says whether no name of a thread has the character; some of these no trace could hold.
func unprintable(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }

// longestName is how many bytes the name of a thread may have behind Thread-.
const longestName = 256

// active reads ", active 8 ms", if that comes next.
func (s *scanner) active(rec *record) *problem {
	before := s.at
	if !s.comma() {
		s.at = before
		return nil
	}
	s.skipBlanks()
	at := s.at
	if !bytes.EqualFold(s.plain(), []byte("active")) {
		s.at = before
		return &problem{RuleFields, at,
			"behind the affected thread only \"active\" and a time may stand, such as active 8 ms"}
	}
	s.skipBlanks()
	at = s.at
	number := s.plain()
	unit := []byte("ms")
	if n := len(number); n > 2 && bytes.EqualFold(number[n-2:], unit) {
		number = number[:n-2]
	} else {
		unit = s.plain()
	}
	active, err := strconv.ParseInt(string(number), 10, 64)
	if err != nil || active < 0 || active > mostActive || !bytes.EqualFold(unit, []byte("ms")) {
		return &problem{RuleActive, at, "how long a thread was active is a whole number of milliseconds, such as 8 ms"}
	}
	rec.active = active
	return nil
}

// recover goes to where the next record may begin behind the one that begins at the byte: a thread with what it does
// behind it; or, behind what was read, one that a blank stands before and no comma; or the end of the line.
func (s *scanner) recover(begin int) {
	read := s.at
	for s.at = begin + 1; s.at < len(s.line); s.at++ {
		found := bytes.Index(s.line[s.at:], prefixBytes)
		if found < 0 {
			break
		}
		if s.at += found; s.begins(s.at) || s.at >= read && s.standsAlone() {
			return
		}
	}
	s.at = len(s.line)
}

// standsAlone says whether blanks come before what is at hand, and no comma before them.
func (s *scanner) standsAlone() bool {
	before := bytes.TrimRight(s.line[:s.at], " \t\u00A0")
	return len(before) < s.at && len(before) > 0 && before[len(before)-1] != ','
}

// Recognises says whether a text begins like a log: a switch stands in its first lines.
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
