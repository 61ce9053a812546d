package drain

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/agent/ring/ringtest"
	"github.com/trcx/trcx/trace"
)

// collected is an output that keeps everything.
type collected struct {
	text   []byte
	closed bool
}

func (c *collected) Write(lines []byte) error {
	c.text = append(c.text, lines...)
	return nil
}

func (c *collected) Close(ending []byte) error {
	c.text, c.closed = append(c.text, ending...), true
	return nil
}

// preamble is the preamble of all tests.
var preamble = Preamble{Node: "n", Process: "p", Agent: "a", Trace: "t", Hostname: "here", Address: "127.0.0.1",
	Timezone:   -60,
	Parameters: `server=standalone,file="x"`}

// begin returns a segment whose JVM has begun long ago.
func begin(t testing.TB, javaVersion int) *ringtest.JVM {
	t.Helper()
	jvm, err := ringtest.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(jvm.Close)
	jvm.SetStarted(0)
	jvm.Begin(4711, javaVersion, "A JVM 17")
	return jvm
}

const ms = 1_000_000

var times = regexp.MustCompile(`@(\d+)`)

// spelled replaces @3 by the attribute of the time 3 ms.
func spelled(text string) string {
	return times.ReplaceAllStringFunc(text, func(at string) string {
		n, _ := strconv.ParseInt(at[1:], 10, 64)
		return fmt.Sprintf(`time="1700000000.%09d"`, n*ms)
	})
}

// body returns the document without the preamble and the ending, which it checks.
func body(t *testing.T, document string) string {
	t.Helper()
	_, rest, found := strings.Cut(document,
		"<traceStart traceId=\"t\" agentIdRef=\"a\" time=\"1700000000.000000000\"/>\n")
	text, ending, ended := strings.Cut(rest, "<traceEnd ")
	if !found || !ended || !strings.HasSuffix(ending, "/>\n</TRACE>\n") {
		t.Fatalf("no whole document:\n%s", document)
	}
	return text
}

// drained returns the trace of a segment that has ended.
func drained(jvm *ringtest.JVM, shows Shows) (string, *Summary) {
	var out collected
	summary := New(jvm.Segment, &out, preamble, shows).finish()
	return string(out.text), summary
}

func TestDocument(t *testing.T) {
	jvm := begin(t, 17)
	p := jvm.Thread()
	p.Put(ring.Record{Kind: ring.GCStart, Time: 1 * ms})
	p.Put(ring.Record{Kind: ring.GCFinish, Time: 2 * ms})
	p.Put(ring.Record{Kind: ring.Shutdown, Time: 3 * ms})
	jvm.End(4 * ms)
	own := preamble
	own.Filters = []Filter{{"app", "INCLUDE", "SUFFIX", "*", "INCLUDE", "NONE"}}
	own.Options = []Option{{"stackDepth", "8"}}
	var out collected
	summary := New(jvm.Segment, &out, own, nil).finish()
	want := spelled(`<?xml version="1.0" encoding="UTF-8"?>
<TRACE>
<node nodeId="n" hostname="here" ipaddress="127.0.0.1" timezone="-60" @0/>
<processCreate processId="p" pid="4711" nodeIdRef="n" @0/>
<agentCreate agentId="a" version="2.000" processIdRef="p" agentName="org.eclipse.tptp.jvmti" agentType="Profiler" agentParameters="server=standalone,file=&quot;x&quot;" @0/>
<traceStart traceId="t" agentIdRef="a" @0/>
<filter pattern="app" mode="INCLUDE" genericPattern="SUFFIX" methodPattern="*" methodMode="INCLUDE" methodGenericPattern="NONE"/>
<option key="stackDepth" value="8"/>
<gcStart @1/>
<gcFinish @2/>
<runtimeShutdown @3/>
<traceEnd @4/>
<agentDestroy agentIdRef="a" @4/>
</TRACE>
`)
	if string(out.text) != want || !out.closed {
		t.Errorf("got\n%swant\n%s", out.text, want)
	}
	if summary.PID != 4711 || summary.JVM != "A JVM 17" || summary.JavaVersion != 17 || summary.Total() != 3 ||
		summary.Last-summary.First != 4*ms || summary.Stopped != nil {
		t.Errorf("the summary is %+v", summary)
	}
}

// TestIDs proves that a trace without ids gets random ones.
func TestIDs(t *testing.T) {
	jvm := begin(t, 17)
	var out collected
	New(jvm.Segment, &out, Preamble{}, nil).finish()
	uuids := regexp.MustCompile(`"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"`).
		FindAll(out.text, -1)
	seen := map[string]bool{}
	for _, id := range uuids {
		seen[string(id)] = true
	}
	if len(uuids) != 8 || len(seen) != 4 {
		t.Errorf("%d ids, %d different ones, want 8 and 4:\n%s", len(uuids), len(seen), out.text)
	}
}

// step is a record in one of several rings.
type step struct {
	ring   int
	record ring.Record
}

// act is a record of a thread, at a time in milliseconds.
func act(kind ring.Kind, thread, at, object, argument int64, flags ...uint8) step {
	r := ring.Record{Kind: kind, Thread: thread, Time: at * ms, Object: object, Argument: argument}
	for _, flag := range flags {
		r.Flags |= flag
	}
	return step{0, r}
}

func (s step) in(ring int) step         { s.ring = ring; return s }
func (s step) with(payload []byte) step { s.record.Payload = payload; return s }

// seenWaiters is the payload of a CallNotify that was seen.
func seenWaiters(ids ...uint64) []byte {
	payload := binary.LittleEndian.AppendUint64(nil, uint64(len(ids)))
	for _, id := range ids {
		payload = binary.LittleEndian.AppendUint64(payload, id)
	}
	return payload
}

func started(thread, at, object int64) step { return act(ring.ThreadStart, thread, at, object, 0) }

func virtual(thread, at, object int64) step {
	return act(ring.ThreadStart, thread, at, object, 0, ring.Virtual)
}

const (
	start7 = `<threadStart threadId="7" @1 threadName="" groupName="" parentName="" objIdRef="11"/>` + "\n"
	start8 = `<threadStart threadId="8" @1 threadName="" groupName="" parentName="" objIdRef="12"/>` + "\n"
)

var cases = []struct {
	name             string
	steps            []step
	want             string
	strays, repaired uint64
}{
	{"a life", []step{
		started(7, 1, 11).with(ringtest.Named("main", "main", "system")),
		act(ring.InitDone, 7, 2, 0, 0),
		act(ring.ThreadEnd, 7, 3, 0, 0),
	}, `<threadStart threadId="7" @1 threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<runtimeInitDone threadIdRef="7" @2/>
<threadEnd threadIdRef="7" @3/>
`, 0, 0},
	{"start-up is over, says a thread that is not known", []step{act(ring.InitDone, 7, 2, 0, 0)},
		"<runtimeInitDone @2/>\n", 0, 0},
	{"two that start", []step{started(7, 1, 11), started(7, 2, 11)}, start7, 0, 0},
	{"nothing before the start and after the end", []step{
		act(ring.Wait, 7, 0, 50, 0), act(ring.ThreadEnd, 7, 0, 0, 0), started(7, 1, 11), act(ring.ThreadEnd, 7, 2, 0,
			0),
		act(ring.CallNotify, 7, 3, 50, 0), act(ring.ThreadEnd, 7, 4, 0, 0), started(0, 5, 1),
		act(ring.CallStart, 0, 6, 11, 0),
	}, start7 + `<threadEnd threadIdRef="7" @2/>` + "\n", 6, 0},
	{"a monitor", []step{
		started(7, 1, 11), started(8, 1, 12),
		act(ring.ContendedEnter, 7, 2, 50, 8, ring.OwnerThread), act(ring.ContendedEntered, 7, 3, 50, 0),
	}, start7 + start8 + `<monContendedEnter threadIdRef="7" @2 objIdRef="50" threadOwner="8"/>
<monContendedEntered threadIdRef="7" @3 objIdRef="50"/>
`, 0, 0},
	{"owners that cannot be", []step{
		started(7, 1, 11),
		act(ring.ContendedEnter, 7, 2, 50, 7, ring.OwnerThread), act(ring.ContendedEntered, 7, 3, 50, 0),
		act(ring.ContendedEnter, 7, 4, 50, 9, ring.OwnerThread), act(ring.ContendedEntered, 7, 5, 50, 0),
		act(ring.ContendedEnter, 7, 6, 50, 8),
	}, start7 + `<monContendedEnter threadIdRef="7" @2 objIdRef="50"/>
<monContendedEntered threadIdRef="7" @3 objIdRef="50"/>
<monContendedEnter threadIdRef="7" @4 objIdRef="50"/>
<monContendedEntered threadIdRef="7" @5 objIdRef="50"/>
<monContendedEnter threadIdRef="7" @6 objIdRef="50"/>
`, 0, 0},
	{"waits", []step{
		started(7, 1, 11), started(8, 1, 12),
		act(ring.Wait, 7, 2, 50, 0), act(ring.CallNotify, 8, 3, 50, 0), act(ring.CallNotify, 8, 4, 50, 0, ring.All),
		act(ring.Waited, 7, 5, 50, 0, ring.TimedOut),
		act(ring.Wait, 7, 6, 50, 10), act(ring.Waited, 7, 16, 50, 0, ring.TimedOut),
		act(ring.Wait, 7, 17, 50, ring.UnknownTimeout), act(ring.Waited, 7, 18, 50, 0),
		act(ring.Wait, 7, 19, ring.Sleep, 5), act(ring.Waited, 7, 24, ring.Sleep, 0, ring.TimedOut),
		act(ring.Wait, 7, 25, 50, 10), act(ring.Waited, 7, 29, 50, 0, ring.TimedOut),
		act(ring.Wait, 7, 30, 50, math.MaxInt64), act(ring.Waited, 7, 40, 50, 0, ring.TimedOut),
	}, start7 + start8 + `<monWait threadIdRef="7" @2 objIdRef="50" timeout="0"/>
<callNotify threadId="8" @3 objIdRef="50" isNotifyAll="0"/>
<callNotify threadId="8" @4 objIdRef="50" isNotifyAll="1"/>
<monWaited threadIdRef="7" @5 objIdRef="50" timeout="3" isTimedOut="0"/>
<monWait threadIdRef="7" @6 objIdRef="50" timeout="10"/>
<monWaited threadIdRef="7" @16 objIdRef="50" timeout="10" isTimedOut="1"/>
<monWait threadIdRef="7" @17 objIdRef="50"/>
<monWaited threadIdRef="7" @18 objIdRef="50" timeout="1" isTimedOut="0"/>
<monWait threadIdRef="7" @19 objIdRef="-1" timeout="5"/>
<monWaited threadIdRef="7" @24 objIdRef="-1" timeout="5" isTimedOut="1"/>
<monWait threadIdRef="7" @25 objIdRef="50" timeout="10"/>
<monWaited threadIdRef="7" @29 objIdRef="50" timeout="4" isTimedOut="0"/>
<monWait threadIdRef="7" @30 objIdRef="50" timeout="9223372036854775807"/>
<monWaited threadIdRef="7" @40 objIdRef="50" timeout="10" isTimedOut="0"/>
`, 0, 0},
	{"CPU times", []step{
		act(ring.ThreadStart, 7, 1, 11, 1000), act(ring.Wait, 7, 2, 50, 0), act(ring.Waited, 7, 5, 50, 2000),
		act(ring.ContendedEnter, 7, 6, 50, 0), act(ring.ContendedEntered, 7, 7, 50, 3000),
		parking(7, 8, 51, 0, 0, 0), act(ring.Parked, 7, 9, 51, 4000),
		parking(7, 10, 52, 0, 8, 0, lockFlags), act(ring.Parked, 7, 11, 52, 5000), acquired(7, 12, 52, 1),
		act(ring.ThreadEnd, 7, 13, 0, 6000),
	}, strings.Replace(start7, "/>", `><annotation name="cpu" value="1000"/></threadStart>`, 1) +
		`<monWait threadIdRef="7" @2 objIdRef="50" timeout="0"/>
<monWaited threadIdRef="7" @5 objIdRef="50" timeout="3" isTimedOut="0"><annotation name="cpu" value="2000"/></monWaited>
<monContendedEnter threadIdRef="7" @6 objIdRef="50"/>
<monContendedEntered threadIdRef="7" @7 objIdRef="50"><annotation name="cpu" value="3000"/></monContendedEntered>
<monWait threadIdRef="7" @8 objIdRef="51" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="7" @9 objIdRef="51" timeout="1" isTimedOut="0"><annotation name="cpu" value="4000"/></monWaited>
<monContendedEnter threadIdRef="7" @10 objIdRef="52" threadOwner="0">` + isLock + `</monContendedEnter>
<monContendedEntered threadIdRef="7" @12 objIdRef="52"><annotation name="cpu" value="5000"/></monContendedEntered>
<annotation name="cpu" value="7 1700000000.013000000 6000"/>
<threadEnd threadIdRef="7" @13/>
`, 0, 0},
	{"notifications whose wait sets were seen", []step{
		started(7, 1, 11), started(8, 1, 12),
		act(ring.CallNotify, 8, 3, 50, 0, ring.Seen).with(seenWaiters(7)),
		act(ring.CallNotify, 8, 4, 50, 0, ring.Seen|ring.All).with(seenWaiters(7, 8, 9)),
		act(ring.CallNotify, 8, 5, 50, 0, ring.Seen).with(seenWaiters()),
		act(ring.CallNotify, 8, 6, 50, 0, ring.Seen),
	}, start7 + start8 +
		`<callNotify threadId="8" @3 objIdRef="50" isNotifyAll="0"><annotation name="wakes" value="7"/></callNotify>
<callNotify threadId="8" @4 objIdRef="50" isNotifyAll="1"><annotation name="wakes" value="7 8"/></callNotify>
<callNotify threadId="8" @5 objIdRef="50" isNotifyAll="0"><annotation name="wakes" value=""/></callNotify>
<callNotify threadId="8" @6 objIdRef="50" isNotifyAll="0"><annotation name="wakes" value=""/></callNotify>
`, 0, 0},
	{"waits for input and output", []step{
		started(7, 1, 11),
		act(ring.Wait, 7, 2, 50, 0, uint8(trace.IORead)<<ring.OperationShift), act(ring.Waited, 7, 5, 50, 0),
		act(ring.Wait, 7, 6, 50, 10, uint8(trace.IOSelect)<<ring.OperationShift),
		act(ring.Waited, 7, 16, 50, 0, ring.TimedOut),
		act(ring.Wait, 7, 17, 50, 0, 7<<ring.OperationShift), act(ring.Waited, 7, 18, 50, 0),
	}, start7 + `<monWait threadIdRef="7" @2 objIdRef="50" timeout="0"><annotation name="io" value="read"/></monWait>
<monWaited threadIdRef="7" @5 objIdRef="50" timeout="3" isTimedOut="0"/>
<monWait threadIdRef="7" @6 objIdRef="50" timeout="10"><annotation name="io" value="select"/></monWait>
<monWaited threadIdRef="7" @16 objIdRef="50" timeout="10" isTimedOut="1"/>
<monWait threadIdRef="7" @17 objIdRef="50" timeout="0"/>
<monWaited threadIdRef="7" @18 objIdRef="50" timeout="1" isTimedOut="0"/>
`, 0, 0},
	{"calls", []step{
		started(7, 1, 11), act(ring.CallStart, 7, 2, 12, 0), act(ring.CallInterrupt, 7, 3, 12, 0),
	}, start7 + `<callStart threadId="7" @2 objIdRef="12"/>
<callInterrupt threadId="7" @3 objIdRef="12"/>
`, 0, 0},
	{"a wait is interrupted", []step{
		started(7, 1, 11), act(ring.Wait, 7, 2, 50, 0), act(ring.Waited, 7, 3, 50, 0), act(ring.ThreadInterrupted, 7, 4,
			0, 0),
	}, start7 + `<monWait threadIdRef="7" @2 objIdRef="50" timeout="0"/>
<monWaited threadIdRef="7" @3 objIdRef="50" timeout="1" isTimedOut="0"/>
<threadInterrupted threadId="7" @4/>
`, 0, 0},
	{"the interrupt of a virtual thread's join", []step{
		started(7, 1, 11), act(ring.Wait, 7, 2, 11, 0), act(ring.ThreadInterrupted, 7, 4, 0, 0),
		act(ring.CallNotify, 7, 5, 50, 0),
	}, start7 + `<monWait threadIdRef="7" @2 objIdRef="11" timeout="0"/>
<monWaited threadIdRef="7" @4 objIdRef="11" timeout="2" isTimedOut="0"/>
<threadInterrupted threadId="7" @4/>
<callNotify threadId="7" @5 objIdRef="50" isNotifyAll="0"/>
`, 0, 0},
	{"the interrupt of a sleep is told before its end", []step{
		started(7, 1, 11), act(ring.Wait, 7, 2, ring.Sleep, 1000), act(ring.ThreadInterrupted, 7, 4, 0, 0),
		act(ring.Waited, 7, 5, ring.Sleep, 0),
		act(ring.Wait, 7, 6, ring.Sleep, 1), act(ring.Waited, 7, 7, ring.Sleep, 0, ring.TimedOut),
	}, start7 + `<monWait threadIdRef="7" @2 objIdRef="-1" timeout="1000"/>
<monWaited threadIdRef="7" @4 objIdRef="-1" timeout="2" isTimedOut="0"/>
<threadInterrupted threadId="7" @4/>
<monWait threadIdRef="7" @6 objIdRef="-1" timeout="1"/>
<monWaited threadIdRef="7" @7 objIdRef="-1" timeout="1" isTimedOut="1"/>
`, 0, 0},
	{"waits from before the recording", []step{
		started(7, 1, 11),
		act(ring.Wait, 7, 2, ring.Sleep, ring.UnknownTimeout, ring.Existed), act(ring.Waited, 7, 3, ring.Sleep, 0,
			ring.Existed),
		act(ring.Wait, 7, 4, ring.Sleep, 2), act(ring.Waited, 7, 5, ring.Sleep, 0, ring.Existed),
		act(ring.Waited, 7, 6, ring.Sleep, 0, ring.TimedOut), act(ring.Waited, 7, 7, ring.Sleep, 0, ring.Existed),
	}, start7 + `<monWait threadIdRef="7" @2 objIdRef="-1"/>
<monWaited threadIdRef="7" @3 objIdRef="-1"/>
<monWait threadIdRef="7" @4 objIdRef="-1" timeout="2"/>
<monWaited threadIdRef="7" @6 objIdRef="-1" timeout="2" isTimedOut="1"/>
`, 0, 0},
	{"ends that are missing", []step{
		started(7, 1, 11),
		act(ring.Wait, 7, 2, ring.Sleep, 100, ring.Existed), act(ring.CallNotify, 7, 3, 50, 0),
		act(ring.ContendedEnter, 7, 4, 50, 0), act(ring.Wait, 7, 5, 50, 0),
		act(ring.ContendedEnter, 7, 6, 51, 0), act(ring.ContendedEnter, 7, 7, 52, 0), act(ring.ThreadInterrupted, 7, 8,
			0, 0),
		act(ring.Wait, 7, 9, 50, 0), act(ring.ThreadEnd, 7, 10, 0, 0),
	}, start7 + `<monWait threadIdRef="7" @2 objIdRef="-1" timeout="100"/>
<monWaited threadIdRef="7" @3 objIdRef="-1"/>
<callNotify threadId="7" @3 objIdRef="50" isNotifyAll="0"/>
<monContendedEnter threadIdRef="7" @4 objIdRef="50"/>
<monContendedEntered threadIdRef="7" @5 objIdRef="50"/>
<monWait threadIdRef="7" @5 objIdRef="50" timeout="0"/>
<monWaited threadIdRef="7" @6 objIdRef="50"/>
<monContendedEnter threadIdRef="7" @6 objIdRef="51"/>
<monContendedEntered threadIdRef="7" @7 objIdRef="51"/>
<monContendedEnter threadIdRef="7" @7 objIdRef="52"/>
<monContendedEntered threadIdRef="7" @8 objIdRef="52"/>
<threadInterrupted threadId="7" @8/>
<monWait threadIdRef="7" @9 objIdRef="50" timeout="0"/>
<threadEnd threadIdRef="7" @10/>
`, 0, 5},
	{"ends of what did not begin", []step{
		started(7, 1, 11), act(ring.Waited, 7, 2, 50, 0), act(ring.ContendedEntered, 7, 3, 50, 0),
		act(ring.Waited, 7, 4, ring.Sleep, 0),
	}, start7, 3, 0},
	{"ends of something else", []step{
		started(7, 1, 11),
		act(ring.ContendedEnter, 7, 2, 50, 0), act(ring.ContendedEntered, 7, 3, 51, 0),
		act(ring.Wait, 7, 4, 50, 0), act(ring.Waited, 7, 5, 51, 0),
		act(ring.ContendedEnter, 7, 6, 50, 0), act(ring.Waited, 7, 7, 50, 0),
		act(ring.Wait, 7, 8, 50, 0), act(ring.ContendedEntered, 7, 9, 50, 0),
	}, start7 + `<monContendedEnter threadIdRef="7" @2 objIdRef="50"/>
<monContendedEntered threadIdRef="7" @3 objIdRef="50"/>
<monWait threadIdRef="7" @4 objIdRef="50" timeout="0"/>
<monWaited threadIdRef="7" @5 objIdRef="50"/>
<monContendedEnter threadIdRef="7" @6 objIdRef="50"/>
<monContendedEntered threadIdRef="7" @7 objIdRef="50"/>
<monWait threadIdRef="7" @8 objIdRef="50" timeout="0"/>
<monWaited threadIdRef="7" @9 objIdRef="50"/>
<monContendedEntered threadIdRef="7" @9 objIdRef="50"/>
`, 3, 4},
	{"old news of a thread that has told itself", []step{
		started(7, 1, 11), act(ring.ContendedEnter, 7, 2, 50, 0), act(ring.Wait, 7, 3, 51, 0, ring.Existed),
		act(ring.ContendedEnter, 7, 4, 50, 0, ring.Existed), act(ring.ContendedEntered, 7, 5, 50, 0),
	}, start7 + `<monContendedEnter threadIdRef="7" @2 objIdRef="50"/>
<monContendedEntered threadIdRef="7" @5 objIdRef="50"/>
`, 0, 0},
	{"a virtual thread had to queue after its wait", []step{
		virtual(7, 1, 11), virtual(8, 1, 12), act(ring.Wait, 7, 2, 50, 0), act(ring.Wait, 8, 2, 50, 0),
		act(ring.Waited, 7, 3, 50, 0), act(ring.Waited, 8, 4, 50, 0),
		act(ring.ContendedEntered, 7, 5, 50, 0), act(ring.ContendedEntered, 8, 6, 50, 0),
	}, start7 + start8 + `<monWait threadIdRef="7" @2 objIdRef="50" timeout="0"/>
<monWait threadIdRef="8" @2 objIdRef="50" timeout="0"/>
<monWaited threadIdRef="7" @3 objIdRef="50" timeout="1" isTimedOut="0"/>
<monContendedEnter threadIdRef="7" @3 objIdRef="50"/>
<monWaited threadIdRef="8" @4 objIdRef="50" timeout="2" isTimedOut="0"/>
<monContendedEnter threadIdRef="8" @4 objIdRef="50"/>
<monContendedEntered threadIdRef="7" @5 objIdRef="50"/>
<monContendedEntered threadIdRef="8" @6 objIdRef="50"/>
`, 0, 0},
	{"a virtual thread in several rings", []step{
		virtual(7, 1, 11), act(ring.CallNotify, 7, 4, 50, 0), act(ring.CallNotify, 7, 2, 51, 0).in(1),
		act(ring.CallNotify, 7, 6, 52, 0).in(1),
		act(ring.CallNotify, 7, 5, 53, 0),
	}, start7 + `<callNotify threadId="7" @2 objIdRef="51" isNotifyAll="0"/>
<callNotify threadId="7" @4 objIdRef="50" isNotifyAll="0"/>
<callNotify threadId="7" @5 objIdRef="53" isNotifyAll="0"/>
<callNotify threadId="7" @6 objIdRef="52" isNotifyAll="0"/>
`, 0, 0},
	{"times of a thread do not go back", []step{
		started(7, 1, 11), act(ring.CallNotify, 7, 9, 50, 0), act(ring.CallNotify, 7, 5, 51, 0),
	}, start7 + `<callNotify threadId="7" @9 objIdRef="50" isNotifyAll="0"/>
<callNotify threadId="7" @9 objIdRef="51" isNotifyAll="0"/>
`, 0, 0},
	{"equal times", []step{
		started(7, 1, 11), started(8, 1, 12).in(1), act(ring.CallNotify, 8, 2, 1, 0).in(1),
		act(ring.CallNotify, 7, 2, 2, 0),
		act(ring.CallNotify, 8, 2, 3, 0).in(1), act(ring.CallNotify, 7, 2, 4, 0),
	}, start7 + start8 + `<callNotify threadId="7" @2 objIdRef="2" isNotifyAll="0"/>
<callNotify threadId="7" @2 objIdRef="4" isNotifyAll="0"/>
<callNotify threadId="8" @2 objIdRef="1" isNotifyAll="0"/>
<callNotify threadId="8" @2 objIdRef="3" isNotifyAll="0"/>
`, 0, 0},
}

func TestRecords(t *testing.T) {
	for _, c := range cases {
		jvm := begin(t, 25)
		rings := []*ringtest.Producer{jvm.Thread(), jvm.Thread()}
		for _, s := range c.steps {
			if s.record.Time == 0 {
				s.record.Time = 1 // 0 asks for the time that it is
			}
			rings[s.ring].Put(s.record)
		}
		document, summary := drained(jvm, nil)
		if got := body(t, document); got != spelled(c.want) {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, spelled(c.want))
		}
		if summary.Strays != c.strays || summary.Repaired != c.repaired || summary.Unknown != 0 || summary.Dropped != 0 {
			t.Errorf("%s: %d strays and %d repaired, want %d and %d; %d unknown, %d dropped",
				c.name, summary.Strays, summary.Repaired, c.strays, c.repaired, summary.Unknown, summary.Dropped)
		}
		checkTrace(t, c.name, document)
	}
}
