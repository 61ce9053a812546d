package jfr

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/trcx/trcx/trace"
)

// oldBuilder writes chunks of format 0.9.
type oldBuilder struct {
	events     []byte
	checkpoint int // its offset in the chunk
	second     int64
}

type (
	u1  byte
	u2  uint16
	u4  uint32
	utf string // in the encoding of the JVM; Go strings are written as Java's
)

// The numbers of types in the format.
const (
	isBoolean = iota
	isU1      = 2
	isU2      = 4
	isInt     = 5
	isU4      = 6
	isLong    = 7
	isU8      = 8
	isUTF8    = 11
	isString  = 12
)

func appendOld(dst []byte, values ...any) []byte {
	for _, value := range values {
		switch v := value.(type) {
		case raw:
			dst = append(dst, v...)
		case u1:
			dst = append(dst, byte(v))
		case u2:
			dst = binary.BigEndian.AppendUint16(dst, uint16(v))
		case u4:
			dst = binary.BigEndian.AppendUint32(dst, uint32(v))
		case int:
			dst = binary.BigEndian.AppendUint64(dst, uint64(v))
		case int64:
			dst = binary.BigEndian.AppendUint64(dst, uint64(v))
		case utf:
			dst = append(appendOld(dst, u2(len(v))), v...)
		case string:
			chars := utf16.Encode([]rune(v))
			dst = appendOld(dst, u4(len(chars)))
			for _, c := range chars {
				dst = appendOld(dst, u2(c))
			}
		}
	}
	return dst
}

func (b *oldBuilder) event(kind u4, values ...any) {
	b.events = append(b.events, oldEvent(kind, values...)...)
}

func oldEvent(kind u4, values ...any) []byte {
	body := appendOld(nil, append([]any{kind}, values...)...)
	return append(appendOld(nil, u4(len(body)+4)), body...)
}

// oldField is a field: its name, type and content, and the structure of a compound type.
type oldField struct {
	name          string
	kind, content int
	of            int
}

// oldStructures are the structures of the JVM's producer, by index.
var oldStructures = [][]oldField{
	{{"name", isUTF8, 0, 0}},                                                           // 0: Thread
	{{"thread", isU4, 7, 0}, {"group", isU4, 31, 0}},                                   // 1: JavaThread
	{{"parent", isU4, 31, 0}, {"name", isUTF8, 0, 0}},                                  // 2: ThreadGroup
	{{"loaderClass", isU8, 10, 0}, {"name", isU8, 33, 0}},                              // 3: Class
	{{"class", isU8, 10, 0}, {"name", isU8, 33, 0}, {"signature", isU8, 33, 0}},        // 4: Method
	{{"utf8", isUTF8, 0, 0}},                                                           // 5: UTFConstant
	{{"method", isU8, 32, 0}, {"line", isInt, 0, 0}, {"bci", isInt, 0, 0}},             // 6: a frame
	{{"truncated", isBoolean, 0, 0}, {"frames", 15, 0, 6}},                             // 7: StackTrace
	{{"name", isUTF8, 0, 0}},                                                           // 8: ThreadState
	{{"javalangthread", isLong, 8, 0}},                                                 // 9: start, end
	{{"time", isLong, 3, 0}},                                                           // 10: sleep
	{{"klass", isU8, 10, 0}, {"timeout", isLong, 3, 0}, {"address", isU8, 6, 1}},       // 11: park
	{{"klass", isU8, 10, 0}, {"previousOwner", isLong, 8, 0}, {"address", isU8, 6, 1}}, // 12: enter
	{{"klass", isU8, 10, 0}, {"notifier", isU4, 7, 0}, {"timeout", isLong, 3, 0}, {"timedOut", isBoolean, 0, 0},
		{"address", isU8, 6, 1}}, // 13: wait
	{{"sampledThread", isU4, 7, 0}, {"stackTrace", isU8, 9, 0}, {"state", isU2, 34, 0}}, // 14: sample
	{{"result", isString, 0, 0}}, // 15: dump
	{{"timeout", isLong, 3, 0}, {"port", isInt, 0, 0}, {"host", isString, 0, 0}, {"ratios", 13, 0, 9}},         // 16: socket
	{{"period", isLong, 3, 0}, {"threshold", isLong, 4, 0}, {"enabled", isBoolean, 0, 0}, {"id", isInt, 0, 0}}, // 17
}

// oldEvents are the types of events: id, path, whether they have a start, a thread and a stack, and their structure.
var oldEvents = []struct {
	id                   int
	path                 string
	start, thread, stack u1
	of                   int
}{
	{3, "java/thread_start", 0, 1, 0, 9}, {4, "java/thread_end", 0, 1, 0, 9}, {5, "java/thread_sleep", 1, 1, 1, 10},
	{6, "java/thread_park", 1, 1, 1, 11}, {7, "java/monitor_enter", 1, 1, 1, 12}, {8, "java/monitor_wait", 1, 1, 1, 13},
	{9, "vm/prof/execution_sample", 0, 0, 0, 14}, {10, "vm/runtime/thread_dump", 0, 0, 0, 15},
	{11, "java/socket_read", 1, 1, 1, 16}, {12, "recordings/recording_setting", 0, 0, 0, 17},
}

var oldConstantTypes = []struct {
	id   int
	name string
	key  int
	of   int
}{
	{7, "Thread", isU4, 0}, {8, "JavaThread", isU8, 1}, {31, "ThreadGroup", isU4, 2}, {10, "Class", isU8, 3},
	{32, "Method", isU8, 4}, {33, "UTFConstant", isU8, 5}, {9, "StackTrace", isU8, 7}, {34, "ThreadState", isU2, 8},
}

// oldDescription describes two producers: an empty one, and the JVM.
func oldDescription() []byte {
	out := appendOld(nil, u4(2), u4(4099), utf("empty"), utf(""), utf("http://empty/"), u4(0), u4(0), u4(0), u4(0),
		u4(1), utf("HotSpot JVM"), utf(""), utf("http://jvm/"), u4(1), utf("address"), u4(len(oldStructures)))
	for _, fields := range oldStructures {
		out = appendOld(out, u4(len(fields)))
		for _, f := range fields {
			out = appendOld(out, utf(f.name), utf("a field"), utf(""), u1(0), u1(f.kind), u4(f.content), u4(f.of), u4(0))
		}
	}
	out = appendOld(out, u4(len(oldEvents)))
	for _, e := range oldEvents {
		out = appendOld(out, u4(e.id), utf("an event"), utf(""), utf(e.path), e.start, e.thread, e.stack, u1(0), u4(e.of),
			u4(0))
	}
	out = appendOld(out, u4(len(oldConstantTypes)))
	for _, c := range oldConstantTypes {
		out = appendOld(out, u4(c.id), utf(c.name), utf(""), u1(c.key), u4(c.of))
	}
	return out
}

// constants adds a checkpoint with the threads 77 (main, 1 in Java), 88 (worker, 5), 89 (next, 6) and 99 (the JVM's),
// and the stack 1: app.Job.run, line 12.
func (b *oldBuilder) constants(at int) {
	b.checkpoint = oldHeaderSize + len(b.events)
	b.event(checkpointType, at, 0,
		u4(7), u4(4), u4(77), utf("main"), u4(88), utf("worker"), u4(89), utf("next"), u4(99), utf("VM Thread"),
		u4(8), u4(3), 1, u4(77), u4(2), 5, u4(88), u4(2), 6, u4(89), u4(2),
		u4(31), u4(2), u4(1), u4(0), utf("system"), u4(2), u4(1), utf("main"),
		u4(33), u4(4), 1, utf("app/Job"), 2, utf("run"), 3, utf("()V"), 4, utf("java/util/TaskQueue"),
		u4(10), u4(2), 1, 0, 1, 2, 0, 4, u4(32), u4(1), 1, 1, 2, 3,
		u4(9), u4(1), 1, u1(0), u4(1), 1, u4(12), u4(3), u4(34), u4(1), u2(7), utf("STATE_RUNNABLE"))
}

func (b *oldBuilder) bytes() []byte {
	metadata := oldEvent(metadataType, raw(oldDescription()), b.second*1000, b.second*1000+1000, 5000,
		1_000_000, b.checkpoint)
	out := append([]byte(magic), 0, 0, 0, oldMinor)
	out = appendOld(out, oldHeaderSize+len(b.events))
	return append(append(out, b.events...), metadata...)
}

// oldSample is a chunk with events of all types that are read. A tick is a microsecond; the chunk begins at 5000.
func oldSample(begin int64) *oldBuilder {
	b := &oldBuilder{second: begin}
	at := func(ms int) int { return 5000 + 1000*ms }
	b.event(12, at(0), 0, 20_000_000, u1(1), u4(8))
	b.event(12, at(0), 20, 0, u1(1), u4(9))
	b.event(3, at(10), u4(88), 5)
	b.event(7, at(50), at(30), u4(88), 1, 1, 1, 0x1000)                       // an enter, 30 to 50, after main
	b.event(8, at(150), at(50), u4(77), 1, 2, u4(0), 100, u1(1), 0x2000)      // a wait, timed out
	b.event(8, at(190), at(160), u4(77), 1, 1, u4(88), 0, u1(0), 0x1000)      // another, notified
	b.event(5, at(250), at(200), u4(77), 1, 50)                               // a sleep
	b.event(6, at(300), at(260), u4(77), 0, 2, 0, 0x3000)                     // a park
	b.event(11, at(400), at(310), u4(77), 1, 0, u4(443), "host", u4(1), 0, 0) // a read
	b.event(9, at(450), u4(77), 1, u2(7))
	b.event(oldLoss, at(460), u4(99), u4(1234))
	b.event(4, at(500), u4(88), 5)
	b.event(3, at(510), u4(89), 6)
	b.event(10, at(900), "2010-01-01 00:00:00\nFull thread dump Java HotSpot(TM) 64-Bit Server VM (24.0-b1 mixed mode):\n\n"+
		"\"main\" prio=5 tid=0x0001 nid=0x4d in Object.wait() [0x01]\n   java.lang.Thread.State: WAITING (on object monitor)\n"+
		waitsOn+"\nJNI global references: 5\n\n")
	b.constants(at(990))
	return b
}

// TestOldFormat reads events of format 0.9.
func TestOldFormat(t *testing.T) {
	o := readAll(t, oldSample(second).bytes(), limits{})
	if len(o.findings) != 1 || o.findings[0].Rule != RuleLost {
		t.Error(o.findings)
	}
	got := strings.Join(o.all, "")
	for _, want := range []string{
		`<classDef name="app/Job"`, `<methodDef name="run" signature="()V"`,
		`threadName="main" groupName="main" parentName="system"`,
		`<threadStart threadId="5" time="1700000000.010000000" threadName="worker"`,
		`<monContendedEnter threadIdRef="5" time="1700000000.030000000"`, `<annotation name="stack" value="1:12"/>`,
		`<monContendedEntered threadIdRef="5" time="1700000000.050000000" objIdRef="3"><annotation name="causedBy" value="1"/>`,
		`time="1700000000.150000000" objIdRef="4" timeout="100" isTimedOut="1"`,
		`<monWait threadIdRef="1" time="1700000000.200000000" objIdRef="-1" timeout="50"`,
		`<annotation name="park" value="wait"/>`, `<annotation name="peer" value="host:443"/>`,
		`value="1 1700000000.450000000 RUNNABLE 1 20000000 1:12"`,
		`<threadEnd threadIdRef="5" time="1700000000.500000000"/>`, `<threadStart threadId="6" time="1700000000.510000000"`,
		`<monWait threadIdRef="1" time="1700000000.900000000"`, `<option key="events.java/monitor_wait" value="2"/>`,
		`<traceEnd time="1700000001.000000000"/>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %s in\n%s", want, got)
		}
	}
	for _, l := range o.lacks {
		if strings.Contains(l.What, "JavaMonitorWait below 20 ms") {
			return
		}
	}
	t.Errorf("the settings are unknown: %v", o.lacks)
}

// TestOldChunks reads two chunks, and a chunk cut off anywhere: no good event is lost, and nothing is invented.
func TestOldChunks(t *testing.T) {
	first, next := oldSample(second).bytes(), oldSample(second+1).bytes()
	both := readAll(t, append(first[:len(first):len(first)], next...), limits{})
	if n := strings.Count(strings.Join(both.elements, ""), "<monWaited"); n != 10 {
		t.Errorf("%d waits of two chunks", n)
	}
	for n := 0; n < len(next); n += 7 {
		o := readAll(t, append(first[:len(first):len(first)], next[:n]...), limits{})
		errors := 0
		for _, f := range o.findings {
			if f.Severity == trace.Error {
				errors++
			}
		}
		if waits := strings.Count(strings.Join(o.elements, ""), "<monWaited"); waits < 5 || n > 0 && errors == 0 {
			t.Fatalf("%d bytes: %d waits, %v", n, waits, o.findings)
		}
	}
}

// TestOldDamage: a wrong byte anywhere causes no panic, and the chunk is read in bounded memory.
func TestOldDamage(t *testing.T) {
	whole := oldSample(second).bytes()
	for at := 0; at < len(whole); at += 2 {
		for _, b := range []byte{0, 0x7F, 0xFF} {
			damaged := append([]byte(nil), whole...)
			damaged[at] = b
			readAll(t, damaged, limits{})
		}
	}
}
