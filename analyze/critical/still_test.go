package critical_test

import (
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/convert/enrich/sinktest"
)

// TestPathOfAThreadThatStillWaits: the path of a thread ends when the thread begins to wait for good; it is not said
// that no lock held it up.
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
	if err := r.Path(r.LastOf(key)).WriteText(&text, nil, critical.Options{}); err != nil {
		t.Fatal(err)
	}
	const want = "No lock is on it.\nworker (thread 2) was still BLOCKED on object 9 when the trace ended, for 3.00 s; " +
		"holder (thread 1) had the lock when that wait began.\n"
	if !strings.Contains(text.String(), want) {
		t.Errorf("the text lacks\n%s\n%s", want, text.String())
	}
}
