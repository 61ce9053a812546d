package threaddump

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trcx/trcx/trace"
)

// core is what a javacore says before its threads: who owns and who wants which monitor, by addresses of threads.
type core struct {
	skipped     bool // the thread that made the dump, which comes again among all threads, is skipped
	monitor     object
	relation    relation
	owners      map[object]string // from a monitor to the address of its owner
	wants       map[string]wanted // by the address of a thread
	idents      map[string]string // from the identity of a thread in a flat lock to its address
	flat        map[object]string // from a monitor to such an identity
	threads     map[string]*thread
	deadlocked  string // the address of the thread that a deadlock named last
	deadlockObj object
}

// wanted is a monitor that a thread wants.
type wanted struct {
	relation relation
	object   object
}

// javacoreTitle is how javacores of IBM's JDK 1.3 to 8 and of OpenJ9 begin.
var javacoreTitle = []byte("0SECTION       TITLE")

// beginJavacore begins a javacore.
func (t *textReader) beginJavacore(read line) {
	t.endDump(false)
	t.prefix = t.prefix[:0]
	t.dump = &dump{form: javacore, place: read.place,
		dumpContents: dumpContents{hasStates: true, hasLocks: true, hasSynchronizers: true}}
	t.section, t.thread = inThreads, nil
	t.core = &core{owners: map[object]string{}, wants: map[string]wanted{}, idents: map[string]string{},
		flat: map[object]string{}, threads: map[string]*thread{}}
}

// javacoreLine reads a line of a javacore: a tag, and a text.
func (t *textReader) javacoreLine(content []byte, read line) {
	tag, text, _ := bytes.Cut(content, []byte{' '})
	text = trim(text)
	switch string(tag) {
	case "1TIDATETIME":
		if _, date, ok := bytes.Cut(text, []byte("Date:")); ok && len(trim(date)) >= len("2006/01/02 at 15:04:05") {
			t.dump.at, t.dump.dated = timeOf(time.Parse("2006/01/02 at 15:04:05",
				string(trim(date)[:len("2006/01/02 at 15:04:05")])))
		}
	case "1CIJAVAVERSION":
		t.dump.vm = string(text)
	case "1CIPROCESSID":
		_, id, _ := bytes.Cut(text, []byte("Process ID:"))
		id = trim(id)
		t.dump.process = string(id[:countDigits(id)])
	case "1XMCURTHDINFO":
		t.endThread()
		t.core.skipped = true
	case "1XMTHDINFO", "2XMFULLTHDDUMP":
		t.core.skipped = false
	case "3XMTHREADINFO":
		t.javacoreThread(text, read)
	case "NULL", "0SECTION":
		t.javacoreEnd(content)
	default:
		if t.thread != nil {
			t.javacorePart(string(tag), text, read)
		} else {
			t.javacoreMonitor(string(tag), text)
		}
	}
}

// javacoreEnd ends the current thread at the end of a section, and the dump at its end.
func (t *textReader) javacoreEnd(content []byte) {
	if bytes.HasPrefix(content, []byte("0SECTION")) || bytes.Contains(content, []byte("END OF DUMP")) {
		t.endThread()
	}
	if bytes.Contains(content, []byte("END OF DUMP")) || bytes.Contains(content, []byte("Javadump End")) {
		t.dump.complete = true
		t.endDump(false)
	}
}

// javacoreMonitor reads a line about monitors and their deadlocks.
func (t *textReader) javacoreMonitor(tag string, text []byte) {
	c := t.core
	switch tag {
	case "3LKMONOBJECT":
		o, ok := t.parseAddress(text)
		if c.monitor = o; !ok {
			return
		}
		_, state, _ := bytes.Cut(text, []byte(": "))
		if address := addressIn(state); address != "" {
			c.owners[o] = address
		} else if _, ident, ok := bytes.Cut(state, []byte("thread ident ")); ok {
			c.flat[o] = string(bytes.TrimRight(firstWord(ident), ","))
		}
	case "3LKWAITERQ":
		c.relation = toLock
	case "3LKNOTIFYQ":
		c.relation = toBeNotified
	case "2LKREGMON", "2LKMONINUSE":
		c.monitor = object{} // one of the JVM's own monitors, or the next one
	case "3LKWAITER", "3LKWAITNOTIFY":
		if address := addressIn(text); address != "" && c.monitor.known() {
			c.wants[address] = wanted{c.relation, c.monitor}
		}
	case "2LKFLATMON":
		if _, ident, ok := bytes.Cut(text, []byte("ident ")); ok {
			c.idents[string(firstWord(ident))] = addressIn(text)
		}
	case "1LKDEADLOCK":
		t.dump.deadlocks++
		c.deadlocked, c.deadlockObj = "", object{}
	case "2LKDEADLOCKTHR":
		address := addressIn(text)
		if c.deadlocked != "" && c.deadlockObj.known() && c.owners[c.deadlockObj] == "" {
			c.owners[c.deadlockObj] = address
		}
		c.deadlocked, c.deadlockObj = address, object{}
	case "4LKDEADLOCKOBJ":
		if o, ok := t.parseAddress(text); ok {
			c.deadlockObj = o
			if c.wants[c.deadlocked] == (wanted{}) {
				c.wants[c.deadlocked] = wanted{toLock, o}
			}
		}
	}
}

// addressIn returns the address of a thread after its quoted name: "main" (0x22AAACA8), or (J9VMThread:0x22AAACA8, …).
func addressIn(text []byte) string {
	last := bytes.LastIndexByte(text, '"')
	_, address, ok := bytes.Cut(text[last+1:], []byte("(0x"))
	if !ok {
		_, address, ok = bytes.Cut(text[last+1:], []byte("J9VMThread:0x"))
	}
	end := 0
	for end < len(address) && isHex(address[end:end+1]) {
		end++
	}
	if last < 0 || !ok {
		return ""
	}
	return normalAddress(address[:end])
}

// normalAddress returns an address without leading zeros, as the sections of one javacore differ in them.
func normalAddress(digits []byte) string {
	return string(bytes.ToUpper(bytes.TrimLeft(digits, "0")))
}

// javacoreStates are the states of threads by their letters. A thread that waits on a condition may have a timeout.
var javacoreStates = map[string]javaState{"R": javaRunnable, "CW": javaSomeWaiting, "MW": javaBlocked,
	"B": javaBlocked, "P": javaSomeWaiting, "S": javaSomeWaiting, "Z": javaEnded}

// javacoreThread reads the line of a thread: "main" J9VMThread:0x0A, omrthread_t:0x0B, java/lang/Thread:0x0C, state:CW,
// prio=5; up to Java 6 "main" (TID:0x0A, sys_thread_t:0x0B, state:CW, native ID:0x0C) prio=5.
func (t *textReader) javacoreThread(text []byte, read line) {
	t.endThread()
	last := bytes.LastIndexByte(text, '"')
	if t.core.skipped || last < 1 || text[0] != '"' {
		return // a native thread
	}
	t.beginThread(read.place)
	t.thread.name, t.thread.isJava = string(text[1:last]), true
	for _, address := range t.thread.classicAttributes(text[last+1:]) {
		if t.core.threads[address] == nil {
			t.core.threads[address] = t.thread
		}
	}
}

// classicHeader reads the line of a thread of the Classic VM of Java 1.2 and IBM's 1.3: "main" (TID:0x0A,
// sys_thread_t:0x0B, state:CW, native ID:0x0C) prio=5.
func (t *textReader) classicHeader(name, attributes []byte, place trace.Place) bool {
	if t.dump == nil {
		return false
	}
	t.beginThread(place)
	t.dump.hasStates = true
	t.thread.name, t.thread.isJava = string(name), true
	t.thread.classicAttributes(attributes)
	return true
}

// classicAttributes reads a thread's attributes. It returns its addresses, by which other lines name it.
func (t *thread) classicAttributes(text []byte) (addresses []string) {
	for _, field := range bytes.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" ,()", c) }) {
		colon := bytes.IndexAny(field, ":=")
		if colon < 0 {
			continue
		}
		switch key, value := string(field[:colon]), field[colon+1:]; key {
		case "TID", "sys_thread_t", "J9VMThread":
			addresses = append(addresses, normalAddress(bytes.TrimPrefix(value, []byte("0x"))))
			if t.handle == "" {
				t.id, t.handle = string(value), string(value)
			}
		case "state":
			t.javaState = javacoreStates[string(value)]
			if string(value) == "P" {
				t.waitCall = byParking
			}
		case "ID":
			t.nid = string(value)
		case "prio":
			t.prio = string(value)
		}
	}
	return addresses
}

// javacorePart reads a line of the current thread.
func (t *textReader) javacorePart(tag string, text []byte, read line) {
	switch tag {
	case "3XMJAVALTHREAD":
		if _, id, ok := bytes.Cut(text, []byte("getId:0x")); ok {
			if number := hexNumber(id); number != "" {
				t.thread.id = number
			}
		}
		t.thread.daemon = bytes.Contains(text, []byte("isDaemon:true"))
	case "3XMTHREADINFO1":
		if _, id, ok := bytes.Cut(text, []byte("native thread ID:")); ok {
			t.thread.nid = string(bytes.TrimRight(firstWord(id), ","))
		}
	case "3XMCPUTIME":
		_, seconds, _ := bytes.Cut(text, []byte("total: "))
		if used, reading := trace.ParseTime(firstWord(seconds)); reading == trace.Exact {
			t.thread.cpu = int64(used)
		}
	case "3XMTHREADBLOCK":
		t.javacoreBlock(text)
	case "4XESTACKTRACE":
		f, ok := parseOtherFrame(bytes.TrimPrefix(text, frameBegin))
		if !ok {
			t.badLine(read, "invalid call: want at class.method(file:line)", text)
			return
		}
		t.call(t.thread, &f)
	case "5XESTACKTRACE":
		if _, lock, ok := bytes.Cut(text, []byte("entered lock: ")); ok {
			if o, ok := t.parseAddress(lock); ok {
				t.thread.owned = appendOwned(t.thread.owned, o)
			}
		}
	}
}

// javacoreBlock reads what a thread of OpenJ9 wants: Blocked on: java/lang/Object@0x0A Owned by: "main" (J9VMThread:…).
func (t *textReader) javacoreBlock(text []byte) {
	for words, r := range map[string]relation{"Blocked on: ": toLock, "Waiting on: ": toBeNotified,
		"Parked on: ": toBeUnparked} {
		rest, ok := bytes.CutPrefix(text, []byte(words))
		if !ok {
			continue
		}
		o, ok := t.parseAddress(rest)
		if !ok {
			return // parked without an object
		}
		t.want(r, o)
		if owner := addressIn(rest); owner != "" && r != toBeNotified {
			t.core.owners[o] = owner
		}
	}
}

// bindMonitors sets what the threads of a javacore own and want, by its list of monitors.
func (t *textReader) bindMonitors() {
	c := t.core
	if c == nil || t.dump.form != javacore {
		return
	}
	t.core = nil
	for address, w := range c.wants {
		wants := c.threads[address]
		if wants == nil || wants.want != nothing {
			continue
		}
		// a thread that wants a flat lock is listed among those to be notified
		if w.relation == toBeNotified && wants.innermost[0] != byWaiting {
			w.relation = toLock
		}
		wants.want, wants.wanted = w.relation, w.object
	}
	for o, ident := range c.flat {
		if c.owners[o] == "" {
			c.owners[o] = c.idents[ident]
		}
	}
	for o, address := range c.owners {
		if owner := c.threads[address]; owner != nil && !slices.Contains(owner.owned, o) {
			owner.owned = appendOwned(owner.owned, o)
		}
	}
	for _, t := range t.dump.threads { // maps have no order
		slices.SortFunc(t.owned, func(a, b object) int { return strings.Compare(a.name, b.name) })
	}
}

// hexNumber returns the hexadecimal digits at the beginning of a text as a decimal number, or "".
func hexNumber(text []byte) string {
	end := 0
	for end < len(text) && isHex(text[end:end+1]) {
		end++
	}
	number, err := strconv.ParseUint(string(text[:end]), 16, 64)
	if err != nil {
		return ""
	}
	return strconv.FormatUint(number, 10)
}
