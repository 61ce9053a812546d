package drain

import (
	"encoding/binary"
	"regexp"
	"strings"
	"testing"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/agent/ring/ringtest"
)

// TestTreesOfCalls proves that a tree keeps its form where nodes are lost, and that one of a thread that the trace
// lacks names none.
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
