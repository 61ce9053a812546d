package drain

import (
	"testing"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/agent/ring/ringtest"
)

func define(kind ring.Kind, at, object, argument int64, payload []byte) ring.Record {
	return ring.Record{Kind: kind, Time: at * ms, Object: object, Argument: argument, Payload: payload}
}

// TestDefinitions proves that classes, objects and methods precede their uses, and that stack traces show the selected
// methods.
func TestDefinitions(t *testing.T) {
	jvm := begin(t, 17)
	p := jvm.Thread()
	p.Put(started(7, 1, 11).record)
	for _, r := range []ring.Record{
		define(ring.DefineClass, 2, 100, 0, ringtest.ClassInfo("app/Job", "Job.java")),
		define(ring.DefineClass, 2, 101, 0, ringtest.ClassInfo("[I", "")),
		define(ring.DefineClass, 2, 102, 0, ringtest.ClassInfo("java/util/List", "List.java")),
		define(ring.DefineObject, 2, 50, 101, nil),
		define(ring.DefineMethod, 2, 200, 100, ringtest.MethodInfo("<init>", "()V",
			ringtest.Line{Location: 10, Line: 12}, ringtest.Line{Location: 0, Line: 14})),
		define(ring.DefineMethod, 2, 201, 100, ringtest.MethodInfo("<clinit>", "()V")),
		define(ring.DefineMethod, 2, 202, 102, ringtest.MethodInfo("of", "()Ljava/util/List;",
			ringtest.Line{Location: 0, Line: 3})),
	} {
		jvm.Define(r)
	}
	stacks := [][]ring.Frame{
		{{Method: 200, Location: 9}, {Method: 202, Location: 0}, {Method: 200, Location: 10},
			{Method: 201, Location: 5}, {Method: 200, Location: ring.NoLocation}},
		{{Method: 202, Location: 0}, {Method: 999, Location: 0}},
	}
	for i, kind := range []ring.Kind{ring.CallStart, ring.CallInterrupt, ring.CallNotify, ring.ThreadInterrupted} {
		p.Put(act(kind, 7, 3, 50, 0).with(ringtest.Stack(stacks[i%2]...)).record)
	}
	p.Put(act(ring.ContendedEnter, 7, 4, 50, 0).with(ringtest.Stack(stacks[0]...)).record)
	p.Put(act(ring.ContendedEntered, 7, 5, 50, 0).record)
	p.Put(act(ring.Wait, 7, 6, 50, 0).with(ringtest.Stack(stacks[0]...)).record)
	document, summary := drained(jvm, func(class, method string) bool {
		return class != "java/util/List" ||
			method != "of"
	})
	const stack = `<annotation name="stack" value="200:14 200:12 201 200"/>`
	want := spelled(`<classDef name="app/Job" sourceName="Job.java" classId="100" objIdRef="99" @2/>
<classDef name="[I" sourceName="" classId="101" objIdRef="100" @2/>
<classDef name="java/util/List" sourceName="List.java" classId="102" objIdRef="101" @2/>
<objAlloc objId="50" classIdRef="101" @2/>
<methodDef name="-init-" signature="()V" startLineNumber="12" endLineNumber="14" methodId="200" classIdRef="100"/>
<methodDef name="-clinit-" signature="()V" methodId="201" classIdRef="100"/>
<methodDef name="of" signature="()Ljava/util/List;" startLineNumber="3" endLineNumber="3" methodId="202" classIdRef="102"/>
` + start7 + `<callStart threadId="7" @3 objIdRef="50">` + stack + `</callStart>
<callInterrupt threadId="7" @3 objIdRef="50"/>
<callNotify threadId="7" @3 objIdRef="50" isNotifyAll="0">` + stack + `</callNotify>
<threadInterrupted threadId="7" @3/>
<monContendedEnter threadIdRef="7" @4 objIdRef="50">` + stack + `</monContendedEnter>
<monContendedEntered threadIdRef="7" @5 objIdRef="50"/>
<monWait threadIdRef="7" @6 objIdRef="50" timeout="0">` + stack + `</monWait>
`)
	if got := body(t, document); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if summary.Unknown != 0 || summary.Strays != 0 {
		t.Errorf("the summary is %+v", summary)
	}
	checkTrace(t, "definitions", document)
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ name, modified, want string }{
		{"plain", "main", "main"},
		{"nothing", "", ""},
		{"two and three bytes", "é☃", "é☃"},
		{"a zero", "a\xC0\x80b", `a\u0000b`},
		{"two surrogates", "\xED\xA0\xB4\xED\xB4\x9E", "𝄞"},
		{"the last character", "\xED\xAF\xBF\xED\xBE\xBE", "\U0010FFBE"},
		{"a high surrogate alone", "x\xED\xA0\xB4y", `x\uD834y`},
		{"a low surrogate alone", "\xED\xB4\x9E", `\uDD1E`},
		{"the wrong way round", "\xED\xB4\x9E\xED\xA0\xB4", `\uDD1E\uD834`},
		{"cut off", "\xED\xA0\xB4\xED\xB4", `\uD834\xED\xB4`},
		{"no UTF-8", "\xFF\xC0", `\xFF\xC0`},
		{"markup", `<"&'>`, `&lt;&quot;&amp;'>`},
		{"a line end", "a\nb", "a&#10;b"},
	} {
		jvm := begin(t, 17)
		jvm.Thread().Put(started(7, 1, 11).with(ringtest.Named(c.modified, "", c.modified)).record)
		document, _ := drained(jvm, nil)
		want := spelled(`<threadStart threadId="7" @1 threadName="` + c.want + `" groupName="" parentName="` + c.want +
			`" objIdRef="11"/>` + "\n")
		if got := body(t, document); got != want {
			t.Errorf("%s: got %s, want %s", c.name, got, want)
		}
	}
}

// TestOwnersByAddress proves that a live thread is found by the address of its structure and by any on its stack.
func TestOwnersByAddress(t *testing.T) {
	at := func(structure, low, high uint64) []byte {
		return ringtest.ThreadInfo(ring.ThreadInfo{JavaThread: structure, StackLow: low, StackHigh: high})
	}
	jvm := begin(t, 17)
	p := jvm.Thread()
	p.Put(started(1, 1, 11).record)
	p.Put(started(2, 1, 12).with(at(0x1000, 0x50000, 0x60000)).record)
	p.Put(started(3, 1, 13).with(at(0x2000, 0x40000, 0x50000)).record)
	p.Put(started(4, 1, 14).record)
	p.Put(started(4, 1, 14).with(at(0x3000, 0x70000, 0x80000)).record) // told twice, once in full
	var want []string
	ask := func(address int64, owner string) {
		p.Put(act(ring.ContendedEnter, 1, 2, 50, address, ring.OwnerAddress).record)
		p.Put(act(ring.ContendedEntered, 1, 2, 50, 0).record)
		want = append(want, owner)
	}
	ask(0x1000, "2")
	ask(0x2000, "3")
	ask(0x1008, "")
	ask(0x50000, "2")
	ask(0x5FFFF, "2")
	ask(0x60000, "")
	ask(0x4FFFF, "3")
	ask(0x3FFFF, "")
	ask(0x7ABCD, "4")
	ask(0x3000, "4")
	ask(-1, "")
	p.Put(act(ring.ThreadEnd, 2, 2, 0, 0).record)
	ask(0x1000, "")
	ask(0x50000, "")
	p.Put(started(5, 2, 15).with(at(0x1000, 0x48000, 0x58000)).record) // where 2 and 3 were; the end of 3 was lost
	ask(0x1000, "5")
	ask(0x48000, "5")
	ask(0x41000, "")
	p.Put(act(ring.ThreadEnd, 3, 2, 0, 0).record)
	ask(0x50000, "5")
	document, _ := drained(jvm, nil)
	var got []string
	for _, e := range checkTrace(t, "owners", document) {
		if e.Kind.String() == "monContendedEnter" {
			got = append(got, ownerOf(e))
		}
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("the owners are %q, want %q", got, want)
		}
	}
}
