package monlog_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/builder/buildertest"
	"github.com/trcx/trcx/convert/monlog"
	"github.com/trcx/trcx/convert/trcxml"
	emitmonlog "github.com/trcx/trcx/emit/monlog"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

var update = flag.Bool("update", false, "write the golden files anew")

func metadataOf(t testing.TB, text string) *monlog.Metadata {
	t.Helper()
	if text == "" {
		return nil
	}
	metadata, err := monlog.ReadMetadata(context.Background(), strings.NewReader(text), func(f trace.Finding) {
		t.Errorf("the metadata has %v", f)
	})
	if err != nil {
		t.Fatal(err)
	}
	return metadata
}

// reader reads the log; the metadata may be nil.
func reader(log io.Reader, metadata *monlog.Metadata) buildertest.Log {
	return func(options builder.Options, put func(*trace.Event) error) (trace.Ending, error) {
		return monlog.Read(context.Background(), log, metadata, options, put)
	}
}

func read(t testing.TB, log, metadata string) buildertest.Reading {
	t.Helper()
	return buildertest.Read(t, reader(strings.NewReader(log), metadataOf(t, metadata)))
}

// events returns the elements between the preamble and the end.
func events(xml string) string {
	_, after, _ := strings.Cut(xml, "<traceStart")
	_, after, _ = strings.Cut(after, "\n")
	before, _, _ := strings.Cut(strings.TrimSuffix(after, "</TRACE>\n"), "<traceEnd ")
	return before
}

// again reads the trace and writes it as a log and its metadata.
func again(t testing.TB, xml string) (log, metadata string) {
	t.Helper()
	var out, meta bytes.Buffer
	buildertest.Trace(t, xml, emitmonlog.NewWriter(&out, emitmonlog.Options{Metadata: &meta}))
	return out.String(), meta.String()
}

// samples are the logs in the documentation.
const samples = "../../docs/testdata/"

func TestGolden(t *testing.T) {
	log, metadata := string(sinktest.File(t, samples+"pool.monlog")),
		string(sinktest.File(t, samples+"pool.meta.monlog"))
	got := read(t, log, metadata)
	sinktest.Golden(t, "testdata/pool.trcxml", []byte(got.XML), *update)
	if len(got.Findings) > 0 || len(buildertest.Invalid(t, got.XML)) > 0 || got.Ending.Truncated {
		t.Errorf("%q %q %+v", got.Findings, buildertest.Invalid(t, got.XML), got.Ending)
	}
	if back, _ := again(t, got.XML); back != log {
		t.Error(cmp.Diff(log, back))
	}
	halves := buildertest.Read(t, reader(iotest.OneByteReader(strings.NewReader(log)), metadataOf(t, metadata)))
	if halves.Ending != got.Ending || len(halves.Findings) > 0 {
		t.Errorf("byte by byte: %+v, %q", halves.Ending, halves.Findings)
	}
}

// none is the finding about a log without events.
const none = "1:1: error: the log has no valid event; want one such as 12.5,ThreadSleep,0A1B2C3D " +
	"[monlog-none]"

// TestNone: a log without a valid record is an error.
func TestNone(t *testing.T) {
	for log, findings := range map[string]int{"": 1, " \n\n": 1, "hello\n": 2,
		"1,ThreadYield,A\n2,ThreadYield,A\n": 2} {
		got := read(t, log, "")
		if len(got.Findings) != findings || got.Findings[findings-1] != none || len(got.Unsupported) > 0 {
			t.Errorf("%q: %q", log, got.Findings)
		}
	}
}

// TestDecimalComma: times with a decimal comma are read like those with a point, which is reported once.
func TestDecimalComma(t *testing.T) {
	p := newProgram(1, 8)
	log := p.write(200)
	commas := regexp.MustCompile(`(?m)^(\d+)\.`).ReplaceAllString(log, "$1,")
	got, want := read(t, commas, ""), read(t, log, "")
	if got.XML != want.XML {
		t.Error(cmp.Diff(want.XML, got.XML))
	}
	first, _, _ := strings.Cut(commas, ",Thread")
	said := fmt.Sprintf(
		"1:1: warning: the time %q has a decimal comma, as in some locales; it is read as a decimal "+
			"point here and in all other times [monlog-decimal-comma]", first)
	if len(got.Findings) != 1 || got.Findings[0] != said {
		t.Errorf("%q", got.Findings)
	}
	if !monlog.Recognises([]byte(commas[:500])) {
		t.Error("it is not recognised")
	}
	for line, want := range map[string]string{
		"3,42e4,ThreadEnded,A\n": `time="34200.000000000"`, "1,0000000019, ThreadEnded,A\n": `time="1.000000001"`,
		"1,5,ThreadYield,A\n": "", "1,5,5,ThreadEnded,A\n": "", "1,,ThreadEnded,A\n": "", "1,5": "", "1,5,": "",
	} {
		if got := events(read(t, line, "").XML); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q", line, got)
		}
	}
}

// TestFindings: damage is reported at its place, and reading resumes after it.
func TestFindings(t *testing.T) {
	for _, c := range []struct{ name, log, findings, events string }{
		{"no commas", "hello\n",
			`1:1: error: the line has no comma: want TIME,EVENT,THREAD and more, such as 12.5,ThreadSleep,0A1B2C3D [monlog-fields]`, ``},
		{"time", "x1,ThreadEnded,01\n",
			`1:1: error: invalid time "x1": want decimal seconds such as 34232.841923742; the event is skipped [monlog-time]`, ``},
		{"unknown event", "ü,ThreadEnded,01\n1.5,ThreadYield,01\n1.6,ThreadYield,01\n",
			`1:1: error: invalid time "ü": want decimal seconds such as 34232.841923742; the event is skipped [monlog-time]
2:5: warning: unknown event "ThreadYield"; the line is skipped, as are all others of this name [monlog-event]`, ``},
		{"too few", "1,ObjectWait,0A\n1,MonitorContendedEnter,0A,0B\n2,ThreadSleep\n",
			`1:16: error: ObjectWait has one hash code; want after its name: thread, object; the event is skipped [monlog-fields]
2:30: error: MonitorContendedEnter has two hash codes; want after its name: thread, monitor, owner; the event is skipped [monlog-fields]
3:14: error: ThreadSleep has no hash code; want after its name: thread; the event is skipped [monlog-fields]`, ``},
		{"too many", "1,ThreadStarted,0A,a,b\n2,ThreadEnded,0A,3\n",
			`2:18: warning: ThreadEnded has only a thread; the rest of the line is skipped [monlog-fields]`,
			`<threadStart threadId="10" time="1.000000000" threadName="a,b" objIdRef="10"/>
<threadEnd threadIdRef="10" time="2.000000000"/>
`},
		{"too long", "1,ThreadSleep,00112233445566778\n2,ThreadSleep,112233445566778899\n",
			`2:15: error: the hash code "112233445566778899" of ThreadSleep is too long: a number has at most 16 hexadecimal digits such as 0A1B2C3D; the event is skipped [monlog-hex]`,
			`<threadStart threadId="77162851027281784" time="1.000000000" objIdRef="77162851027281784"><annotation name="inferred" value="1"/><annotation name="unlogged" value="1"/></threadStart>
<monWait threadIdRef="77162851027281784" time="1.000000000" objIdRef="-1"/>
`},
		{"blanks", "1.123456789 , ThreadStarted , 0000000A ,a\n2.123456789 , ThreadEnded , 0000000A\n", ``,
			`<threadStart threadId="10" time="1.123456789" threadName="a" objIdRef="10"/>
<threadEnd threadIdRef="10" time="2.123456789"/>
`},
		{"not hexadecimal", "1,ThreadSleep,0AG\n1,ThreadStarted,,\n",
			`1:15: error: the hash code "0AG" of ThreadSleep is not hexadecimal such as 0A1B2C3D; the event is skipped [monlog-hex]
2:17: error: the hash code "" of ThreadStarted is not hexadecimal such as 0A1B2C3D; the event is skipped [monlog-hex]`,
			``},
		{"forms of numbers",
			"\uFEFF+3.42e4, ThreadStarted , 0x0a ,n\r\n\r\n34200.0000000019,ThreadEnded,000000000000000A\r\n",
			`3:1: warning: the time "34200.0000000019" has more than nine decimals; decimals beyond nanoseconds are cut here and in all other times [monlog-time-precision]`,
			`<threadStart threadId="10" time="34200.000000000" threadName="n" objIdRef="10"/>
<threadEnd threadIdRef="10" time="34200.000000001"/>
`},
		{"stacks",
			"1,ThreadStarted,A,\n1,ObjectNotify,A,C,x\n2,ObjectNotify,A,C,3,1F,0,2F,1\n3,ObjectNotify,A,C,1,1F\n4,ObjectNotifyAll,A,C,1,1F,Z\n5,ObjectNotify,A,C,0\n",
			`2:20: error: invalid depth "x" of a stack trace: want a decimal number; the event is used without a stack trace [monlog-stack]
3:20: warning: the stack trace claims a depth of 3 and has 2 frames; these are used [monlog-stack]
4:22: error: the method "1F" has no location; the stack trace ends before it [monlog-stack]
5:25: error: invalid frame "1F,Z": want a method and a location, both hexadecimal; the stack trace ends before it [monlog-stack]`,
			`<threadStart threadId="10" time="1.000000000" threadName="" objIdRef="10"/>
<callNotify threadId="10" time="1.000000000" objIdRef="12" isNotifyAll="0"/>
<callNotify threadId="10" time="2.000000000" objIdRef="12" isNotifyAll="0"><annotation name="stack" value="31 47"/><annotation name="locations" value="0 1"/></callNotify>
<callNotify threadId="10" time="3.000000000" objIdRef="12" isNotifyAll="0"/>
<callNotify threadId="10" time="4.000000000" objIdRef="12" isNotifyAll="1"/>
<callNotify threadId="10" time="5.000000000" objIdRef="12" isNotifyAll="0"><annotation name="locations" value=""/></callNotify>
`},
		{"cut off", "1,ThreadStarted,A,\n2,ThreadEnd",
			`2:12: error: the log ends inside a line, which is skipped [monlog-truncated]`,
			`<threadStart threadId="10" time="1.000000000" threadName="" objIdRef="10"/>
`},
		{"cut off in a stack", "1,ThreadStarted,A,\n2,ThreadSleep,A,2,1F,0",
			`2:23: error: the log ends inside a line, which is skipped [monlog-truncated]`,
			`<threadStart threadId="10" time="1.000000000" threadName="" objIdRef="10"/>
`},
		{"cut off in a hash code", "1,ThreadStarted,0000000A,\n2,ThreadEnded,0000000",
			`2:22: error: the log ends inside a line, which is skipped [monlog-truncated]`,
			`<threadStart threadId="10" time="1.000000000" threadName="" objIdRef="10"/>
`},
		{"cut off after a comma", "1,ThreadStarted,0000000A,\n2,MonitorContendedEnter,0000000A,0000000B,",
			`2:43: error: the log ends inside a line, which is skipped [monlog-truncated]`,
			`<threadStart threadId="10" time="1.000000000" threadName="" objIdRef="10"/>
`},
		{"no end of a line with eight digits", "1,ThreadStarted,0000000A,\n2,ThreadEnded,0000000A", ``,
			`<threadStart threadId="10" time="1.000000000" threadName="" objIdRef="10"/>
<threadEnd threadIdRef="10" time="2.000000000"/>
`},
		{"no end of the last line", "1,ThreadStarted,A,\n2,ThreadEnded,A", ``,
			`<threadStart threadId="10" time="1.000000000" threadName="" objIdRef="10"/>
<threadEnd threadIdRef="10" time="2.000000000"/>
`},
	} {
		got := read(t, c.log, "")
		if c.events == "" {
			c.findings += "\n" + none
		}
		if diff := cmp.Diff(c.findings, strings.Join(got.Findings, "\n")); diff != "" {
			t.Errorf("%s: findings: %s", c.name, diff)
		}
		if diff := cmp.Diff(c.events, events(got.XML)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if got.Ending.Truncated != strings.HasPrefix(c.name, "cut off") {
			t.Errorf("%s: truncated is %v", c.name, got.Ending.Truncated)
		}
		if whole := !got.Ending.Truncated && c.events != ""; whole != strings.Contains(got.XML, "<traceEnd ") {
			t.Errorf("%s: a traceEnd, or none: %s", c.name, got.XML)
		}
	}
}

// TestCuts cuts a log anywhere: the trace has no id that the whole one lacks.
func TestCuts(t *testing.T) {
	log := string(sinktest.File(t, "../../docs/testdata/pool.monlog"))
	ids := regexp.MustCompile(`(threadId|threadIdRef|objIdRef|threadOwner|"locations" value)="[^"]*"`)
	whole := map[string]bool{}
	for _, id := range ids.FindAllString(read(t, log, "").XML, -1) {
		whole[id] = true
	}
	for cut := range len(log) {
		got := read(t, log[:cut], "")
		for _, id := range ids.FindAllString(got.XML, -1) {
			if !whole[id] {
				t.Errorf("cut off before byte %d there is %s: %q", cut, id, got.Findings)
			}
		}
		if whole := strings.LastIndexByte(log[:cut], '\n') + 1; cut+1 < len(log) && log[cut] == '\n' &&
			log[cut-1] != ',' && whole < cut && got.Ending.Truncated {
			t.Errorf("the line before byte %d is whole, and is left out: %q", cut, got.Findings)
		}
	}
}

// TestContradictions: events that prove two threads of one hash code, missing events, and events that prove neither.
func TestContradictions(t *testing.T) {
	const begun = "1,ThreadStarted,A,a\n"
	for _, c := range []struct {
		name, log, findings string
		times               int // how often the trace has a threadStart
	}{
		{"started twice", begun + "2,ThreadStarted,A,b\n",
			`2:1: error: two threads have the hash code 0000000A: one begins here, another one in line 1 without a ThreadEnded; further events are attributed to the one that can execute them [monlog-collision]`, 2},
		{"both go on",
			begun +
				"2,ObjectWait,A,C\n3,ThreadStarted,A,b\n4,ObjectNotify,A,C\n5,ObjectWait,A,D\n6,ObjectWaited,A,C\n7,ObjectWaited,A,D\n8,ThreadEnded,A\n9,ThreadEnded,A\n",
			`3:1: error: two threads have the hash code 0000000A: one begins here, another one in line 1 without a ThreadEnded; further events are attributed to the one that can execute them [monlog-collision]`, 2},
		{"a hash code comes again", begun + "2,ThreadEnded,A\n3,ThreadStarted,A,b\n4,ThreadEnded,A\n", ``, 2},
		{"after its end", begun + "2,ThreadEnded,A\n3,ThreadSleep,A\n4,ThreadSlept,A\n",
			`3:1: error: an event of thread 0000000A after its ThreadEnded in line 2: another thread has the same hash code, and its ThreadStarted is missing [monlog-collision]`, 2},
		{"ended twice", begun + "2,ThreadEnded,A\n3,ThreadEnded,A\n",
			`3:1: error: an event of thread 0000000A after its ThreadEnded in line 2: another thread has the same hash code, and its ThreadStarted is missing [monlog-collision]`, 2},
		{"blocked by itself",
			begun + "2,MonitorContendedEnter,A,C,A\n3,ObjectNotify,A,C\n4,MonitorContendedEntered,A,C\n",
			`2:1: error: thread 0000000A is blocked by itself: the owner of 0000000C is another thread of the same hash code [monlog-collision]`, 2},
		{"what was over was not", begun + "2,ObjectWait,A,C\n3,ObjectNotify,A,D\n4,ObjectWaited,A,C\n",
			`3:1: error: ObjectNotify of thread 0000000A, which waits on 0000000C since line 2: the ObjectWaited is missing, or another thread has the same hash code [monlog-unpaired]
4:1: error: two threads have the hash code 0000000A: one waits on 0000000C since line 2, and ObjectWaited ends that here; the one of line 3 is another [monlog-collision]`, 2},
		{"a wait while it waits",
			begun + "2,ObjectWait,A,C\n3,ObjectWait,A,D\n4,ObjectWaited,A,D\n5,ObjectWait,A,C\n6,ObjectWaited,A,C\n",
			`3:1: error: ObjectWait of thread 0000000A, which waits on 0000000C since line 2: the ObjectWaited is missing, or another thread has the same hash code [monlog-unpaired]`, 1},
		{"an end without begin", begun + "2,ThreadSlept,A\n",
			`2:1: error: ThreadSlept of thread 0000000A without a ThreadSleep before it: that line is missing, or another thread has the same hash code; the time of the begin is unknown [monlog-unpaired]`, 1},
		{"the log began in between", "2,ThreadSlept,A\n3,MonitorContendedEnter,A,C,B\n4,MonitorContendedEntered,A,C\n",
			``, 2},
		{"another end", begun + "2,MonitorContendedEnter,A,C,0\n3,MonitorContendedEntered,A,D\n",
			`3:1: error: MonitorContendedEntered of thread 0000000A, which is blocked on 0000000C since line 2: the MonitorContendedEntered is missing, or another thread has the same hash code [monlog-unpaired]`, 1},
		{"ends while it sleeps", begun + "2,ThreadSleep,A\n3,ThreadEnded,A\n",
			`3:1: error: ThreadEnded of thread 0000000A, which sleeps since line 2: the ThreadSlept is missing, or another thread has the same hash code [monlog-unpaired]`, 1},
		{"the monitor of a wait",
			begun +
				"2,ObjectWait,A,C\n3,MonitorContendedEnter,A,C,0\n4,MonitorContendedEntered,A,C\n5,ObjectWaited,A,C\n",
			``, 1},
		{"the monitor of a join, twice",
			begun +
				"2,ThreadJoin,A,B\n3,MonitorContendedEnter,A,B,0\n4,MonitorContendedEntered,A,B\n5,MonitorContendedEnter,A,B,0\n6,MonitorContendedEntered,A,B\n7,ThreadJoined,A,B\n", ``, 1},
		{"entered after a wait", begun + "2,ObjectWait,A,C\n3,ObjectWaited,A,C\n4,MonitorContendedEntered,A,C\n", ``,
			1},
		{"a dead owner",
			begun +
				"1,ThreadStarted,B,b\n2,ThreadEnded,B\n3,MonitorContendedEnter,A,C,B\n4,MonitorContendedEntered,A,C\n",
			``, 2},
		{"started again by mistake", begun + "2,ThreadStart,A,A\n", ``, 1},
	} {
		got := read(t, c.log, "")
		if diff := cmp.Diff(c.findings, strings.Join(got.Findings, "\n")); diff != "" {
			t.Errorf("%s: findings: %s", c.name, diff)
		}
		if errs := buildertest.Invalid(t, got.XML); len(errs) > 0 {
			t.Errorf("%s: the trace is invalid: %q\n%s", c.name, errs, got.XML)
		}
		if times := strings.Count(got.XML, "<threadStart "); times != c.times {
			t.Errorf("%s: %d threads\n%s", c.name, times, got.XML)
		}
		if back, _ := again(t, got.XML); plain(back) != c.log {
			t.Errorf("%s: %s", c.name, cmp.Diff(c.log, plain(back)))
		}
	}
}

// plain returns a log with the short numbers of these tests.
func plain(log string) string {
	log = strings.ReplaceAll(log, ".000000000", "")
	for _, c := range "ABCD0" {
		log = strings.ReplaceAll(log, "0000000"+string(c), string(c))
	}
	return log
}

// TestWhichOfTwo: an event belongs to the thread of its hash code that can execute it.
func TestWhichOfTwo(t *testing.T) {
	got := read(t,
		"1,ThreadStarted,A,a\n2,ObjectWait,A,C\n3,ThreadStarted,A,b\n4,ThreadSleep,A\n5,ObjectWaited,A,C\n6,ThreadSlept,A\n", "")
	for _, want := range []string{
		`<monWait threadIdRef="4294967306" time="4.000000000" objIdRef="-1"/>`,
		`<monWaited threadIdRef="10" time="5.000000000" objIdRef="12"/>`,
		`<monWaited threadIdRef="4294967306" time="6.000000000" objIdRef="-1"/>`,
	} {
		if !strings.Contains(got.XML, want) {
			t.Errorf("%s is missing in\n%s", want, got.XML)
		}
	}
}

// TestRoundTrip: a log, written from its trace, is the same again, and the trace is valid.
func TestRoundTrip(t *testing.T) {
	for seed := range testtool.Times(uint64(30)) {
		p := newProgram(seed, 12)
		p.chaos = seed%3 == 0
		log, metadata := p.write(400), p.metadata()
		got := read(t, log, metadata)
		if !p.chaos && len(got.Findings) > 0 {
			t.Errorf("seed %d: %q", seed, got.Findings)
		}
		if errs := buildertest.Invalid(t, got.XML); len(errs) > 0 {
			t.Errorf("seed %d: %q", seed, errs)
		}
		back, meta := again(t, got.XML)
		if back != log {
			t.Fatalf("seed %d: %s", seed, cmp.Diff(log, back))
		}
		frames := func(xml string) string { return stacksOf(t, xml) }
		if second := read(t, back, meta); frames(second.XML) != frames(got.XML) {
			t.Errorf("seed %d: with the metadata that was written: %s", seed,
				cmp.Diff(frames(got.XML), frames(second.XML)))
		}
	}
}

// stacksOf returns the stacks and methods of the trace, without the methods' first and last lines.
func stacksOf(t testing.TB, xml string) string {
	t.Helper()
	var b strings.Builder
	_, err := trcxml.Read(context.Background(), strings.NewReader(xml), trcxml.Options{}, func(e *trace.Event) error {
		switch {
		case e.Kind == trace.MethodDef:
			fmt.Fprintf(&b, "%s %s %s of %s\n", e.ID(trace.AttrMethodID), e.Text(trace.AttrName),
				e.Text(trace.AttrSignature), e.Class(trace.AttrClassIDRef))
		case e.Kind == trace.ClassDef:
			fmt.Fprintf(&b, "%s %s %s\n", e.Class(trace.AttrClassID), e.Text(trace.AttrName),
				e.Text(trace.AttrSourceName))
		case e.Extra != nil:
			fmt.Fprintf(&b, "%s %q\n", e.Name(), e.Extra.Stacks)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestMetadata: damage of a metadata file is reported, and the rest is used.
func TestMetadata(t *testing.T) {
	for _, c := range []struct{ text, findings, frame string }{
		{"Lapp/A;,A.java\n1F,f,()V,Lapp/A;,2,00000000,7,00000005,8\n", ``, `app/A|A.java|f|()V|8`},
		{"000000000000001F,f,()V,Lapp/A;,2,5,8,0,7\nLapp/A;,A.java\n", ``, `app/A|A.java|f|()V|8`},
		{"1F,<init>,(I[J)Ljava/lang/String;,[Lapp/A;,-1\n", ``, `[Lapp/A;||-init-|(I[J)Ljava/lang/String;|-1`},
		{"1F,f,()V,Lapp/A;\n", ``, `app/A||f|()V|-1`},
		{"1F,f,()V,Lapp/A;,2,00000006,7\n",
			`1:18: error: the line table claims 2 entries and has 1 line; these are used [monlog-line-table]`,
			`app/A||f|()V|-1`},
		{"1F,f,()V,Lapp/A;,-2\n",
			`1:18: error: invalid number of line table entries "-2": want a decimal number, or -1 for no table; the table is skipped [monlog-line-table]`, `app/A||f|()V|-1`},
		{"1F,f,()V,Lapp/A;,2,0,7,x,8\n",
			`1:24: error: invalid line table entry "x,8": want a hexadecimal location and a decimal line such as 0000001A,42; it is skipped [monlog-line-table]
1:18: error: the line table claims 2 entries and has 1 line; these are used [monlog-line-table]`, `app/A||f|()V|7`},
		{"1F,f,()V,Lapp/A;,1,0\n", `1:20: error: the location "0" has no line; it is skipped [monlog-line-table]
1:18: error: the line table claims 1 entries and has 0 lines; these are used [monlog-line-table]`, `app/A||f|()V|-1`},
		{"1F,f,(V)V,app.A,-1\n",
			`1:6: error: "(V)V" is not the signature of a method, such as (I)V; the method is used without it [monlog-signature]
1:11: error: "app.A" is not the signature of a class, such as Ljava/lang/Object;; it is used as the name [monlog-signature]`, `app.A||f||-1`},
		{"a,b,c\nG,f,()V,LA;,-1\n\nX,A.java\n1F,f,()V,LA;,-1\n1F,g,()V,LA;,-1\n",
			`1:1: error: the line has 3 fields; want two for a class (SIGNATURE,FILE), four or more for a method (ID,NAME,SIGNATURE,CLASS,LINES) [monlog-metadata]
2:1: error: the method id "G" is not hexadecimal; the method is skipped [monlog-hex]
4:1: error: "X" is not the signature of a class, such as Ljava/lang/Object;; it is used as the name [monlog-signature]
6:1: error: the method id 000000000000001F names A.f in line 5, too; the later method is used [monlog-metadata]`, `A||g|()V|-1`},
	} {
		var findings []string
		metadata, err := monlog.ReadMetadata(context.Background(), strings.NewReader(c.text), func(f trace.Finding) {
			findings = append(findings, f.String())
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.findings, strings.Join(findings, "\n")); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
		var class, method string
		line := int32(-2)
		_, err = monlog.Read(context.Background(), strings.NewReader("1,ThreadSleep,A,1,1F,5\n"), metadata,
			builder.Options{}, func(e *trace.Event) error {
				switch {
				case e.Kind == trace.ClassDef:
					class = e.Text(trace.AttrName) + "|" + e.Text(trace.AttrSourceName)
				case e.Kind == trace.MethodDef:
					method = e.Text(trace.AttrName) + "|" + e.Text(trace.AttrSignature)
				case e.Kind == trace.MonWait:
					for _, line = range trace.Frames(e.Extra.Stacks[0]) {
					}
				}
				return nil
			})
		if got := fmt.Sprintf("%s|%s|%d", class, method, line); err != nil || got != c.frame {
			t.Errorf("%q gives %s, want %s (%v)", c.text, got, c.frame, err)
		}
	}
}

// TestRecognised: logs and metadata are distinguished from each other and from other text.
func TestRecognised(t *testing.T) {
	p := newProgram(1, 3)
	for _, c := range []struct {
		text              string
		log, metadataFile bool
	}{
		{p.write(5), true, false}, {p.metadata(), false, true}, {"", false, false}, {"a,b\nI,d\n,e\n", false, false},
		{"Ljava/lang/Object;,\n", false, true},
		{"garbage\n1.5,ThreadEnded,0A\n", true, false}, {"1F,f,()V,Lapp/A;,-1", false, true},
		{"1,2,3,4,5\n", false, false}, {"<TRACE>", false, false},
		{"id,name,(sig),class,1\n", false, false}, {"1.5,Thread", false, false}, {"Thread-1, start, Thread-2\n", false,
			false},
	} {
		head := []byte(c.text[:min(512, len(c.text))])
		if got, got2 := monlog.Recognises(head), monlog.RecognisesMetadata(head); got != c.log ||
			got2 != c.metadataFile {
			t.Errorf("%.60q: log %v, metadata %v", c.text, got, got2)
		}
	}
}

// TestLacks: missing information is reported once, only if it matters.
func TestLacks(t *testing.T) {
	always := []string{"wall-clock times", "classes of objects"}
	for _, c := range []struct {
		log, metadata string
		want          []string
	}{
		{"", "", nil},
		{"1,ThreadStarted,A,a\n", "", always},
		{"1,ThreadStarted,A,a\n2,ThreadSleep,A,1,1F,0\n", "", []string{"wall-clock times", "timeouts and interrupts",
			"classes of objects", "metadata file"}},
		{"2,ObjectNotify,A,B\n2,ObjectNotify,A,B,1,2F,0\n", "1F,f,()V,LA;\n",
			[]string{"wall-clock times", "classes of objects", "ThreadStarted of 1 thread", "metadata of some methods",
				"call stack in 1 event"}},
	} {
		if diff := cmp.Diff(c.want, read(t, c.log, c.metadata).Unsupported); diff != "" {
			t.Errorf("%q: %s", c.log, diff)
		}
	}
}

// TestLongLines: a line beyond the limit is skipped without exceeding the memory limit.
func TestLongLines(t *testing.T) {
	long := "1,ThreadStarted,B," + strings.Repeat("n", 3*builder.MaxLine)
	got := read(t, "1,ThreadStarted,A,a\n"+long+"\n2,ThreadEnded,A\n"+long, "")
	if want := []string{"2:1: error: the line has more than 1048576 bytes; it is skipped [monlog-line-too-long]",
		"4:1: error: the line has more than 1048576 bytes; it is skipped [monlog-line-too-long]"}; !cmp.Equal(
		got.Findings, want) {
		t.Errorf("%q", got.Findings)
	}
	if !strings.Contains(got.XML, `<threadEnd threadIdRef="10" time="2.000000000"/>`) {
		t.Error(got.XML)
	}
}

// TestMemory: memory does not grow with the number of threads or the length of the log.
func TestMemory(t *testing.T) {
	testtool.Long(t)
	buildertest.CheckMemory(t, 450_000, 16<<20, func(threads int) (event any) {
		_, err := monlog.Read(context.Background(), &endless{lines: threads}, nil, builder.Options{},
			func(e *trace.Event) error {
				event = e // keeps the reader reachable
				return nil
			})
		sinktest.Check(t, err)
		return event
	})
}

// endless is a log of threads that begin, have a stack trace, and end, each with another hash code.
type endless struct {
	lines, at int
	rest      []byte
}

func (e *endless) Read(p []byte) (int, error) {
	for len(e.rest) == 0 {
		if e.at >= e.lines {
			return 0, io.EOF
		}
		e.at++
		e.rest = fmt.Appendf(nil,
			"1.5,ThreadStarted,%08[1]X,t\n1.5,ObjectNotify,%08[1]X,%08[1]X,1,%[1]X,%[1]X\n1.5,ThreadEnded,%08[1]X\n",
			e.at)
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

func TestErrorsOfTheInputAndTheTaker(t *testing.T) {
	broken := errors.New("broken")
	nothing := func(*trace.Event) error { return nil }
	for _, in := range []io.Reader{iotest.ErrReader(broken),
		io.MultiReader(strings.NewReader("1,ThreadStarted,A,a\n2,"), iotest.ErrReader(broken))} {
		if _, err := monlog.Read(context.Background(), in, nil, builder.Options{}, nothing); !errors.Is(err,
			broken) {
			t.Error(err)
		}
		if _, err := monlog.ReadMetadata(context.Background(), io.MultiReader(strings.NewReader("LA;,\n"),
			iotest.ErrReader(broken)), nil); !errors.Is(err, broken) {
			t.Error(err)
		}
	}
	buildertest.CheckPutError(t, 6, func() buildertest.Log {
		return func(options builder.Options, put func(*trace.Event) error) (trace.Ending, error) {
			return monlog.Read(context.Background(), strings.NewReader("1,ObjectWaited,A,B,1,1F,0\n2,ThreadEnded,A\n"),
				metadataOf(t, "1F,f,()V,LA;\n"), options, put)
		}
	})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := monlog.Read(ctx, &endless{lines: 1 << 30}, nil, builder.Options{}, nothing); !errors.Is(err,
		context.Canceled) {
		t.Error(err)
	}
}

// FuzzRead: the trace of any log is valid, and becomes the same log again.
func FuzzRead(f *testing.F) {
	p := newProgram(3, 2)
	p.chaos = true
	f.Add(p.write(10), "LA;,A.java\n00007F3A4C001000,f,(I)V,LA;,2,00000000,7,00000005,8\n")
	f.Add(
		"1,ThreadStarted,A,a\n2,ObjectWait,A,C\n3,MonitorContendedEnter,A,C,A\n4,ObjectWaited,A,C\n5,ThreadEnded,A\n6,ThreadEnded,A\n", "LA;,\n1F,f,()V,LA;,1,0,1\n")
	f.Fuzz(func(t *testing.T, log, metadata string) {
		known, err := monlog.ReadMetadata(context.Background(), strings.NewReader(metadata), func(trace.Finding) {})
		if err != nil {
			t.Fatal(err)
		}
		got := buildertest.Read(t, reader(strings.NewReader(log), known))
		if errs := buildertest.Invalid(t, got.XML); len(errs) > 0 {
			t.Fatalf("%q\n%s", errs, got.XML)
		}
		first, meta := again(t, got.XML)
		if known, err = monlog.ReadMetadata(context.Background(), strings.NewReader(meta), func(trace.Finding) {
		}); err != nil {
			t.Fatal(err)
		}
		if second, _ := again(t, buildertest.Read(t, reader(strings.NewReader(first), known)).XML); second != first {
			t.Errorf("%s\nbecomes\n%s", first, second)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	for _, depth := range []int{0, 8, 24} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			p := newProgram(1, depth)
			log, metadata := p.write(50_000), p.metadata()
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				_, err := monlog.Read(context.Background(), strings.NewReader(log), metadataOf(b, metadata),
					builder.Options{}, func(*trace.Event) error { return nil })
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
