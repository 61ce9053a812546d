package threaddump

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/trcx/trcx/trace"
)

// jsonReader reads JSON dumps.
type jsonReader struct {
	*reader
	tokens *tokens
	levels []level
	dump   *dump
	thread *thread
	group  string // of the current container
	parent string
	called jmxCall   // the current one
	named  jmxObject // the current one
}

// level is an open object or array.
type level struct {
	kind byte   // { or [
	key  string // of the current value of an object; the key of an array
	next expected
	role role
}

// role is what an open object or array is in a dump.
type role uint8

const (
	other role = iota
	oneDump
	containers
	container
	threads
	oneThread
	calls
	blocker
	monitors
	monitor
	locks
	jmxThreads // of java.lang.management, as in Spring Boot's actuator
	jmxThread
	jmxCalls
	jmxFrame
	jmxWanted
	jmxMonitors
	jmxMonitor
	jmxLocks
	jmxLock
)

// expected is what can come next.
type expected uint8

const (
	firstKey   expected = iota // or the end
	laterKey                   // a key
	colon                      // after a key
	value                      // after a colon, or after a comma in an array
	firstValue                 // or the end of an array
	comma                      // or the end
)

// maxLevels limits the nesting of values. Dumps have ten levels.
const maxLevels = 64

// roles maps the role of an object or array and a key to the role of the value.
var roles = map[role]map[string]role{
	other:      {"threadDump": oneDump, "threads": jmxThreads},
	oneDump:    {"threadContainers": containers},
	containers: {"": container},
	container:  {"threads": threads},
	threads:    {"": oneThread},
	oneThread:  {"stack": calls, "parkBlocker": blocker, "monitorsOwned": monitors},
	monitors:   {"": monitor},
	monitor:    {"locks": locks},

	jmxThreads: {"": jmxThread},
	jmxThread: {"stackTrace": jmxCalls, "lockInfo": jmxWanted, "lockedMonitors": jmxMonitors,
		"lockedSynchronizers": jmxLocks},
	jmxCalls:    {"": jmxFrame},
	jmxMonitors: {"": jmxMonitor},
	jmxLocks:    {"": jmxLock},
}

// readJSON reads consecutive JSON dumps from a place of the input on. It returns where text begins, or that the input
// is over.
func (r *reader) readJSON(ctx context.Context, in *bufio.Reader, from trace.Place) (next trace.Place, over bool,
	_ error) {
	d := &jsonReader{reader: r, tokens: newTokens(in, from)}
	for count := 0; ; count++ {
		if count%4096 == 0 && ctx.Err() != nil {
			return next, true, ctx.Err()
		}
		if count > 0 && len(d.levels) == 0 && d.tokens.atText() {
			d.endDump()
			return d.tokens.after, false, r.err
		}
		kind, err := d.tokens.next()
		if err == nil && kind == 0 {
			d.over()
			return next, true, r.err
		}
		if err == nil {
			err = d.token(kind)
		}
		var wrong *syntaxError
		switch {
		case errors.As(err, &wrong):
			if over, err := d.recover(wrong); over || err != nil {
				return d.tokens.after, err != nil || wrong.truncated || !d.tokens.atPrinted(), firstOf(err, r.err)
			}
		case err != nil:
			return next, true, err
		case r.err != nil:
			return next, true, r.err
		}
	}
}

// over handles the end of the input.
func (d *jsonReader) over() {
	d.ending.Place = d.tokens.after
	if len(d.levels) == 0 {
		d.endDump()
		return
	}
	d.ending.Truncated = true
	d.report(ruleTruncated, trace.Error, d.tokens.after, "the input ends inside a dump; everything before is used",
		nil)
	d.endBrokenThread()
	if d.dump != nil {
		d.dump.complete = false
	}
	d.endDump()
}

// recover reports an error of syntax and resumes at the next thread, container or dump. over reports that none follows.
func (d *jsonReader) recover(wrong *syntaxError) (over bool, _ error) {
	if wrong.truncated {
		d.over()
		return true, nil
	}
	d.report(ruleJSON, trace.Error, wrong.place, wrong.message+"; reading resumes at the next thread", d.tokens.text)
	d.endBrokenThread()
	if d.dump != nil {
		d.dump.complete = false
	}
	key, err := d.tokens.resume("tid", "container", "threadDump")
	if key == "" || err != nil {
		d.ending.Place = d.tokens.after
		d.endDump()
		return true, err
	}
	top := level{kind: '{', next: colon, key: key}
	inArray := d.levels[:0]
	if len(d.levels) > 0 && d.levels[0].kind == '[' {
		inArray = append(inArray, level{kind: '[', next: comma})
	}
	outer := []level{{kind: '{', key: "threadDump", next: comma}, {kind: '{', key: "threadContainers", next: comma,
		role: oneDump}, {kind: '[', next: comma, role: containers}}
	switch key {
	case "threadDump":
		d.endDump()
		d.levels = append(inArray, top)
		return false, nil
	case "container":
		top.role = container
		d.levels = append(append(inArray, outer...), top)
	case "tid":
		top.role = oneThread
		d.levels = append(append(inArray, outer...), level{kind: '{', key: "threads", next: comma, role: container},
			level{kind: '[', next: comma, role: threads}, top)
	}
	if d.dump == nil {
		d.beginDump()
		d.dump.complete = false
	}
	if key == "tid" {
		d.beginThread()
	}
	return false, nil
}

// token reads a token.
func (d *jsonReader) token(kind byte) error {
	if len(d.levels) == 0 {
		switch {
		case kind == '{':
			d.levels = append(d.levels, level{kind: '{'})
		case kind == '[' && d.tokens.atDocument(): // such as jq -s makes of several dumps
			d.levels = append(d.levels, level{kind: '[', next: firstValue})
		default:
			return d.tokens.wrong(`invalid dump: want {"threadDump": …}`)
		}
		return nil
	}
	top := &d.levels[len(d.levels)-1]
	switch kind {
	case '{', '[':
		return d.open(top, kind)
	case '}', ']':
		return d.close(top, kind)
	case ':':
		if top.next != colon {
			return d.tokens.wrong("a key is missing before this colon")
		}
		top.next = value
		return nil
	case ',':
		return d.comma(top)
	case '"':
		if top.kind == '{' && (top.next == firstKey || top.next == laterKey) {
			top.key, top.next = d.key(), colon
			return nil
		}
	}
	if top.next != value && top.next != firstValue {
		return d.tokens.wrong("a comma or a bracket is missing before this value")
	}
	top.next = comma
	return d.value(top, kind)
}

// comma reads a comma.
func (d *jsonReader) comma(l *level) error {
	if l.next != comma {
		return d.tokens.wrong("a value is missing before this comma")
	}
	l.next = value
	if l.kind == '{' {
		l.next = laterKey
	}
	return nil
}

// keys are the keys that have a meaning.
var keys = keysOf("threadDump", "threadContainers", "threads", "stack", "parkBlocker", "monitorsOwned", "locks",
	"processId", "runtimeVersion", "time", "container", "parent",
	"object", "owner", "exclusiveOwnerThread", "tid", "name", "virtual", "carrier", "waitingOn", "blockedOn", "state",
	"threadName", "threadId", "threadState", "lockInfo", "lockOwnerId", "lockedMonitors", "lockedSynchronizers",
	"stackTrace", "className", "identityHashCode", "methodName", "fileName", "lineNumber", "nativeMethod", "daemon",
	"priority")

func keysOf(names ...string) map[string]string {
	keys := map[string]string{}
	for _, name := range names {
		keys[name] = name
	}
	return keys
}

// key is the current key, or "" if it has no meaning.
func (d *jsonReader) key() string {
	return keys[string(d.tokens.text)]
}

func (d *jsonReader) open(top *level, kind byte) error {
	if top.next != value && top.next != firstValue {
		return d.tokens.wrong("a comma or a key is missing before this bracket")
	}
	if len(d.levels) >= maxLevels {
		return d.tokens.wrong(fmt.Sprintf("more than %d values are nested", maxLevels))
	}
	top.next = comma
	key := top.key
	if top.kind == '[' {
		key = ""
	}
	inner := level{kind: kind, role: roles[top.role][key]}
	if kind == '[' {
		inner.next = firstValue
	}
	if top.kind == '[' && top.role == other && len(d.levels) == 1 && kind == '{' && d.tokens.atThread() {
		top.role, inner.role = jmxThreads, jmxThread // an array of threads
		d.beginDump()
		d.dump.form = jmx
	}
	switch inner.role {
	case jmxThreads:
		d.beginDump()
		d.dump.form = jmx
	case jmxThread:
		d.beginThread()
		d.dump.hasStates, d.dump.hasLocks, d.dump.hasSynchronizers = true, true, true
	case jmxFrame, jmxWanted, jmxMonitor, jmxLock:
		d.called, d.named = jmxCall{}, jmxObject{}
	case oneDump:
		d.beginDump()
	case container:
		d.group, d.parent = "", ""
	case oneThread:
		d.beginThread()
	}
	d.levels = append(d.levels, inner)
	return nil
}

func (d *jsonReader) close(top *level, kind byte) error {
	// in ASCII, } and ] are two after { and [
	if top.kind+2 != kind || top.next == colon || top.next == value || top.next == laterKey {
		return d.tokens.wrong("this bracket closes nothing, or an incomplete value")
	}
	switch top.role {
	case oneThread:
		d.endThread()
	case oneDump, jmxThreads:
		d.endDump()
	case jmxThread:
		if t := d.thread; t != nil && t.javaState == javaBlocked && t.want == toBeNotified {
			t.want = toLock
		}
		d.endThread()
	case jmxFrame, jmxWanted, jmxMonitor, jmxLock:
		d.endJMX(top.role)
	}
	d.levels = d.levels[:len(d.levels)-1]
	return nil
}

func (d *jsonReader) beginDump() {
	d.endDump()
	d.dump = &dump{form: asJSON, place: d.tokens.place, complete: true}
}

// endDump passes the current dump to the series.
func (d *jsonReader) endDump() {
	if d.dump != nil {
		ended := d.dump
		d.dump = nil
		d.putDump(ended)
	}
}

func (d *jsonReader) beginThread() {
	d.thread = newThread(d.tokens.place)
	d.thread.isJava, d.thread.group, d.thread.parent = true, d.group, d.parent
	d.frames = d.frames[:0]
}

// endThread adds the current thread to the dump.
func (d *jsonReader) endThread() {
	t := d.thread
	d.thread = nil
	if t == nil || d.dump == nil {
		return
	}
	if t.id == "" {
		d.report(ruleThread, trace.Error, t.place, `a thread has no "tid", so it cannot be identified`, nil)
		return
	}
	d.add(d.dump, t)
}

// endBrokenThread adds what is known of an incomplete thread.
func (d *jsonReader) endBrokenThread() {
	if t := d.thread; t != nil && t.id != "" && (t.javaState != javaUnknown || t.depth > 0) {
		t.cut = true
		d.endThread()
	}
	d.thread = nil
}

// entries describe, for messages, the objects that an array of the role has to hold.
var entries = map[role]string{
	containers: `container of threads: want {"container": …, "threads": […]}; it is skipped`,
	threads:    `thread: want {"tid": …, "name": …, "stack": […]}; it is skipped`,
}

// value reads a string, a number, true, false or null.
func (d *jsonReader) value(top *level, kind byte) error {
	text := d.tokens.text
	if entry, ok := entries[top.role]; ok {
		d.report(ruleThread, trace.Error, d.tokens.place, "invalid "+entry, text)
		return nil
	}
	if kind == 'n' || len(text) == 0 && top.key != "name" {
		return nil
	}
	switch {
	case top.role == oneDump:
		d.dumpValue(top.key, text)
	case top.role == container && top.key == "container" && string(text) != "<root>":
		d.group = string(text)
	case top.role == container && top.key == "parent" && d.group != "":
		d.parent = string(text)
	case d.thread != nil:
		d.threadValue(top, text)
	}
	return nil
}

func (d *jsonReader) dumpValue(key string, text []byte) {
	switch key {
	case "processId":
		d.dump.process = string(text)
	case "runtimeVersion":
		d.dump.vm = string(text)
	case "time":
		at, ok := parseInstant(text)
		if d.dump.at, d.dump.dated = at, ok; !ok {
			d.report(ruleTime, trace.Warning, d.tokens.place,
				"invalid time: want one such as 2026-11-22T05:00:51.311921635Z", text)
		}
	}
}

// threadValue reads a value in the current thread, or in a part of it.
func (d *jsonReader) threadValue(top *level, text []byte) {
	t := d.thread
	switch top.role {
	case oneThread:
		d.property(t, top.key, text)
	case calls:
		if f, ok := parseFrame(text); ok {
			d.call(t, &f)
		} else {
			d.report(ruleLine, trace.Error, d.tokens.place, "invalid call: want class.method(file:line)", text)
		}
	case blocker:
		switch top.key {
		case "object":
			d.want(t, toBeUnparked, text)
		case "owner", "exclusiveOwnerThread":
			t.ownerID = threadNumber(text)
		}
	case jmxThread, jmxFrame, jmxWanted, jmxMonitor, jmxLock:
		d.jmxValue(top, text)
	case locks:
		if o, ok := d.object(text); ok && len(t.owned) < maxOwned {
			t.owned = append(t.owned, o)
			d.dump.hasLocks = true
		}
	}
}

// threadNumber returns the id of a thread, given as a number, maybe with a # before it.
func threadNumber(text []byte) string {
	if len(text) > 0 && text[0] == '#' {
		text = text[1:]
	}
	if countDigits(text) != len(text) {
		return ""
	}
	return string(text)
}

func (d *jsonReader) property(t *thread, key string, text []byte) {
	switch key {
	case "tid":
		if t.id = threadNumber(text); t.id == "" {
			d.thread = nil
			d.report(ruleThread, trace.Error, d.tokens.place, "invalid thread id: want a number", text)
		}
	case "name":
		t.name = string(text)
	case "virtual":
		t.virtual = string(text) == "true"
	case "carrier":
		t.carrier = string(text)
	case "waitingOn":
		d.want(t, toBeNotified, text)
	case "blockedOn":
		d.want(t, toLock, text)
	case "state":
		s, ok := javaStates[string(text)]
		if !ok {
			d.report(ruleLine, trace.Error, d.tokens.place,
				"invalid thread state: want RUNNABLE, BLOCKED, WAITING, TIMED_WAITING, NEW or TERMINATED",
				text)
			return
		}
		t.javaState, d.dump.hasStates, d.dump.hasLocks = s, true, true
	}
}

func (d *jsonReader) want(t *thread, r relation, text []byte) {
	// a parked thread may have kept the blocker of an earlier park
	if o, ok := d.object(text); ok && (t.want == nothing || t.want == toBeUnparked) {
		t.want, t.wanted = r, o
	}
}

func (d *jsonReader) object(text []byte) (object, bool) {
	o, ok := d.parseIdentity(text)
	if !ok {
		d.report(ruleLine, trace.Error, d.tokens.place, "invalid object: want class@hash", text)
	}
	return o, ok
}
