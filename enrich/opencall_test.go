package enrich_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// places keeps where the threads of events were.
type places struct {
	lines []string
}

func (p *places) Put(r trace.Record) error {
	e, ok := r.(*trace.ModelEvent)
	if !ok {
		return nil
	}
	stack := ""
	if e.Stack != nil {
		for _, f := range e.Stack.Frames {
			stack += " " + f.Method.Name
		}
	}
	p.lines = append(p.lines, fmt.Sprintf("%s of %s in %s, other in %s, stack%s", strings.TrimPrefix(e.Type.String(),
		"TRCThread"), e.Thread.ID.String(), nameOf(e.Caller), nameOf(e.OtherCaller), stack))
	return nil
}

func nameOf(f trace.Frame) string {
	if f.Method == nil {
		return "?"
	}
	return fmt.Sprint(f.Method.Class, ".", f.Method.Name, ":", f.Line)
}

func placesOf(t *testing.T, calls enrich.Calls, elements ...string) string {
	t.Helper()
	const definitions = `<classDef name="a/B" classId="7"/><classDef name="java/lang/Object" classId="8"/>` +
		`<methodDef name="main" methodId="1" classIdRef="7"/><methodDef name="load" methodId="2" classIdRef="7"/><methodDef name="wait" methodId="3" classIdRef="8"/>` +
		`<threadStart threadId="1" time="1"/><threadStart threadId="2" time="1"/>`
	p := &places{}
	enricher := enrich.New(p, enrich.Options{Calls: calls})
	enricher.Begin(0)
	text := "<TRACE>" + definitions + strings.Join(elements, "") + "</TRACE>"
	if _, err := trcxml.Read(context.Background(), strings.NewReader(text), trcxml.Options{},
		enricher.Put); err != nil {
		t.Fatal(err)
	}
	return strings.Join(p.lines[2:], "\n")
}

func entry(thread, method int) string {
	return fmt.Sprintf(`<methodEntry threadIdRef="%d" time="2" methodIdRef="%d" classIdRef="7" ticket="1"/>`, thread,
		method)
}

func textEntry(method string) string {
	return fmt.Sprintf(`<methodEntry threadIdRef="1" time="2" methodIdRef="%s"/>`, method)
}

func exit(thread, method int) string {
	return fmt.Sprintf(`<methodExit threadIdRef="%d" methodIdRef="%d" classIdRef="7" ticket="1" time="2"/>`, thread,
		method)
}

func TestOpenCalls(t *testing.T) {
	const (
		block   = `<monContendedEnter threadIdRef="1" time="3" objIdRef="9" threadOwner="2"/>`
		wait    = `<monWait threadIdRef="1" time="3" objIdRef="9" timeout="0"/>`
		stacked = `<monContendedEnter threadIdRef="1" time="3" objIdRef="9" threadOwner="2"><annotation name="stack" value="3 2:5"/></monContendedEnter>`
		held    = `<callNotify threadId="2" time="3" objIdRef="8"><annotation name="stack" value="2:7 1"/></callNotify>`
		state   = "WaitingForLockEvent of 1 in "
		text    = `<methodDef name="store" methodId="a-method-of-a/B" classIdRef="7"/>`
	)
	for _, c := range []struct {
		name, want string
		calls      enrich.Calls
		elements   []string
	}{
		{"the innermost open call", state + "a/B.load:-1, other in ?, stack", enrich.CallersOnly,
			[]string{entry(1, 1), entry(1, 2), block}},
		{"after it was left", state + "a/B.main:-1, other in ?, stack", enrich.CallersOnly,
			[]string{entry(1, 1), entry(1, 2), exit(1, 2), block}},
		{"the owner's", state + "?, other in a/B.load:-1, stack", enrich.CallersOnly, []string{entry(2, 1), entry(2, 2),
			block}},
		{"past the JDK's way to wait", "WaitingForObjectEvent of 1 in a/B.load:-1, other in ?, stack",
			enrich.CallersOnly, []string{entry(1, 2), entry(1, 3), wait}},
		{"an exception left calls without a word", state + "?, other in ?, stack", enrich.CallersOnly,
			[]string{entry(1, 1), entry(1, 2), exit(1, 1), block}},
		{"an exit of no call", state + "a/B.main:-1, other in ?, stack", enrich.CallersOnly,
			[]string{entry(1, 1), exit(1, 2), block}},
		{"an unknown method", state + "?, other in ?, stack", enrich.CallersOnly, []string{entry(1, 1), entry(1, 99),
			block}},
		{"a thread that comes anew", state + "?, other in ?, stack", enrich.CallersOnly,
			[]string{entry(1, 1), `<threadEnd threadIdRef="1" time="2"/><threadStart threadId="1" time="2"/>`, block}},
		{"ids that are texts", state + "a/B.store:-1, other in ?, stack", enrich.CallersOnly,
			[]string{text, textEntry("a-method-of-a/B"), textEntry("another-method"),
				strings.Replace(textEntry("another-method"), "Entry", "Exit", 1), textEntry("gone"),
				strings.Replace(textEntry("gone-long-ago"), "Entry", "Exit", 1),
				strings.Replace(textEntry("gone"), "Entry", "Exit", 1), block}},
		{"a method that is defined anew", state + "a/B.save:-1, other in ?, stack", enrich.CallersOnly,
			[]string{entry(1, 1), entry(1, 2), block, `<methodDef name="save" methodId="2" classIdRef="7"/>`, block}},
		{"a method of a class that was unloaded", state + "?, other in ?, stack", enrich.CallersOnly,
			[]string{entry(1, 2), block, `<classUnload classIdRef="7"/>`, block}},
		{"not followed", state + "?, other in ?, stack", enrich.NoCalls, []string{entry(1, 1), block}},
		{"whole stacks", state + "a/B.load:-1, other in ?, stack load main", enrich.WholeStacks,
			[]string{entry(1, 1), entry(1, 2), block}},
		{"a call stack wins", state + "a/B.load:5, other in ?, stack wait load", enrich.WholeStacks,
			[]string{entry(1, 1), stacked}},
		{"the owner's last call stack", state + "?, other in a/B.load:7, stack", enrich.NoCalls, []string{held, block}},
	} {
		got := placesOf(t, c.calls, c.elements...)
		if lines := strings.Split(got, "\n"); lines[len(lines)-1] != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, lines[len(lines)-1], c.want)
		}
	}
}

// TestOpenCallsAreBounded: a trace that enters methods and never leaves them takes no more memory than the limit, and
// calls are still reported.
func TestOpenCallsAreBounded(t *testing.T) {
	deep := strings.Repeat(entry(1, 1), 70_000) + strings.Repeat(exit(1, 1), 70_000-1)
	got := placesOf(t, enrich.WholeStacks, deep, `<monContendedEnter threadIdRef="1" time="3" objIdRef="9"/>`)
	if want := "WaitingForLockEvent of 1 in a/B.main:-1, other in ?, stack main"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	tooDeep := strings.Repeat(entry(1, 1), 70_000)
	got = placesOf(t, enrich.WholeStacks, tooDeep, `<monContendedEnter threadIdRef="1" time="3" objIdRef="9"/>`)
	if want := "WaitingForLockEvent of 1 in ?, other in ?, stack"; got != want {
		t.Errorf("where the innermost calls are not kept: got %s, want %s", got, want)
	}
}

// TestTextsAreForgotten: ids that are texts are kept only while their calls are open.
func TestTextsAreForgotten(t *testing.T) {
	var all strings.Builder
	for i := range 70_000 {
		entry := textEntry(fmt.Sprint("a-method-", i))
		all.WriteString(entry + strings.Replace(entry, "Entry", "Exit", 1))
	}
	got := placesOf(t, enrich.CallersOnly, `<methodDef name="store" methodId="the-method" classIdRef="7"/>`,
		all.String(), textEntry("the-method"),
		`<monContendedEnter threadIdRef="1" time="3" objIdRef="9"/>`)
	if want := "WaitingForLockEvent of 1 in a/B.store:-1, other in ?, stack"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
