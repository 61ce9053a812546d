package dot_test

import (
	"context"
	"log"
	"os"
	"strings"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/dot"
	"github.com/trcx/trcx/trace"
)

// A Writer writes the waits of threads for each other as a graph, which Graphviz draws.
func ExampleNewWriter() {
	document := `<TRACE>
<threadStart threadId="1" time="1.0" threadName="main"/>
<threadStart threadId="2" time="1.1" threadName="worker"/>
<monContendedEnter threadIdRef="2" time="1.2" objIdRef="9" threadOwner="1"/>
<monContendedEntered threadIdRef="2" time="1.5" objIdRef="9"/>
</TRACE>`
	writer := dot.NewWriter(os.Stdout, dot.Options{})
	records := convert.Model(context.Background(), strings.NewReader(document), convert.Options{})
	if err := trace.Copy(writer, records); err != nil {
		log.Fatal(err)
	}
	// Output:
	// digraph waits {
	// 	graph [rankdir=LR, charset="UTF-8", fontname="Helvetica", fontsize=11, labeljust=l, labelloc=b, nodesep=0.35, ranksep=1.1, pad=0.3]
	// 	node [shape=box, style="rounded,filled", fillcolor="#f7f9fc", color="#3b5a7a", fontname="Helvetica", fontsize=12, margin="0.15,0.08"]
	// 	edge [fontname="Helvetica", fontsize=10, arrowsize=0.7]
	// 	label="\lWho waited for whom, in 500 ms: an arrow leads from the thread that waited, and is as wide as the wait was long.\la full arrow: blocked on a monitor that the other thread held\l"
	// 	t1 [label="main\nthread 1", tooltip="main"]
	// 	t2 [label="worker\nthread 2\nblocked 300 ms", tooltip="worker"]
	// 	t2 -> t1 [label="monitor #9\n300 ms\n ", color="#3b5a7a", fontcolor="#3b5a7a", style=solid, penwidth=5.0, tooltip=""]
	// }
}
