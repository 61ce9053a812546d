package blame_test

import (
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/emit/answers"
)

// TestStatesOfWaits: a thread that waited for input or was parked is not reported as WAITING.
func TestStatesOfWaits(t *testing.T) {
	b := of(t, recorded(t, []byte(`<TRACE>
<threadStart threadId="1" time="1" threadName="reader" groupName="main"/>
<threadStart threadId="2" time="1" threadName="both" groupName="main"/>
<threadStart threadId="3" time="1" threadName="waiter" groupName="main"/>
<monWait threadIdRef="1" time="2" objIdRef="9" timeout="0"><annotation name="io" value="read"/></monWait>
<monWait threadIdRef="2" time="2" objIdRef="8" timeout="0"><annotation name="park" value="wait"/></monWait>
<monWait threadIdRef="3" time="2" objIdRef="7" timeout="0"/>
<monWaited threadIdRef="1" time="3" objIdRef="9"/>
<monWaited threadIdRef="2" time="3.5" objIdRef="8"/>
<monWaited threadIdRef="3" time="3.1" objIdRef="7"/>
<monWait threadIdRef="2" time="4" objIdRef="9" timeout="0"><annotation name="io" value="read"/></monWait>
<monWaited threadIdRef="2" time="5" objIdRef="9"/>
</TRACE>`)), blame.Options{})
	for by, rows := range map[blame.Grouping][]string{
		blame.Threads: {"reader (thread 1)  IN I/O\n", "both (thread 2)    PARKED\n", "both (thread 2)    IN I/O\n", "waiter (thread 3)  WAITING\n"},
		blame.Pools:   {"reader  IN I/O\n", "both    PARKED\n", "both    IN I/O\n", "waiter  WAITING\n"},
	} {
		var text strings.Builder
		if err := answers.WriteText(&text, b.Answer(blame.View{By: by}, false), answers.Options{}); err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			if !strings.Contains(text.String(), row) {
				t.Errorf("by %s: no row %q in\n%s", by, row, text.String())
			}
		}
	}
}
