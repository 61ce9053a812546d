package critical_test

import (
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/sinktest"
)

// TestPathOfAThreadThatStillWaits: the path of a thread ends when the thread begins to wait for good; the answer does
// not say that no lock held it up.
func TestPathOfAThreadThatStillWaits(t *testing.T) {
	r := critical.NewRecorder()
	defer r.Close()
	sinktest.ReadFollowing(t, enrich.CallersOnly, r, []byte(`<TRACE>
<threadStart threadId="1" time="1" threadName="holder" groupName="main"/>
<threadStart threadId="2" time="1" threadName="worker" groupName="main"/>
<monContendedEnter threadIdRef="2" time="2" objIdRef="9" threadOwner="1"/>
<threadEnd threadIdRef="1" time="5"/>
<traceEnd time="5"/>
</TRACE>`))
	key, _, err := r.FindWorst("worker")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := answers.WriteText(&text, r.Path(r.LastOf(key)).Answer(nil, critical.Options{}), answers.Options{}); err != nil {
		t.Fatal(err)
	}
	const want = "No lock is on it.\nworker (thread 2) was still BLOCKED on object 9 when the trace ended, for 3.00 s; " +
		"holder (thread 1) had the lock when that wait began.\n"
	if !strings.Contains(text.String(), want) {
		t.Errorf("the text lacks\n%s\n%s", want, text.String())
	}
}

// TestShortLocks: a lock that took less than a hundredth of the path is mentioned, unless a longer wait for a
// notification leads the path away from it.
func TestShortLocks(t *testing.T) {
	const lock = `<TRACE><threadStart threadId="1" time="1" threadName="main" groupName="main"/>
<threadStart threadId="2" time="1" threadName="worker" groupName="main"/>
<monContendedEnter threadIdRef="1" time="2" objIdRef="9" threadOwner="2"/>
<monContendedEntered threadIdRef="1" time="2.01" objIdRef="9"/>`
	const wait = `<monWait threadIdRef="1" time="3" objIdRef="8" timeout="0"/>
<callNotify threadId="2" time="7" objIdRef="8" isNotifyAll="0"/>
<monWaited threadIdRef="1" time="7" objIdRef="8" isTimedOut="0"/>`
	const end = `<threadEnd threadIdRef="2" time="7"/><threadEnd threadIdRef="1" time="9"/><traceEnd time="9"/></TRACE>`
	const others = `<monContendedEnter threadIdRef="2" time="3" objIdRef="18" threadOwner="1"/>
<monContendedEntered threadIdRef="2" time="3.07" objIdRef="18"/>
<monContendedEnter threadIdRef="1" time="4" objIdRef="19" threadOwner="2"/>
<monContendedEntered threadIdRef="1" time="4.07" objIdRef="19"/>`
	for document, want := range map[string]string{
		lock + end:          "Locks took less than 1 % of it.",
		lock + others + end: "% runnable.",         // both together took as much
		lock + wait + end:   "No lock held it up.", // the path leads to the thread that notified
	} {
		r := recorded(t, []byte(document))
		if got := r.Path(r.Last()).Verdict(); !strings.HasSuffix(got, want) {
			t.Errorf("the verdict is %q, want %q at its end", got, want)
		}
	}
}

// TestIdleWaitsAreNotTheWorst: the run did not depend on a pool's thread that waits for its next task.
func TestIdleWaitsAreNotTheWorst(t *testing.T) {
	r := recorded(t, []byte(`<TRACE><threadStart threadId="1" time="1" threadName="main" groupName="main"/>
<threadStart threadId="2" time="1" threadName="pool-1-thread-1" groupName="main"/>
<classDef name="java/util/concurrent/ThreadPoolExecutor" classId="1" time="1"/>
<methodDef name="getTask" methodId="1" classIdRef="1"/>
<monWait threadIdRef="2" time="2" objIdRef="9" timeout="0"><annotation name="stack" value="1"/></monWait>
<callNotify threadId="1" time="4" objIdRef="9" isNotifyAll="0"/>
<monWaited threadIdRef="2" time="4" objIdRef="9" isTimedOut="0"/>
<threadEnd threadIdRef="1" time="5"/><threadEnd threadIdRef="2" time="6"/><traceEnd time="6"/></TRACE>`))
	const want = "100 % runnable. No lock held it up."
	if got := r.Path(r.Last()).Verdict(); !strings.HasSuffix(got, want) {
		t.Errorf("the verdict is %q, want %q at its end", got, want)
	}
}

// TestConcludedOwners: an owner that the trace does not report may have released the monitor, so it is only probable.
func TestConcludedOwners(t *testing.T) {
	const document = `<TRACE><threadStart threadId="1" time="1" threadName="holder" groupName="main"/>
<threadStart threadId="2" time="1" threadName="worker" groupName="main"/>
<callNotify threadId="1" time="2" objIdRef="9" isNotifyAll="0"/>
<monContendedEnter threadIdRef="2" time="3" objIdRef="9"/>`
	r := recorded(t, []byte(document+`<traceEnd time="5"/></TRACE>`))
	var text strings.Builder
	if err := answers.WriteText(&text, r.Path(r.LastOf(2)).Answer(nil, critical.Options{}), answers.Options{}); err != nil {
		t.Fatal(err)
	}
	if want := "; holder (thread 1) probably had the lock when that wait began.\n"; !strings.Contains(text.String(), want) {
		t.Errorf("the text lacks %q:\n%s", want, text.String())
	}
}
