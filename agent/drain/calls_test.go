package drain

import (
	"encoding/binary"
	"regexp"
	"strings"
	"testing"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/agent/ring/ringtest"
)

// TestCalls proves that calls stay nested where records are lost, that an exit of no call is left out, and that the end of
// a thread ends its calls.
func TestCalls(t *testing.T) {
	jvm := begin(t, 17)
	p := jvm.Thread()
	p.Put(started(7, 1, 11).record)
	jvm.Define(define(ring.DefineClass, 2, 100, 0, ringtest.ClassInfo("app/Job", "Job.java")))
	for id, name := range map[int64]string{200: "a", 201: "b"} {
		jvm.Define(define(ring.DefineMethod, 2, id, 100, ringtest.MethodInfo(name, "()V")))
	}
	put := func(kind ring.Kind, time, method, depth, skipped int64) {
		r := define(kind, time, method, depth|skipped<<32, nil)
		r.Thread = 7
		p.Put(r)
	}
	put(ring.MethodExit, 3, 200, 5, 0) // without a call
	put(ring.MethodEntry, 4, 200, 5, 0)
	put(ring.MethodEntry, 5, 201, 8, 0)
	put(ring.MethodExit, 6, 200, 8, 0) // another method's
	put(ring.MethodEntry, 7, 201, 9, 0)
	put(ring.MethodExit, 8, 201, 8, 12) // the previous record is lost
	put(ring.MethodEntry, 9, 200, 6, 0)
	put(ring.MethodEntry, 10, 201, 6, 0) // likewise
	p.Put(ring.Record{Kind: ring.ThreadEnd, Thread: 7, Time: 11})
	document, summary := drained(jvm, nil)
	var form []string
	calls := regexp.MustCompile(`<method(Entry|Exit) .*methodIdRef="(\d+)" classIdRef="100" ticket="(\d+)"` +
		`(?: .*overhead="0.000000000">(<annotation.*?/>))?|<threadEnd`)
	for _, m := range calls.FindAllStringSubmatch(document, -1) {
		form = append(form, m[1]+m[2]+" "+m[3]+m[4])
	}
	const want = `Entry200 1,Entry201 2,Entry201 3,Exit201 3,Exit201 2<annotation name="skipped" value="12"/>,` +
		`Entry200 4,Exit200 4,Entry201 5,Exit201 5,Exit200 1, `
	if got := strings.Join(form, ","); got != want || summary.Skipped != 12 || summary.Strays != 2 || summary.Repaired != 4 {
		t.Errorf("%d are skipped, %d stray, %d repaired; the document has\n%s\nwant\n%s\n%s", summary.Skipped,
			summary.Strays, summary.Repaired, got, want, document)
	}
}

// TestTreesOfCalls proves that a tree keeps its form where nodes are lost, and that the tree of a thread that the trace
// lacks names no thread.
func TestTreesOfCalls(t *testing.T) {
	jvm := begin(t, 17)
	p := jvm.Thread()
	p.Put(started(7, 1, 11).record)
	jvm.Define(define(ring.DefineClass, 2, 100, 0, ringtest.ClassInfo("app/Job", "Job.java")))
	for id, name := range map[int64]string{200: "a", 201: "b", 202: "c"} {
		jvm.Define(define(ring.DefineMethod, 2, id, 100, ringtest.MethodInfo(name, "()V")))
	}
	for _, thread := range []int64{7, 8} {
		for _, node := range []struct{ method, depth int64 }{{200, 1}, {201, 3}, {202, 3}, {201, 2}, {0, 0}} {
			r := define(ring.CallTree, 3, node.method, node.depth, nil)
			r.Thread = thread
			for range 5 {
				r.Payload = binary.LittleEndian.AppendUint64(r.Payload, 1)
			}
			p.Put(r)
		}
	}
	document, _ := drained(jvm, nil)
	var form []string
	for _, m := range regexp.MustCompile(`<agMethod(Entry|Exit)( threadIdRef="\d+")? methodIdRef="(\d+)"`).
		FindAllStringSubmatch(document, -1) {
		form = append(form, m[1]+m[2]+" "+m[3])
	}
	const tree = "Entry 200,Entry 201,Exit 201,Entry 202,Exit 202,Entry 201,Exit 201,Exit 200"
	known := strings.NewReplacer("Entry", `Entry threadIdRef="7"`, "Exit", `Exit threadIdRef="7"`).Replace(tree)
	if got, want := strings.Join(form, ","), known+","+tree; got != want {
		t.Errorf("the document has\n%s\nwant\n%s\n%s", got, want, document)
	}
}
