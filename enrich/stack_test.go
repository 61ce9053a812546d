package enrich_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// at is a call stack inside of an event.
func at(stack string) string { return fmt.Sprintf(`<annotation name="stack" value="%s"/>`, stack) }

const (
	class7  = `<classDef name="app/Main" sourceName="Main.java" classId="7"/>`
	method1 = `<methodDef name="run" methodId="1" classIdRef="7"/>`
	method2 = `<methodDef name="-init-" methodId="2" classIdRef="7"/>`
	unload7 = `<classUnload classIdRef="7"/>`
)

// notify is an event with a call stack.
func notify(stack string) string {
	return `<callNotify threadId="1" time="1" objIdRef="9">` + at(stack) + "</callNotify>"
}

// TestCallStacks compares the oracle and the implementation with the expected number, type and frames of each event
// that has a stack.
func TestCallStacks(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"a class and its methods": {class7 + method1 + method2 + notify("1:12 2"),
			"1 Notify app/Main.run(Main.java:12) app/Main.-init-(Main.java)"},
		"each kind of event": {class7 + method1 +
			`<threadStart threadId="1" time="1" objIdRef="101">` + at("1:1") + `</threadStart>` +
			`<callStart threadId="1" time="2" objIdRef="102">` + at("1:2") + `</callStart>` +
			`<threadStart threadId="2" time="3" objIdRef="102">` + at("1:3") + `</threadStart>` +
			`<monContendedEnter threadIdRef="1" time="4" objIdRef="9" threadOwner="2">` + at("1:4") +
			`</monContendedEnter>` +
			`<monContendedEntered threadIdRef="1" time="5" objIdRef="9">` + at("1:5") + `</monContendedEntered>` +
			`<monWait threadIdRef="1" time="6" objIdRef="9" timeout="1">` + at("1:6") + `</monWait>` +
			`<monWaited threadIdRef="1" time="7" objIdRef="9" isTimedOut="1">` + at("1:7") + `</monWaited>` +
			`<monWait threadIdRef="1" time="8" objIdRef="-1">` + at("1:8") + `</monWait>` +
			`<callInterrupt threadId="2" time="9" objIdRef="101">` + at("1:9") + `</callInterrupt>` +
			`<threadInterrupted threadId="1" time="10">` + at("1:10") + `</threadInterrupted>` +
			`<threadInterrupted threadId="1" time="10">` + at("1:10") + `</threadInterrupted>` +
			`<monWait threadIdRef="1" time="11" objIdRef="102" timeout="0">` + at("1:11") + `</monWait>` +
			`<threadEnd threadIdRef="2" time="12">` + at("1:12") + `</threadEnd>` +
			`<monWaited threadIdRef="1" time="13" objIdRef="102" isTimedOut="0">` + at("1:13") + `</monWaited>` +
			`<callNotify threadId="1" time="14" objIdRef="9" isNotifyAll="1">` + at("1:14") + `</callNotify>`,
			"1 Running app/Main.run(Main.java:1)\n2 StartsThread app/Main.run(Main.java:2)\n3 Running " +
				"app/Main.run(Main.java:3)\n" +
				"4 WaitingForLock app/Main.run(Main.java:4)\n5 Running app/Main.run(Main.java:5)\n7 " +
				"WaitingForObject app/Main.run(Main.java:6)\n" +
				"9 Running app/Main.run(Main.java:7)\n10 Sleeping app/Main.run(Main.java:8)\n11 InterruptThread " +
				"app/Main.run(Main.java:9)\n" +
				"12 Running app/Main.run(Main.java:10)\n13 WaitingForJoin app/Main.run(Main.java:11)\n15 Running " +
				"app/Main.run(Main.java:13)\n" +
				"17 NotifyAll app/Main.run(Main.java:14)"},
		"a join of an earlier thread of the same id": {
			class7 + method1 +
				`<threadStart threadId="1" time="1" objIdRef="101"/><threadEnd threadIdRef="1" time="2"/>` +
				`<threadStart threadId="1" time="3" objIdRef="102"/><monWait threadIdRef="1" time="4" objIdRef="101"/>` +
				`<monWaited threadIdRef="1" time="5" objIdRef="101" isTimedOut="0">` + at("1:5") + `</monWaited>`,
			"5 Running app/Main.run(Main.java:5)"},
		"a method that is not defined": {class7 + method1 + notify("3:5 1:12"),
			"1 Notify .(:5) app/Main.run(Main.java:12)"},
		"none that is defined": {class7 + notify("3:5 1:12"), ""},
		"a method of no class": {`<methodDef name="run" methodId="1"/>` + notify("1:12"),
			"1 Notify .run(:12)"},
		"a method without a name": {class7 + `<methodDef methodId="1" classIdRef="7"/>` + notify("1"),
			"1 Notify app/Main.(Main.java)"},
		"a class without a file": {`<classDef name="app/Main" classId="7"/>` + method1 + notify("1:1"),
			"1 Notify app/Main.run(:1)"},
		"a class that is not defined": {method1 + notify("1:1"), "1 Notify .run(:1)"},
		"… but later": {method1 + notify("1:1") + class7 + notify("1:1"),
			"1 Notify .run(:1)\n2 Notify app/Main.run(Main.java:1)"},
		"a method that is defined later": {class7 + method1 + notify("1 2") + method2 + notify("1 2"),
			"1 Notify app/Main.run(Main.java) .\n2 Notify app/Main.run(Main.java) app/Main.-init-(Main.java)"},
		"a method that is defined anew": {class7 + method1 + notify("1") +
			`<methodDef name="go" methodId="1" classIdRef="7"/>` + notify("1"),
			"1 Notify app/Main.run(Main.java)\n2 Notify app/Main.go(Main.java)"},
		"… in another class": {class7 + `<classDef name="B" classId="8"/>` + method1 + notify("1") +
			`<methodDef name="run" methodId="1" classIdRef="8"/>` + unload7 + notify("1"),
			"1 Notify app/Main.run(Main.java)\n2 Notify B.run"},
		"… as it was": {class7 + method1 + method1 + notify("1") + method1 + notify("1"),
			"1 Notify app/Main.run(Main.java)\n2 Notify app/Main.run(Main.java)"},
		"a class that is defined anew": {class7 + method1 + `<classDef name="B" classId="7"/>` + method2 +
			notify("1 2"), "1 Notify app/Main.run(Main.java) B.-init-"},
		"… and unloaded": {class7 + method1 + `<classDef name="B" classId="7"/>` + method2 +
			notify("1 2") + unload7 + notify("1 2"), "1 Notify app/Main.run(Main.java) B.-init-"},
		"a class that is unloaded": {class7 + method1 + `<methodDef name="go" methodId="3"/>` + notify("1 3") +
			unload7 + notify("1 3"), "1 Notify app/Main.run(Main.java) .go\n2 Notify . .go"},
		"… and loaded again": {class7 + method1 + unload7 + class7 + notify("1") + method1 + notify("1"),
			"2 Notify app/Main.run(Main.java)"},
		"the first that is a stack": {class7 + method1 + `<callNotify threadId="1" time="1">` + at("") +
			at("1:x") + at("1:3") + at("1:4") + `</callNotify>`, "1 Notify app/Main.run(Main.java:3)"},
		"… though it says nothing": {class7 + method1 + `<callNotify threadId="1" time="1">` + at("5") +
			at("1:4") + `</callNotify>`, ""},
		"none that is a stack":      {class7 + method1 + notify("1:x") + notify("1  1") + notify(""), ""},
		"an event without a thread": {class7 + method1 + `<callNotify time="1">` + at("1") + `</callNotify>`, ""},
		"ids are texts": {
			`<methodDef name="a" methodId="01"/><methodDef name="b" methodId="1"/><methodDef name="c" methodId="-1"/><methodDef name="d" methodId="0"/>` + notify("01 1 -1 0"), "1 Notify .a .b .c .d"},
		"names are texts": {`<classDef name="&lt;&quot;ж" sourceName="\u0000.java" classId="7"/>` +
			method1 + notify("1:1"), "1 Notify <\"ж.run(\x00.java:1)"},
		"what is between the definitions": {class7 + notify("1") + method1 +
			`<monWait threadIdRef="1" time="2" objIdRef="9">` + at("1") + `</monWait>`,
			"2 WaitingForObject app/Main.run(Main.java)"},
	} {
		document := []byte("<TRACE>" + c.in + "</TRACE>")
		for side, doc := range map[string]*enrichtest.Doc{"the implementation": grouped(t, document),
			"the oracle": oracle(t, document)} {
			if strings.Contains(c.in, `\u0000`) && side == "the oracle" {
				continue // which knows XML only
			}
			if got := placesIn(doc); got != c.want {
				t.Errorf("%s, %s says\n%s\nwant\n%s", name, side, got, c.want)
			}
		}
	}
}

func oracle(t *testing.T, document []byte) *enrichtest.Doc {
	t.Helper()
	doc, err := enrichtest.Model(document)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// placesIn lists the events that have a stack, in the order appended.
func placesIn(doc *enrichtest.Doc) string {
	var events []*enrichtest.Event
	for _, thread := range doc.Threads {
		events = append(events, thread.Events...)
	}
	slices.SortFunc(events, func(a, b *enrichtest.Event) int { return cmp.Compare(a.ID, b.ID) })
	var lines []string
	for _, e := range events {
		if e.Stack == nil {
			continue
		}
		line := fmt.Sprint(e.ID, " ", strings.TrimSuffix(strings.TrimPrefix(e.Type, "TRCThread"), "Event"))
		for _, f := range e.Stack {
			line += " " + f.Class + "." + f.Method
			switch {
			case f.Line != nil:
				line += fmt.Sprintf("(%s:%d)", f.File, *f.Line)
			case f.File != "":
				line += fmt.Sprintf("(%s)", f.File)
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// keeper keeps the events of a model.
type keeper struct {
	events []trace.ModelEvent
}

func (k *keeper) Put(r trace.Record) error {
	if e, ok := r.(*trace.ModelEvent); ok {
		k.events = append(k.events, *e)
	}
	return nil
}

func kept(t *testing.T, document string) []trace.ModelEvent {
	t.Helper()
	k := &keeper{}
	enriched(t, []byte(document), k)
	return k.events
}

// TestStacksAreShared proves that events at one place share their stack, and frames in one method the method, so that
// keeping them takes little memory; and that kept stacks never change.
func TestStacksAreShared(t *testing.T) {
	e := kept(t, "<TRACE>"+class7+method1+notify("1:1")+notify("1:1")+notify("1:2")+method2+notify("1:1 2")+
		notify("1:1")+
		`<methodDef name="go" methodId="1" classIdRef="7"/>`+notify("1:1")+notify("1:1")+unload7+notify("1:1")+
		"</TRACE>")
	same := [][2]*trace.Stack{{e[0].Stack, e[1].Stack}, {e[0].Stack, e[4].Stack}, {e[5].Stack, e[6].Stack}}
	for i, pair := range same {
		if pair[0] != pair[1] || pair[0] == nil {
			t.Errorf("pair %d is not the same stack", i)
		}
	}
	run := e[0].Stack.Frames[0].Method
	for _, i := range []int{2, 3, 4} {
		if e[i].Stack.Frames[0].Method != run {
			t.Errorf("event %d has another method run", i)
		}
	}
	renamed := e[5].Stack.Frames[0].Method
	if want := (trace.ModelMethod{Class: "app/Main", Name: "run", File: "Main.java", Number: 1}); *run != want {
		t.Errorf("the method is %+v, want %+v", *run, want)
	}
	if renamed.Name != "go" || e[7].Stack != nil {
		t.Errorf("the method is %+v after it was defined anew, and the stack %+v after its class was unloaded",
			*renamed, e[7].Stack)
	}
}

// TestStacksOfSessions proves that ids of one recording mean nothing in the next one.
func TestStacksOfSessions(t *testing.T) {
	k := &keeper{}
	enricher := enrich.New(k, enrich.Options{})
	for session, text := range []string{class7 + method1 + notify("1:1"), notify("1:1"),
		strings.ReplaceAll(class7, "Main", "Other") + method1 + notify("1:1")} {
		enricher.Begin(session)
		if _, err := trcxml.Read(context.Background(), strings.NewReader(text), trcxml.Options{Session: session},
			enricher.Put); err != nil {
			t.Fatal(err)
		}
		enricher.End(trace.Ending{})
	}
	if k.events[0].Stack.Frames[0].Method.Class != "app/Main" || k.events[1].Stack != nil ||
		k.events[2].Stack.Frames[0].Method.Class != "app/Other" {
		t.Errorf("the events have the stacks %v, %v, %v", k.events[0].Stack, k.events[1].Stack, k.events[2].Stack)
	}
}

// TestLargeStacks proves that a stack as long as the limits of a document allow is cut, says so, and keeps its
// innermost frame.
func TestLargeStacks(t *testing.T) {
	const frames = 500_000 // of two bytes each
	long := strings.TrimSuffix(strings.Repeat("1 ", frames), " ")
	name := strings.Repeat("n", 1_000_000)
	for _, c := range []struct {
		name, definitions, stack string
		frames, omitted          int
	}{
		{"a million bytes of frames", class7 + method1, long, 12483, frames - 12483},
		{"methods that are unknown", `<methodDef name="" methodId="2"/>`, "2 " + long, 16384, frames + 1 - 16384},
		{"the longest names", fmt.Sprintf(`<methodDef name="%s" methodId="1"/>`, name), "1 1 1", 1, 2},
		{"names beyond the limit", fmt.Sprintf(`<classDef name="%s" sourceName="%s" classId="7"/>`, name, name) +
			method1, "1", 1, 0},
	} {
		events := kept(t, "<TRACE>"+c.definitions+notify(c.stack)+"</TRACE>")
		if got := events[0].Stack; got == nil || len(got.Frames) != c.frames || got.Omitted != c.omitted {
			t.Errorf("%s: %d frames, %d omitted, want %d and %d", c.name, len(got.Frames), got.Omitted, c.frames,
				c.omitted)
		}
	}
}

// TestStacksAskForNoMemory proves that an event allocates nothing for a stack that occurred before, and nothing if it
// has no stack.
func TestStacksAskForNoMemory(t *testing.T) {
	for name, stacks := range map[string][][]byte{
		"no stack": nil, "a stack": {[]byte("1:12 1:14")}, "a stack that says nothing": {[]byte("5:12 6")},
		"no stack, then one": {[]byte(""), []byte("1")},
	} {
		enricher := enrich.New(&keeper{events: make([]trace.ModelEvent, 0, 10_000)}, enrich.Options{})
		if _, err := trcxml.Read(context.Background(), strings.NewReader("<TRACE>"+class7+method1+notify("1")+
			"</TRACE>"), trcxml.Options{}, enricher.Put); err != nil {
			t.Fatal(err)
		}
		var event trace.EventBuilder
		event.Reset(trace.CallNotify)
		event.SetText(trace.AttrThreadID, "1")
		event.SetText(trace.AttrObjIDRef, "9")
		event.Time, event.Reading = 1_000_000_000, trace.Exact
		if stacks != nil {
			event.Extra = &trace.Extra{Stacks: stacks}
		}
		if cost := testing.AllocsPerRun(1000, func() { enricher.Put(&event.Event) }); cost != 0 {
			t.Errorf("%s: an event costs %v allocations", name, cost)
		}
	}
}

// TestDefinitionsEnd proves that no more classes and methods are kept than are defined at the same time, and no more
// stacks than the limit.
func TestDefinitionsEnd(t *testing.T) {
	rounds := testtool.Times(20_000)
	for name, c := range map[string]struct {
		round            string
		classes, methods int
	}{
		"unloaded":      {class7 + method1 + method2 + notify("1 2") + unload7, 0, 0},
		"defined again": {class7 + method1 + notify("1") + method1, 1, 1},
		"by turns": {
			class7 + method1 + `<methodDef name="run" methodId="1" classIdRef="8"/><methodDef name="go" methodId="1"/>`,
			2, 1},
		"of a class that comes anew": {class7 + method1 + class7 + method2 + notify("2 1"), 1, 2},
		"never defined": {notify("1:%[1]d") + method1 + notify("1:%[1]d 2:%[1]d") + unload7 + unload7, 0,
			0},
		"ever other stacks": {class7 + method1 + notify("1:%[1]d"+strings.Repeat(" 1:%[1]d", 200)), 1, 1},
	} {
		enricher := enrich.New(&keeper{}, enrich.Options{})
		n := rounds
		if strings.Contains(name, "stacks") {
			n = 2000
		}
		var text strings.Builder
		for i := range n {
			if strings.Contains(c.round, "%") {
				fmt.Fprintf(&text, c.round, i)
			} else {
				text.WriteString(c.round)
			}
		}
		if _, err := trcxml.Read(context.Background(), strings.NewReader(text.String()), trcxml.Options{},
			enricher.Put); err != nil {
			t.Fatal(err)
		}
		classes, methods, stacks := enricher.Kept()
		if classes != c.classes || methods != c.methods || stacks > enrich.MaxStacks {
			t.Errorf("%s: %d classes, %d methods and %d bytes of stacks are kept", name, classes, methods, stacks)
		}
		if strings.Contains(name, "stacks") && n*2*201*80 < enrich.MaxStacks {
			t.Errorf("%s: too few to reach the limit", name)
		}
	}
}

// contended is a trace of a program in which threads block each other at some places, with the stacks of these places.
func contended(events int, withStacks bool) []byte {
	random := rand.New(rand.NewPCG(5, 5))
	var out bytes.Buffer
	out.WriteString("<TRACE>\n")
	for class := range 40 {
		fmt.Fprintf(&out, `<classDef name="com/example/shop/service/Class%d" sourceName="Class%d.java" classId="%d"/>`+
			"\n", class, class, 1000+class)
		for method := range 10 {
			fmt.Fprintf(&out, `<methodDef name="method%d" signature="()V" methodId="%d" classIdRef="%d"/>`+"\n", method,
				2000+10*class+method, 1000+class)
		}
	}
	places := make([]string, 300)
	for i := range places {
		for depth := range 16 {
			if depth > 0 {
				places[i] += " "
			}
			places[i] += fmt.Sprintf("%d:%d", 2000+random.IntN(400), 10+random.IntN(900))
		}
	}
	for i := range events {
		name, rest := "monContendedEnter", ` threadOwner="7"`
		if i%2 == 1 {
			name, rest = "monContendedEntered", ""
		}
		fmt.Fprintf(&out, `<%s threadIdRef="%d" time="1700000000.%09d" objIdRef="%d"%s`, name, i/2%50, i*1000,
			100+random.IntN(30), rest)
		if withStacks {
			fmt.Fprintf(&out, `><annotation name="stack" value="%s"/></%s>`+"\n", places[random.IntN(len(places))],
				name)
		} else {
			out.WriteString("/>\n")
		}
	}
	out.WriteString("</TRACE>\n")
	return out.Bytes()
}

func BenchmarkStacks(b *testing.B) {
	const events = 20_000
	for name, text := range map[string][]byte{"without": contended(events, false), "with": contended(events, true)} {
		for step, sink := range map[string]func() trace.Sink{
			"read": nil, "jsonl": func() trace.Sink { return model.NewWriter(io.Discard, model.Options{Format: model.JSONLines}) },
			"json": func() trace.Sink { return model.NewWriter(io.Discard, model.Options{TempDir: b.TempDir()}) },
		} {
			b.Run(name+"/"+step, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					take := func(*trace.Event) error { return nil }
					if sink != nil {
						enricher := enrich.New(sink(), enrich.Options{})
						enricher.Begin(0)
						take = enricher.Put
					}
					if _, err := trcxml.Read(context.Background(), bytes.NewReader(text), trcxml.Options{},
						take); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/events, "ns/event")
			})
		}
	}
}
