package enrich_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/trace"
)

// TestSampledOwner proves what an enter with again says: who holds the monitor from then on, and where that thread was.
func TestSampledOwner(t *testing.T) {
	const begin = class7 + method1 + method2 +
		`<threadStart threadId="1" time="1" threadName="a" groupName="g" parentName="p" objIdRef="101"/>` +
		`<threadStart threadId="2" time="1" threadName="b" groupName="g" parentName="p" objIdRef="102"/>` +
		`<threadStart threadId="3" time="1" threadName="c" groupName="g" parentName="p" objIdRef="103"/>` +
		`<callNotify threadId="1" time="1.5" objIdRef="9"><annotation name="stack" value="1:5"/></callNotify>` +
		`<monContendedEnter threadIdRef="2" time="2" objIdRef="9" threadOwner="1"/>`
	again := func(thread, at, owner, stack string) string {
		return fmt.Sprintf(`<monContendedEnter threadIdRef="%s" time="%s" objIdRef="9" threadOwner="%s"><annotation `+
			`name="park" value="lock"/><annotation name="again" value="1"/>%s</monContendedEnter>`, thread, at, owner, stack)
	}
	const before = "1 at 2: app.Main.run(Main.java:5)"
	const at = `<annotation name="ownerStack" value="2:9 1:5"/>`
	for name, c := range map[string]struct {
		in   string
		want []string // the changes of who holds the monitor
	}{
		"the same owner elsewhere": {again("2", "3", "1", at), []string{before, "1 at 3: app.Main.<init>(Main.java:9)"}},
		"another owner":            {again("2", "3", "3", at), []string{before, "3 at 3: app.Main.<init>(Main.java:9)"}},
		"a malformed stack":        {again("2", "3", "1", `<annotation name="ownerStack" value="?"/>`), []string{before, "1 at 3: app.Main.run(Main.java:5)"}},
		"the thread has got in":    {again("2", "3", "2", ""), []string{before, "2 at 3: "}},
		"nobody":                   {again("2", "3", "0", ""), []string{before, "0 at 3: "}},
		"before it was blocked":    {again("2", "1.9", "3", at), []string{before}},
		"of a thread that is not":  {again("3", "3", "1", at), []string{before}},
		"the owner ends":           {`<threadEnd threadIdRef="1" time="4"/>`, []string{before, "0 at 4: "}},
		"its id begins anew": {`<threadStart threadId="1" time="4" threadName="d" groupName="g" parentName="p" objIdRef="104"/>`,
			[]string{before, "0 at 4: "}},
	} {
		var got []string
		sinktest.ReadFollowing(t, enrich.CallersOnly, trace.SinkFunc(func(r trace.Record) error {
			if r, ok := r.(*trace.MonitorOwner); ok && r.Monitor != 0 {
				place := ""
				if r.Stack != nil {
					place = wording.Frame(r.Stack.Place())
				}
				if r.Probable {
					place = "probably " + place
				}
				got = append(got, fmt.Sprintf("%d at %d: %s", r.Owner, r.Time/1e9, place))
			}
			return nil
		}), []byte("<TRACE>"+begin+c.in+"</TRACE>"))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
