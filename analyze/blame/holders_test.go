package blame_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/analyze/blame"
)

// given returns the document of a script. In "2 waits 3", thread 2 parks at 3 s for the object 9; in "2 by 3 5", thread
// 3 ends that at 5 s; in "6 sleeps 2 7", thread 6 sleeps from 2 s until 7 s, when it ends a wait.
func given(t *testing.T, script string) []byte {
	t.Helper()
	document, ends := "<TRACE>", ""
	for id := range 6 {
		document += fmt.Sprintf(`<threadStart threadId="%d" time="1" threadName="t-%d" groupName="main"/>`, id+1, id+1)
	}
	for step := range strings.SplitSeq(script, "; ") {
		var thread, by, at string
		if _, err := fmt.Sscanf(step, "%s waits %s", &thread, &at); err == nil {
			document += fmt.Sprintf(`<monWait threadIdRef="%s" time="%s" objIdRef="9" timeout="0"><annotation name="park" value="wait"/></monWait>`,
				thread, at)
			continue
		}
		if _, err := fmt.Sscanf(step, "%s sleeps %s %s", &thread, &at, &by); err == nil {
			sleep := fmt.Sprintf(`<monWait threadIdRef="%s" time="%s" objIdRef="-1" timeout="1"/>`, thread, at)
			document, ends = document+sleep, fmt.Sprintf(`<monWaited threadIdRef="%s" time="%s" objIdRef="-1" isTimedOut="1"/>`, thread, by)
			continue
		}
		if strings.Contains(step, " by 6 ") { // thread 6 has stopped sleeping
			document, ends = document+ends, ""
		}
		if _, err := fmt.Sscanf(step, "%s by %s %s", &thread, &by, &at); err != nil {
			t.Fatalf("%q: %v", step, err)
		}
		document += fmt.Sprintf(`<callNotify threadId="%[2]s" time="%[3]s" objIdRef="9" isNotifyAll="0"><annotation name="park" value="wait"/>`+
			`<annotation name="wakes" value="%[1]s"/></callNotify><monWaited threadIdRef="%[1]s" time="%[3]s" objIdRef="9" isTimedOut="0"/>`,
			thread, by, at)
	}
	return []byte(document + `<threadEnd threadIdRef="1" time="20"/></TRACE>`)
}

// TestHolders: who had what threads pass on, for how much of the waits, and for how long at once.
func TestHolders(t *testing.T) {
	for about, c := range map[string]struct {
		script    string
		semaphore bool
		want      string
	}{
		"passed on, and kept by one that did not wait": {"2 waits 2; 3 waits 2; 4 waits 2; 2 by 5 3; 3 by 2 4; 2 waits 4; 2 by 3 5; 4 by 6 8",
			true, "t-6 10s 6s likely, t-2 5s 3s, t-5 3s 1s likely, t-3 2s 1s"},
		"a thread finds nothing left, and waits again": {"2 waits 2; 3 waits 2; 2 by 4 3; 2 waits 3.001; 2 by 4 5; 3 by 2 6", true,
			"t-4 6s 2s likely, t-2 1s 1s"},
		"more is left": {"2 waits 2; 3 waits 2; 4 waits 2; 2 by 5 3; 3 by 2 3.0001; 4 by 2 5", true,
			"t-5 3s 1s likely, t-2 2.0001s 2s, t-3 1.9999s 1.9999s"},
		"nobody waits when it is given back": {"2 waits 2; 2 by 3 3; 2 waits 5; 2 by 4 6; 4 waits 7; 4 by 2 8", true,
			"t-2 1s 1s likely, t-3 1s 1s likely, t-4 1s 1s likely"},
		"nobody waits while it sleeps, and gives it back": {"2 waits 2; 2 by 3 3; 6 waits 3.5; 6 by 2 4; 6 sleeps 4 8; 2 waits 5; 2 by 6 8", true,
			"t-6 3s 4s, t-3 1s 1s likely, t-2 500ms 500ms likely"},
		"nobody waits for a time in which it sleeps": {"6 sleeps 2 7; 2 waits 3; 2 by 5 4; 2 waits 6; 2 by 5 6.5; 5 waits 6.6; 5 by 6 7", true,
			"t-6 1.9s 5s likely, t-5 1.5s 1s likely"},
		"made by one, which never had one, and passed on": {"2 waits 2; 3 waits 2; 4 waits 2; 2 by 5 3; 3 by 2 3.4; 4 by 5 5", true, ""},
		"made by others": {"2 waits 2; 2 by 3 3; 2 waits 3; 2 by 3 4", true, ""},
		"a barrier":      {"2 waits 2; 3 waits 2; 2 by 4 3; 3 by 4 3; 3 waits 3.1; 4 waits 3.1; 3 by 2 4; 4 by 2 4; 2 waits 4.1; 2 by 3 5", false, ""},
		"elements of one feeder, whose takers leave the queue of its lock one after the other": {"2 waits 2; 3 waits 2; 4 waits 2; 2 by 6 3; " +
			"3 by 2 3.0001; 4 by 3 3.0002; 2 waits 3.1; 3 waits 3.1; 4 waits 3.1; 2 by 6 5; 3 by 2 5.0001; 4 by 3 5.0002", false, ""},
		"two that take turns": {"2 waits 2; 2 by 3 3; 3 waits 3; 3 by 2 4; 2 waits 4; 2 by 3 5", false, ""},
	} {
		b, got := of(t, recorded(t, given(t, c.script)), blame.Options{}), ""
		_, others := b.Largest(0, 1)
		group := others[0]
		for _, h := range b.Holders(&group, c.semaphore) {
			got += fmt.Sprintf(", %s %v %v", h.Thread.Name, time.Duration(h.Total), time.Duration(h.Longest))
			if h.Likely {
				got += " likely"
			}
		}
		if got = strings.TrimPrefix(got, ", "); got != c.want {
			t.Errorf("%s: %s\nwant %s", about, got, c.want)
		}
	}
}
