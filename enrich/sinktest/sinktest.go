// Package sinktest tests sinks: it reads traces into them, has traces of all kinds, also hostile ones, and lists the
// intervals that the oracle of enrich/enrichtest finds in them.
package sinktest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/internal/xmltext"
	"github.com/trcx/trcx/trace"
)

// Read puts the model of the documents, each a recording of its own, with call stacks, into the sink.
func Read(t testing.TB, sink trace.Sink, documents ...[]byte) {
	t.Helper()
	Check(t, TryRead(sink, documents...))
}

// TryRead is Read where an error is expected.
func TryRead(sink trace.Sink, documents ...[]byte) error {
	return read(enrich.WholeStacks, sink, documents)
}

// ReadFollowing is Read with a choice of what events report about open calls.
func ReadFollowing(t testing.TB, calls enrich.Calls, sink trace.Sink, documents ...[]byte) {
	t.Helper()
	Check(t, read(calls, sink, documents))
}

func read(calls enrich.Calls, sink trace.Sink, documents [][]byte) error {
	enricher := enrich.New(sink, enrich.Options{Calls: calls})
	for session, document := range documents {
		if err := enricher.Begin(session); err != nil {
			return err
		}
		ending, err := trcxml.Read(context.Background(), bytes.NewReader(document), trcxml.Options{Session: session},
			enricher.Put)
		if err != nil {
			return err
		}
		if err := enricher.End(ending); err != nil {
			return err
		}
	}
	return enricher.Finish()
}

// Check ends the test if there is an error.
func Check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// File is the content of a file.
func File(t testing.TB, path ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	Check(t, err)
	return text
}

// Golden compares an output with the file of the path; with update it writes the file first.
func Golden(t testing.TB, path string, got []byte, update bool) {
	t.Helper()
	if update {
		Check(t, os.WriteFile(path, got, 0o644))
	}
	if want := File(t, path); !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}

// Documents are simulated, chaotic and recorded traces. root is the folder of the project.
func Documents(t testing.TB, root string) map[string][]byte {
	all := map[string][]byte{"empty": []byte("<TRACE/>")}
	for seed := range testtool.Times(uint64(60)) {
		all[fmt.Sprint("simulated ", seed)] = enrichtest.Simulate(seed, 200).XML
		all[fmt.Sprint("chaotic ", seed)] = enrichtest.Chaos(seed, 200).XML
	}
	paths, err := filepath.Glob(filepath.Join(root, "testdata", "recorded", "*.trcxml"))
	Check(t, err)
	if len(paths) == 0 {
		t.Fatalf("there are no recorded traces in %s", root)
	}
	for _, path := range paths {
		all[filepath.Base(path)] = File(t, path)
	}
	return all
}

// Hostile are names that try to break what they are written into.
var Hostile = []string{
	`</script><img src=x onerror=alert(1)>`, strings.Repeat("long ", 2000) + "end", "NUL \x00 inside",
	"\xED\xA0\x80 lone surrogate", "\u202Eesrever",
	"emoji 😀", `quo"te and back\slash\`, "two\nlines\r\nand a tab\t", "\x1b[31mred\x1b]0;title\x07", "=1+2", "+1", "-1",
	"@SUM(A1)", "\ttab first",
	"\rreturn first", "a;b;c 5", "blanks at the end  ", " ", "", "&lt;b&gt; &amp; &#39;", `\N \G \l <b>html</b> {a|b}`,
	"'quoted'", "a,b", `"a","b"`,
}

// HostileDocument is a trace in which threads with the names Hostile contend for a monitor of a class with such a name,
// in methods with such names.
func HostileDocument() []byte {
	var b strings.Builder
	b.WriteString("<TRACE>")
	now := 0
	element := func(format string, values ...any) {
		now++
		for i, value := range values {
			if text, ok := value.(string); ok {
				values[i] = string(xmltext.AppendValue(nil, trace.EscapeJava(nil, text)))
			}
		}
		fmt.Fprintf(&b, format, append(values, now)...)
	}
	for i, name := range Hostile {
		element(`<classDef name="%s" sourceName="%s" classId="%d" time="%d"/>`, name, name, i+1)
		element(`<methodDef name="%s" methodId="%d" classIdRef="%d" time="%d"/>`, name, i+1, i+1)
		element(`<objAlloc objId="%d" classIdRef="%d" time="%d"/>`, 1000+i, i+1)
		element(`<threadStart threadId="%d" threadName="%s" groupName="%s" time="%d"/>`, i+1, name, name)
	}
	for i := range Hostile {
		next := (i+1)%len(Hostile) + 1
		element(
			`<callNotify threadId="%d" objIdRef="%d" time="%d"><annotation name="stack" value="%[1]d:7"/></callNotify>`,
			next, 1000+i)
		element(
			`<monContendedEnter threadIdRef="%d" objIdRef="%d" threadOwner="%d" time="%[4]d"><annotation name="stack" value="%[1]d:9 1"/></monContendedEnter>`,
			i+1, 1000+i, next)
		element(`<monContendedEntered threadIdRef="%d" objIdRef="%d" time="%d"/>`, i+1, 1000+i)
	}
	b.WriteString("</TRACE>")
	return []byte(b.String())
}

// Interval is a time in which a thread was held up, as the oracle sees it.
type Interval struct {
	Thread int // its key
	// State is blocked, waited, timed, joined or slept.
	State  string
	Length int64
	Object string
	Other  int // the key of the holder or the joined thread, 0 if unknown
}

// Intervals returns the intervals of the document.
func Intervals(t testing.TB, document []byte) []Interval {
	t.Helper()
	model, err := enrichtest.Model(document)
	Check(t, err)
	var all []Interval
	for _, thread := range model.Threads {
		var open *enrichtest.Event
		for _, event := range append(thread.Events, &enrichtest.Event{Type: enrichtest.Dead,
			Time: model.Trace.Duration}) {
			if !event.IsState() || event.Type == enrichtest.DeadLock {
				continue
			}
			if open != nil && open.Type != enrichtest.Running && open.Type != enrichtest.Dead {
				all = append(all, intervalOf(thread.Key, open, event.Time))
			}
			open = event
		}
	}
	return all
}

func intervalOf(key int, begin *enrichtest.Event, end int64) Interval {
	i := Interval{Thread: key, Length: max(0, end-begin.Time), Object: begin.ObjectRef, Other: begin.JoinedThreadKey}
	switch begin.Type {
	case enrichtest.WaitingForLock:
		i.State, i.Object, i.Other = "blocked", begin.LockedObject, begin.LockedThreadKey
	case enrichtest.WaitingForObject:
		i.State = "waited"
		if begin.Timeout != nil && *begin.Timeout > 0 {
			i.State = "timed"
		}
	case enrichtest.WaitingForJoin:
		i.State = "joined"
	case enrichtest.Sleeping:
		i.State = "slept"
	}
	return i
}
