package drain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/agent/ring/ringtest"
)

// allocated publishes objects of three classes, the frees of two objects, and a collection.
func allocated(t *testing.T) *ringtest.JVM {
	jvm := begin(t, 17)
	jvm.Define(ring.Record{Kind: ring.DefineClass, Object: 100, Time: 1 * ms, Payload: ringtest.ClassInfo("app/Node",
		"")})
	jvm.Define(ring.Record{Kind: ring.DefineClass, Object: 101, Time: 1 * ms, Payload: ringtest.ClassInfo("[J", "")})
	jvm.Define(ring.Record{Kind: ring.DefineClass, Object: 102, Time: 1 * ms,
		Payload: ringtest.ClassInfo("[Lother/Node;", "")})
	p := jvm.Thread()
	p.Put(ring.Record{Kind: ring.ThreadStart, Thread: 1, Object: 9, Time: 1 * ms, Payload: ringtest.Named("main", "",
		"")})
	for i, class := range []int64{100, 101, 102} {
		p.Put(ring.Record{Kind: ring.Allocated, Thread: 1, Object: int64(10 + i), Argument: 24, Time: 2 * ms,
			Payload: ringtest.Allocation(class)})
	}
	p.Put(ring.Record{Kind: ring.GCStart, Time: 3 * ms})
	p.Put(ring.Record{Kind: ring.GCFinish, Time: 4 * ms, Object: 1000, Argument: 4000, Flags: ring.Parallel,
		Payload: ringtest.Collection(3, 1)})
	p.Put(ring.Record{Kind: ring.Freed, Object: 10, Time: 5 * ms})
	p.Put(ring.Record{Kind: ring.Freed, Object: 12, Time: 5 * ms})
	jvm.End(6 * ms)
	return jvm
}

// TestAllocations proves the elements of allocations, frees and collections, with the number of recorded objects, and
// that the class decides what is shown.
func TestAllocations(t *testing.T) {
	const definitions = `<classDef name="app/Node" sourceName="" classId="100" objIdRef="99" @1/>
<classDef name="[J" sourceName="" classId="101" objIdRef="100" @1/>
<classDef name="[Lother/Node;" sourceName="" classId="102" objIdRef="101" @1/>
<threadStart threadId="1" @1 threadName="main" groupName="" parentName="" objIdRef="9"/>
`
	const collection = `<gcStart @3/>
<gcFinish @4 usedObjects="%d" usedObjSpace="1000" totalObjSpace="4000"><annotation name="collector" value="Parallel"/>` +
		`<annotation name="ends" value="cycle"/><annotation name="number" value="3"/>` +
		`<annotation name="full" value="1"/></gcFinish>
<objFree objIdRef="10" @5/>
`
	document, _ := drained(allocated(t), nil)
	want := spelled(definitions + `<objAlloc objId="10" classIdRef="100" size="24" isArray="0" threadIdRef="1" @2/>
<objAlloc objId="11" classIdRef="101" size="24" isArray="11" threadIdRef="1" @2/>
<objAlloc objId="12" classIdRef="102" size="24" isArray="2" threadIdRef="1" @2/>
` + fmt.Sprintf(collection, 3) + `<objFree objIdRef="12" @5/>
`)
	if got := body(t, document); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	checkTrace(t, "allocations", document)

	document, _ = drained(allocated(t), func(class, _ string) bool { return class == "app/Node" })
	want = spelled(definitions + `<objAlloc objId="10" classIdRef="100" size="24" isArray="0" threadIdRef="1" @2/>
` + fmt.Sprintf(collection, 1))
	if got := body(t, document); got != want {
		t.Errorf("of app/Node only: got\n%swant\n%s", got, want)
	}
}

// TestSamples proves that a sampled allocation says so, with the interval.
func TestSamples(t *testing.T) {
	jvm := allocated(t)
	var out collected
	sampled := preamble
	sampled.Interval = 512
	New(jvm.Segment, &out, sampled, func(class, _ string) bool { return class == "app/Node" }).finish()
	want := spelled(`<objAlloc objId="10" classIdRef="100" size="24" isArray="0" threadIdRef="1" @2>` +
		`<annotation name="samples" value="1"/><annotation name="interval" value="512"/></objAlloc>`)
	got := body(t, string(out.text))
	if !strings.Contains(got, want) {
		t.Errorf("got\n%swant the line\n%s", got, want)
	}
	if strings.Contains(got, "usedObjects") {
		t.Errorf("got\n%swant no number of objects", got)
	}
}

// TestAlignment proves that a trace has the alignment of objects if it differs from most JVMs'.
func TestAlignment(t *testing.T) {
	for alignment, want := range map[uint32]string{0: "", 8: "", 16: `<option key="trcx.alignment" value="16"/>`} {
		jvm := allocated(t)
		jvm.SetAlignment(alignment)
		document, _ := drained(jvm, nil)
		got := strings.Count(document, "trcx.alignment")
		if !strings.Contains(document, want) || got > 1 || want == "" && got > 0 {
			t.Errorf("alignment %d: %d options, want %s", alignment, got, want)
		}
		if want != "" && strings.Index(document, want) > strings.Index(document, "<objAlloc objId=\"10\"") {
			t.Error("the option comes after the first object")
		}
	}
}

// TestCollections proves which pauses end a collection, and that nothing is written about an unknown collection.
func TestCollections(t *testing.T) {
	jvm := begin(t, 17)
	p := jvm.Thread()
	put := func(collector uint8, used int64, payload []byte) {
		p.Put(ring.Record{Kind: ring.GCStart, Time: 1 * ms})
		p.Put(ring.Record{Kind: ring.GCFinish, Time: 1 * ms, Object: used, Argument: 4000, Flags: collector,
			Payload: payload})
	}
	put(ring.G1, 1, ringtest.Collection(1, 0))
	put(ring.G1, 5000, ringtest.Collection(1, 0)) // a pause for marking; its use is more than the heap's size
	put(ring.G1, 1, ringtest.Collection(2, 1))
	put(ring.Z, 1, ringtest.Collection(3, -1))
	put(ring.Shenandoah, 1, ringtest.Collection(0, -1))
	put(ring.NoCollector, 1, nil)
	jvm.End(2 * ms)
	const used = ` usedObjects="0" usedObjSpace="1" totalObjSpace="4000"`
	var want strings.Builder
	for _, finish := range [][2]string{
		{used, "collector G1 ends cycle number 1 full 0"}, {"", "collector G1 ends pause number 1 full 0"},
		{used, "collector G1 ends cycle number 2 full 1"}, {used, "collector Z ends pause number 3"},
		{used, "collector Shenandoah ends pause"}, {used, ""},
	} {
		want.WriteString("<gcStart @1/>\n<gcFinish @1" + finish[0])
		words := strings.Fields(finish[1])
		for i := 0; i < len(words); i += 2 {
			if i == 0 {
				want.WriteString(">")
			}
			want.WriteString(`<annotation name="` + words[i] + `" value="` + words[i+1] + `"/>`)
		}
		if len(words) == 0 {
			want.WriteString("/>\n")
		} else {
			want.WriteString("</gcFinish>\n")
		}
	}
	document, _ := drained(jvm, nil)
	if got, want := body(t, document), spelled(want.String()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	checkTrace(t, "collections", document)
}
