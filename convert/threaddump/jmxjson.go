package threaddump

import (
	"bytes"
	"strconv"
)

// jmxCall is a call in the JSON of java.lang.management.
type jmxCall struct {
	class, method, file string
	line                int32
	native              bool
}

// jmxObject is an object in the JSON of java.lang.management: its class and hash.
type jmxObject struct{ class, hash string }

// jmxValue reads a value in a thread, a call or an object of java.lang.management.
func (d *jsonReader) jmxValue(top *level, text []byte) {
	t := d.thread
	switch top.key {
	case "threadId":
		t.id = threadNumber(text)
	case "threadName":
		t.name = string(text)
	case "threadState":
		t.javaState = javaStates[string(text)]
	case "daemon":
		t.daemon = string(text) == "true"
	case "priority":
		t.prio = string(text)
	case "lockOwnerId":
		t.ownerID = threadNumber(text) // -1 for none
	case "className":
		d.called.class, d.named.class = string(text), string(text)
	case "methodName":
		d.called.method = string(text)
	case "fileName":
		d.called.file = string(text)
	case "lineNumber":
		d.called.line, _ = parseLine(text)
	case "nativeMethod":
		d.called.native = string(text) == "true"
	case "identityHashCode":
		if hash, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			d.named.hash = strconv.FormatInt(hash, 16)
		}
	}
}

// endJMX adds a call or an object to the current thread.
func (d *jsonReader) endJMX(of role) {
	t, c := d.thread, &d.called
	if t == nil {
		return
	}
	if of == jmxFrame {
		where := c.file
		switch {
		case c.native:
			where = "Native Method"
		case c.line > 0:
			where += ":" + strconv.Itoa(int(c.line))
		}
		if f, ok := parseFrame([]byte(c.class + "." + c.method + "(" + where + ")")); ok {
			d.reader.call(t, &f)
		}
		return
	}
	o, ok := d.parseIdentity([]byte(d.named.class + "@" + d.named.hash))
	switch {
	case !ok:
	case of == jmxMonitor:
		t.owned = appendOwned(t.owned, o)
	case of == jmxLock:
		t.synced = appendOwned(t.synced, o)
	default: // if the thread is BLOCKED, it wants to lock it
		t.want, t.wanted = toBeNotified, o
	}
}

// atThread reports whether the object just opened begins like a thread of java.lang.management.
func (t *tokens) atThread() bool {
	text := bytes.TrimLeft(t.ahead(64), jsonSpace)
	return beginsWith(text, firstKeys[2:])
}
