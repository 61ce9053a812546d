package blame_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/analyze/blame"
)

// contendedIn returns the document of a script: in "2 BLOCKED 1 3", thread 2 is BLOCKED on the lock 9 from 1 s to 3 s; it
// can also sleep, read, wait for another object or await a condition.
func contendedIn(t *testing.T, script string) []byte {
	t.Helper()
	type record struct {
		at   float64
		text string
	}
	records := []record{}
	for step := range strings.SplitSeq(script, "; ") {
		var thread, does string
		var from, to float64
		if _, err := fmt.Sscanf(step, "%s %s %g %g", &thread, &does, &from, &to); err != nil {
			t.Fatalf("%q: %v", step, err)
		}
		enter, waited := "monWait", "monWaited"
		object, attribute, inner := "-1", ` timeout="1"`, ""
		switch does {
		case "BLOCKED":
			enter, waited = "monContendedEnter", "monContendedEntered"
			object, attribute, inner = "9", ` threadOwner="0"`, `<annotation name="park" value="lock"/>`
		case "reads":
			object, inner = "10", `<annotation name="io" value="read"/>`
		case "waits":
			object, inner = "11", `<annotation name="park" value="wait"/>`
		case "awaits":
			object, inner = "12", `<annotation name="park" value="wait"/>`
		}
		records = append(records, record{from, fmt.Sprintf(`<%s threadIdRef="%s" time="%g" objIdRef="%s"%s>%s</%[1]s>`, enter,
			thread, from, object, attribute, inner)}, record{to, fmt.Sprintf(`<%s threadIdRef="%s" time="%g" objIdRef="%s"/>`,
			waited, thread, to, object)})
	}
	slices.SortStableFunc(records, func(x, y record) int { return int(1e6*x.at) - int(1e6*y.at) })
	document := `<TRACE><classDef classId="1" name="java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject" time="0"/>` +
		`<objAlloc objId="12" classIdRef="1" size="16" time="0"/>`
	for id := range 5 {
		document += fmt.Sprintf(`<threadStart threadId="%d" time="0" threadName="t-%d" groupName="main"/>`, id+1, id+1)
	}
	for _, r := range records {
		document += r.text
	}
	return []byte(document + `<threadEnd threadIdRef="1" time="20"/></TRACE>`)
}

// TestProbableOwners: whose waits and runs fit the times at which others got a lock.
func TestProbableOwners(t *testing.T) {
	const users = "; 2 BLOCKED 1 3.001; 3 BLOCKED 1 3.002; 2 BLOCKED 4 6.001; 3 BLOCKED 4 6.002; 2 BLOCKED 7 9.001"
	for about, c := range map[string]struct{ script, want string }{
		"who reads while they are BLOCKED": {"4 reads 0.9 3; 4 reads 3.9 6; 4 reads 6.9 9" + users, "t-4 10s likely"},
		"who sleeps, and was BLOCKED, too": {"4 sleeps 0.9 3; 4 sleeps 3.9 6; 4 sleeps 6.9 9; 4 BLOCKED 10 10.01" + users, "t-4 10s"},
		"two threads, one of which ends the other's wait": {
			"5 sleeps 0.9 2.999; 4 reads 0.9 3; 5 sleeps 3.9 5.999; 4 reads 3.9 6; 5 sleeps 6.9 8.999; 4 reads 6.9 9" + users,
			"t-4 10s likely"},
		"twice can be chance":                     {"4 reads 0.9 3; 4 reads 3.9 6" + users, ""},
		"a wait that ends while all stay BLOCKED": {"4 reads 0.9 2.5; 4 reads 3.9 5.5; 4 reads 6.9 8.5" + users, ""},
		"a wait in which others got the lock":     {"4 reads 0.1 3; 4 reads 3.1 9" + users, ""},
		"a condition gives the lock away":         {"4 awaits 0.9 3; 4 awaits 3.9 6; 4 awaits 6.9 9" + users, ""},
		"who got it and ran until the next did": {
			"2 BLOCKED 1 2; 3 BLOCKED 1 3; 2 BLOCKED 3.01 4; 3 BLOCKED 4.01 5; 2 BLOCKED 5.01 6; 3 BLOCKED 6.01 7; 2 BLOCKED 7.01 8; 3 BLOCKED 8.01 9",
			"t-2 2.98s, t-3 2.97s"},
		"who got it and ran on for long": {
			"2 BLOCKED 1 2; 3 BLOCKED 1 3; 2 BLOCKED 3.9 4; 3 BLOCKED 3.95 5; 2 BLOCKED 5.9 6; 3 BLOCKED 5.95 7; 2 BLOCKED 7.9 8", ""},
	} {
		b, got := of(t, recorded(t, contendedIn(t, c.script)), blame.Options{}), ""
		lock := b.Locks()[0]
		for _, h := range b.ProbableOwners(&lock) {
			got += fmt.Sprintf(", %s %v", h.Thread.Name, time.Duration(h.Total))
			if h.Likely {
				got += " likely"
			}
		}
		if got = strings.TrimPrefix(got, ", "); got != c.want {
			t.Errorf("%s: %s\nwant %s", about, got, c.want)
		}
	}
}
