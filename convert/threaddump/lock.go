package threaddump

import (
	"bytes"

	"github.com/trcx/trcx/trace/javaname"
)

// relations maps the words of a dump to a thread's relation to an object.
var relations = []struct {
	words    string
	relation relation
}{
	{"- locked <", nothing},
	{"- waiting to lock <", toLock},
	{"- waiting on <", toBeNotified},
	{"- waiting to re-lock in wait() <", toLockAgain},
	{"- waiting to re-lock in wait <", toLockAgain},
	{"- parking to wait for  <", toBeUnparked},
	{"- parking to wait for <", toBeUnparked},
}

var (
	noObject   = []byte("no object reference available>")
	eliminated = [][]byte{[]byte("- eliminated "), []byte("- lock is eliminated"), []byte("- None"), []byte("- None>")}
)

// lockLine reads a line with an object that the current thread owns or wants, or a call of jstack -F.
func (t *textReader) lockLine(content []byte, read line) {
	t.foreign = false
	if t.section == inSynchronizers {
		t.synchronizer(content, read)
		return
	}
	for _, r := range relations {
		rest, ok := bytes.CutPrefix(content, []byte(r.words))
		if !ok {
			continue
		}
		o, ok := t.parseObject(rest)
		switch {
		case bytes.HasPrefix(rest, noObject):
			t.want(r.relation, object{})
		case !ok:
			t.badLine(read, "invalid object: want <0x…> (a class), or <class@hash>", content)
		case r.relation == nothing:
			t.thread.owned = appendOwned(t.thread.owned, o)
		default:
			t.want(r.relation, o)
			if _, number, ok := bytes.Cut(rest, []byte(", owner #")); ok {
				t.thread.ownerID = string(number[:countDigits(number)])
			}
		}
		return
	}
	if rest, ok := bytes.CutPrefix(content, initOf); ok {
		t.thread.initializes = string(rest)
		return
	}
	if beginsWith(content, eliminated) {
		return
	}
	if f, ok := parseOldFrame(trim(content[1:])); ok {
		t.thread.isJava = true
		t.call(t.thread, &f)
		return
	}
	if bytes.Contains(content, []byte("0x")) { // else it is a line of the program
		t.badLine(read, "invalid object: want <0x…> (a class), or <class@hash>", content)
	}
}

// want notes what the thread waits for. The innermost frame says it; what comes again below it, such as that it has to
// lock again what it waits on, is the same.
func (t *textReader) want(r relation, o object) {
	if t.thread.want == nothing {
		t.thread.want, t.thread.wanted = r, o
	}
}

// maxOwned is how many objects of a thread are kept.
const maxOwned = 1024

// appendOwned appends an object, unless there are as many as are kept.
func appendOwned(owned []object, o object) []object {
	if len(owned) < maxOwned {
		owned = append(owned, o)
	}
	return owned
}

// synchronizer reads a line of the ownable synchronizers: - <0x…> (a class).
func (t *textReader) synchronizer(content []byte, read line) {
	rest, begins := bytes.CutPrefix(content, []byte("- <"))
	if !begins && !bytes.Contains(content, []byte("0x")) {
		return // "- None", or a line of the program
	}
	o, ok := t.parseObject(rest)
	if !begins || !ok {
		t.badLine(read, "invalid ownable synchronizer: want - <0x…> (a class), or - None", content)
		return
	}
	owner := t.thread
	if t.carrier != nil {
		owner = t.carrier // they are listed for platform threads only
	}
	owner.synced = appendOwned(owner.synced, o)
}

// parseObject reads the text after "<": 0x…> (a class), or class@hash>.
func (r *reader) parseObject(text []byte) (o object, ok bool) {
	end := bytes.IndexByte(text, '>')
	if end <= 0 {
		return o, false
	}
	name, rest := text[:end], text[end+1:]
	if hex, ok := bytes.CutPrefix(name, []byte("0x")); ok {
		if len(hex) > 16 || !isHex(hex) {
			return o, false
		}
		_, class, there := bytes.Cut(rest, []byte("(a "))
		class, closed := bytes.CutSuffix(trim(class), []byte{')'})
		if !there || !closed {
			return o, false
		}
		if declared, represented, ok := bytes.Cut(class, []byte(" for ")); ok { // a java.lang.Class for app.Main
			class = []byte(javaname.ClassObject(string(declared), string(represented)))
		}
		return object{name: r.intern(name), class: r.intern(class)}, true
	}
	return r.parseIdentity(name)
}

// parseIdentity reads an object as Java names it: class@hash.
func (r *reader) parseIdentity(text []byte) (o object, ok bool) {
	at := bytes.LastIndexByte(text, '@')
	if at <= 0 || !isHex(text[at+1:]) || len(text)-at > 17 {
		return o, false
	}
	return object{name: r.intern(text), class: r.intern(text[:at])}, true
}

func isHex(text []byte) bool {
	for _, c := range text {
		if !isDigit(c) && c|0x20-'a' > 5 {
			return false
		}
	}
	return len(text) > 0
}
