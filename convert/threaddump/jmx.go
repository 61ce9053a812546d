package threaddump

import (
	"bytes"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/trcx/trcx/trace"
)

// jmxHeadline matches the line of a thread in the output of programs that use java.lang.management: ThreadInfo.toString
// ("name" daemon prio=5 Id=7 WAITING on app.Main@1b2c), VisualVM ("name" - Thread t@7), and a demo of the JDK ("name"
// id=7 in WAITING on lock=app.Main@1b2c). Some add more before the state, as Jenkins does (Group=main).
var jmxHeadline = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^"(.*?)" (daemon )?(?:prio=(\d+) )?(?:- Thread t@|Id=|id=)(\d+)(?: (.*))?$`)
})

// jmxHeader reads such a line of a thread. It returns false for any other line.
func (t *textReader) jmxHeader(content []byte, place trace.Place) bool {
	if !bytes.Contains(content, []byte(`d=`)) && !bytes.Contains(content, []byte(` t@`)) {
		return false
	}
	m := jmxHeadline().FindSubmatch(content)
	if m == nil || bytes.HasPrefix(m[5], []byte("idx=")) {
		return false
	}
	state, detail := jmxState(m[5])
	if state == javaUnknown && len(m[5]) > 0 {
		return false
	}
	id := string(m[4])
	if t.dump != nil && (t.dump.form == plain || t.dump.form == jmx && t.dump.ids[id]) {
		t.endDump(false) // without a head, a thread that comes again begins the next dump
	}
	if t.dump == nil {
		t.dump = &dump{place: place, headless: true, dumpHeader: dumpHeader{at: t.stamp, dated: t.stamp > 0}}
		t.stamp = 0
	}
	t.endThread()
	if !t.dump.hasThread {
		t.dump.form = jmx
	}
	if t.dump.ids == nil {
		t.dump.ids = map[string]bool{}
	}
	t.dump.ids[id] = true
	t.beginThread(place)
	t.dump.hasStates, t.dump.hasLocks, t.dump.hasSynchronizers = true, true, true
	t.thread.isJava, t.thread.id, t.thread.name = true, id, string(m[1])
	t.thread.daemon, t.thread.prio = len(m[2]) > 0, string(m[3])
	t.thread.javaState = state
	t.waitsOn(detail)
	return true
}

// addOwners adds the threads that others name as owners of what they want, if the dump lacks them: programs log only
// some of their threads.
func (t *textReader) addOwners() {
	if t.dump.form != jmx {
		return
	}
	for _, wants := range slices.Clone(t.dump.threads) {
		if wants.ownerID == "" || wants.ownerName == "" || t.dump.ids[wants.ownerID] {
			continue
		}
		t.dump.ids[wants.ownerID] = true
		owner := newThread(wants.place)
		owner.id, owner.name, owner.isJava = wants.ownerID, wants.ownerName, true
		t.add(t.dump, owner)
	}
}

// noteStamp notes the time in a line of a log, for a dump without a head: 2024-05-06 07:08:09, maybe with a T or
// slashes, and after a few words.
func (t *textReader) noteStamp(content []byte) {
	const length, before = len(time.DateTime), 64
	for i := 0; i < min(len(content)-length+1, before); i++ {
		c := content[i : i+length]
		if !isDigit(c[0]) || c[4] != '-' && c[4] != '/' || c[7] != c[4] || c[10] != ' ' && c[10] != 'T' ||
			c[13] != ':' {
			continue
		}
		stamp := append([]byte(nil), c...)
		stamp[4], stamp[7], stamp[10] = '-', '-', ' '
		if at, ok := parseStamp(stamp); ok {
			t.stamp = at
			return
		}
	}
}

// afterLogger returns the line from the thread's name on. What a logger wrote before it becomes the prefix of the next
// lines.
func (t *textReader) afterLogger(content []byte) []byte {
	begin := bytes.IndexByte(content, '"')
	if begin <= 0 {
		return content
	}
	m := jmxHeadline().FindSubmatch(content[begin:])
	if m == nil {
		return content
	}
	if state, _ := jmxState(m[5]); state == javaUnknown {
		return content
	}
	t.noteStamp(content)
	t.prefix = append(t.prefix[:0], content[:begin]...)
	return content[begin:]
}

// jmxState returns the state of a thread among other words, and what comes after it.
func jmxState(words []byte) (javaState, []byte) {
	for field := range bytes.FieldsSeq(words) {
		if state, ok := javaStates[string(field)]; ok {
			_, detail, _ := bytes.Cut(words, field)
			return state, detail
		}
	}
	return javaUnknown, nil
}

// waitsOn reads, after the current thread's state, what it waits for and the owner: on app.Main@1b2c owned by "name"
// Id=12, or owned by: name.
func (t *textReader) waitsOn(detail []byte) {
	rest, ok := bytes.CutPrefix(trim(detail), []byte("on "))
	if !ok {
		return
	}
	name, rest, _ := bytes.Cut(bytes.TrimPrefix(rest, []byte("lock=")), []byte{' '})
	o, ok := t.parseIdentity(name)
	if !ok {
		return
	}
	relation := toBeNotified
	if t.thread.javaState == javaBlocked {
		relation = toLock
	}
	t.want(relation, o)
	t.ownedBy(trim(rest))
}

// ownedBy reads the owner of what the current thread wants: owned by "name" Id=12, owned by name id=12, owned by "name"
// t@12, or owned by: name.
func (t *textReader) ownedBy(text []byte) {
	_, owner, ok := bytes.Cut(text, []byte("owned by"))
	if !ok {
		return
	}
	for _, key := range []string{" Id=", " id=", " t@"} {
		if at := bytes.LastIndex(owner, []byte(key)); at >= 0 {
			number := owner[at+len(key):]
			t.thread.ownerID = string(number[:countDigits(number)])
			t.thread.ownerName = string(bytes.Trim(trim(owner[:at]), `"`))
			return
		}
	}
	if name, ok := bytes.CutPrefix(owner, []byte(": ")); ok {
		t.thread.ownerName = string(trim(name))
	}
}
