package monlog_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/builder/buildertest"
	reader "github.com/trcx/trcx/convert/monlog"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/emit/monlog"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// write returns the trace as a log and its metadata, and notes about what the log lacks.
func write(t *testing.T, xml string) (log, metadata string, notes []string) {
	t.Helper()
	var out, meta bytes.Buffer
	w := monlog.NewWriter(&out, monlog.Options{Metadata: &meta})
	buildertest.Trace(t, xml, w)
	return out.String(), meta.String(), w.Notes()
}

// TestNames: characters that cannot be in a line are replaced; everything else stays, even invalid UTF-8.
func TestNames(t *testing.T) {
	log, _,
		notes := write(t,
		`<TRACE><threadStart threadId="1" time="1.0" threadName="a\u0000b\uD800c\xE9d\uDC00 😀 é&#10;" objIdRef="12"/></TRACE>`)
	if want := "1.000000000,ThreadStarted,0000000C,a\uFFFDb\uFFFDc\xE9d\uFFFD 😀 é \n"; log != want || len(notes) != 1 ||
		!strings.Contains(notes[0], "lone surrogates in names") {
		t.Errorf("%q, want %q; %q", log, want, notes)
	}
}

// TestIDs: ids that are not hash codes get unused ones, and objects keep theirs when they move.
func TestIDs(t *testing.T) {
	log, _, notes := write(t, `<TRACE>
<threadStart threadId="1" time="1.0" threadName="no object"/>
<threadStart threadId="2" time="1.0" threadName="a line&#10;end" objIdRef="12"/>
<monWait threadIdRef="2" time="2.0" objIdRef="4026531840"/>
<monWaited threadIdRef="2" time="3.0" objIdRef="4026531840"/>
<callNotify threadId="1" time="4.0" objIdRef="99999999999"/>
<callNotify threadId="1" time="4.0" objIdRef="0xCAFE"/>
<callNotify threadId="1" time="4.0" objIdRef="99999999999"/>
<callNotify threadId="1" time="4.0" objIdRef="20"/>
<objMove objIdRef="20" newObjId="21"/>
<callNotify threadId="1" time="5.0" objIdRef="21" isNotifyAll="1"/>
<callNotify threadId="1" time="5.0" objIdRef="20"/>
<objMove objIdRef="99999999999" newObjId="22"/>
<callNotify threadId="1" time="5.0" objIdRef="22"/>
<monContendedEnter threadIdRef="1" time="6.0" objIdRef="30" threadOwner="2"/>
<monContendedEntered threadIdRef="1" time="7.0" objIdRef="0"/>
<monWait threadIdRef="1" time="8.0" objIdRef="12" timeout="5"/>
<monWaited threadIdRef="1" time="9.0" objIdRef="12" isTimedOut="1"/>
<gcStart time="9.0"/>
<callInterrupt threadId="1" time="9.0" objIdRef="12"/>
</TRACE>`)
	want := `1.000000000,ThreadStarted,F0000000,no object
1.000000000,ThreadStarted,0000000C,a line end
2.000000000,ObjectWait,0000000C,F0000001
3.000000000,ObjectWaited,0000000C,F0000001
4.000000000,ObjectNotify,F0000000,F0000002
4.000000000,ObjectNotify,F0000000,F0000003
4.000000000,ObjectNotify,F0000000,F0000002
4.000000000,ObjectNotify,F0000000,00000014
5.000000000,ObjectNotifyAll,F0000000,00000014
5.000000000,ObjectNotify,F0000000,F0000004
5.000000000,ObjectNotify,F0000000,F0000002
6.000000000,MonitorContendedEnter,F0000000,0000001E,0000000C
7.000000000,MonitorContendedEntered,F0000000,00000000
8.000000000,ThreadJoin,F0000000,0000000C
9.000000000,ThreadJoined,F0000000,0000000C
`
	if diff := cmp.Diff(want, log); diff != "" {
		t.Error(diff)
	}
	if want := []string{
		"a monitor log cannot carry interrupts; line ends, NUL and lone surrogates in names; timeouts; elements " +
			"such as gcStart",
		"5 ids of objects and threads are not hash codes of 8 hexadecimal digits; they were replaced by some"}; !slices.Equal(notes,
		want) {
		t.Errorf("%q", notes)
	}
}

// TestMethods: for traces of other origin, lines become locations, and methods whose ids are no numbers get some.
func TestMethods(t *testing.T) {
	log, metadata, notes := write(t, `<TRACE>
<classDef name="app.Main" sourceName="Main.java" classId="50"/>
<methodDef name="-init-" signature="(I)V" methodId="500" classIdRef="50"/>
<methodDef name="a,b" methodId="m" classIdRef="51"/>
<classDef name="[I" classId="51"/>
<threadStart threadId="1" time="1.0" objIdRef="2"/>
<monWait threadIdRef="1" time="2.0" objIdRef="-1"><annotation name="stack" value="500:7 m 502:9"/></monWait>
</TRACE>`)
	if want := "2.000000000,ThreadSleep,00000002,3,00000000000001F4,00000007,8000000000000000,FFFFFFFF,00000000000001F6,00000009\n"; !strings.HasSuffix(log, want) {
		t.Error(log)
	}
	if want := "Lapp/Main;,Main.java\n[I,\n00000000000001F4,<init>,(I)V,Lapp/Main;,1,00000007,7\n8000000000000000,a;b,,[I,-1\n"; metadata != want {
		t.Error(cmp.Diff(want, metadata))
	}
	if want := []string{"a monitor log cannot carry commas in names of classes and methods",
		"the trace has no locations in the code of methods; lines are written instead"}; !slices.Equal(notes, want) {
		t.Errorf("%q", notes)
	}
}

// TestMethodNumbers: ids with different texts are different methods, whatever numbers they look like.
func TestMethodNumbers(t *testing.T) {
	log, metadata, _ := write(t, `<TRACE>
<classDef name="A" classId="1"/>
<methodDef name="seven" methodId="7" classIdRef="1"/>
<methodDef name="bond" methodId="007" classIdRef="1"/>
<methodDef name="text" methodId="m" classIdRef="1"/>
<methodDef name="high" methodId="9223372036854775809" classIdRef="1"/>
<methodDef name="higher" methodId="9223372036854775810" classIdRef="1"/>
<methodDef name="text2" methodId="m2" classIdRef="1"/>
<threadStart threadId="1" time="1.0" objIdRef="2"/>
<monWait threadIdRef="1" time="2.0" objIdRef="-1"><annotation name="stack" value="7 007 m 9223372036854775809 9223372036854775810 m2"/></monWait>
</TRACE>`)
	numbers := map[string]bool{}
	for line := range strings.Lines(metadata) {
		if number, rest, _ := strings.Cut(line, ","); rest != "\n" && number != "LA;" {
			if numbers[number] || !strings.Contains(log, number) {
				t.Errorf("the number %s of %s comes twice, or not in the log", number, rest)
			}
			numbers[number] = true
		}
	}
	if len(numbers) != 6 {
		t.Errorf("%d methods\n%s", len(numbers), metadata)
	}
}

// TestNotesOfOne: notes about one thing use the singular.
func TestNotesOfOne(t *testing.T) {
	if _, _, notes := write(t, `<TRACE><threadStart threadId="1" time="1.0"/></TRACE>`); len(notes) != 1 ||
		notes[0] != "1 id of an object or a thread is not a hash code of 8 hexadecimal digits; it was replaced by one" {
		t.Errorf("%q", notes)
	}
}

// told lists what a log can represent of a trace: each event with its time, the name of its thread, and its place.
func told(t *testing.T, read func(put func(*trace.Event) error) error) (lines []string) {
	t.Helper()
	names, methods := map[string]string{}, map[string]string{}
	kinds := []trace.Kind{trace.ThreadStart, trace.ThreadEnd, trace.MonWait, trace.MonWaited, trace.MonContendedEnter,
		trace.MonContendedEntered, trace.CallStart, trace.CallNotify}
	err := read(func(e *trace.Event) error {
		thread := e.Thread().String()
		switch {
		case e.Kind == trace.ThreadStart:
			names[thread] = e.Text(trace.AttrThreadName)
		case e.Kind == trace.MethodDef:
			methods[e.ID(trace.AttrMethodID).String()] = e.Text(trace.AttrName) + e.Text(trace.AttrSignature)
		}
		if !slices.Contains(kinds, e.Kind) {
			return nil
		}
		all := e.Flag(trace.AttrIsNotifyAll)
		line := fmt.Sprintf("%v %s %q object %s owner %q all %v", e.Time, e.Name(), names[thread],
			e.Object(trace.AttrObjIDRef), names[e.ID(trace.AttrThreadOwner).String()], all)
		if e.Extra != nil && len(e.Extra.Stacks) > 0 && e.Kind != trace.ThreadStart {
			for method, number := range trace.Frames(e.Extra.Stacks[0]) {
				line += fmt.Sprintf(" at %s:%d", methods[string(method)], number)
			}
		}
		lines = append(lines, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestRecorded: logs written from traces of real JVMs state the same about threads and monitors as the traces, without
// contradictions.
func TestRecorded(t *testing.T) {
	files, err := filepath.Glob("../../testdata/recorded/*.trcxml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		xml := string(sinktest.File(t, "../..", "testdata/recorded/"+filepath.Base(name)))
		want := told(t, func(put func(*trace.Event) error) error {
			_, err := trcxml.Read(context.Background(), strings.NewReader(xml), trcxml.Options{}, put)
			return err
		})
		log, metadata, _ := write(t, xml)
		got := told(t, func(put func(*trace.Event) error) error {
			report := func(f trace.Finding) { t.Errorf("%s: %v", name, f) }
			known, err := reader.ReadMetadata(context.Background(), strings.NewReader(metadata), report)
			if err != nil {
				return err
			}
			_, err = reader.Read(context.Background(), strings.NewReader(log), known,
				builder.Options{Report: report}, put)
			return err
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestMemory: memory does not grow with the number of ended threads.
func TestMemory(t *testing.T) {
	testtool.Long(t)
	for _, named := range []bool{false, true} { // whether their objects are named
		buildertest.CheckMemory(t, 270_000, 12<<20, func(threads int) any {
			w := monlog.NewWriter(io.Discard, monlog.Options{Metadata: io.Discard})
			buildertest.Into(t, w, buildertest.ShortThreads(threads, named))
			return w
		})
	}
}

// TestHashCodesOfTheDead: a thread keeps its hash code after its end until there are too many others.
func TestHashCodesOfTheDead(t *testing.T) {
	log, _, _ := write(t, `<TRACE>
<threadStart threadId="1" time="1.0"/>
<threadStart threadId="2" time="1.0" objIdRef="99999999999"/>
<threadEnd threadIdRef="1" time="2.0"/>
<threadEnd threadIdRef="2" time="2.0"/>
<monContendedEnter threadIdRef="3" time="3.0" objIdRef="30" threadOwner="2"/>
<monContendedEntered threadIdRef="3" time="4.0" objIdRef="30"/>
<monContendedEnter threadIdRef="3" time="5.0" objIdRef="30" threadOwner="1"/>
<monContendedEntered threadIdRef="3" time="6.0" objIdRef="99999999999"/>
<threadStart threadId="1" time="7.0"/>
<threadStart threadId="1" time="8.0" objIdRef="88888888888"/>
<monWait threadIdRef="3" time="9.0" objIdRef="88888888888"/>
</TRACE>`)
	want := `1.000000000,ThreadStarted,F0000000,
1.000000000,ThreadStarted,F0000001,
2.000000000,ThreadEnded,F0000000
2.000000000,ThreadEnded,F0000001
3.000000000,MonitorContendedEnter,F0000002,0000001E,F0000001
4.000000000,MonitorContendedEntered,F0000002,0000001E
5.000000000,MonitorContendedEnter,F0000002,0000001E,F0000000
6.000000000,MonitorContendedEntered,F0000002,F0000001
7.000000000,ThreadStarted,F0000000,
8.000000000,ThreadStarted,F0000003,
9.000000000,ThreadJoin,F0000002,F0000003
`
	if diff := cmp.Diff(want, log); diff != "" {
		t.Error(diff)
	}
}
