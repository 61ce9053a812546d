package critical_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/emit/answers"
)

// processors is a run of one thread. It is RUNNABLE for 2 s with 500 ms of processor time, while a collection takes 1
// s; for 3 s, with a wait in between, with 3.2 s; and at last for 1 s without known time. The other thread's processor
// time is known once.
const processors = `<TRACE>
<threadStart threadId="1" time="1000.0" threadName="main" groupName="main"><annotation name="cpu" value="100"/></threadStart>
<threadStart threadId="2" time="1000.0" threadName="other" groupName="main"><annotation name="cpu" value="7"/></threadStart>
<gcStart time="1000.5"/>
<gcFinish time="1001.5"/>
<monWait threadIdRef="1" time="1002.0" objIdRef="-1" timeout="1000"/>
<monWaited threadIdRef="1" time="1003.0" objIdRef="-1" isTimedOut="1"><annotation name="cpu" value="500000100"/></monWaited>
<monWait threadIdRef="1" time="1004.0" objIdRef="-1" timeout="1000"/>
<monWaited threadIdRef="1" time="1005.0" objIdRef="-1" isTimedOut="1"/>
<monWait threadIdRef="1" time="1007.0" objIdRef="-1" timeout="1000"/>
<monWaited threadIdRef="1" time="1008.0" objIdRef="-1" isTimedOut="1"><annotation name="cpu" value="3700000100"/></monWaited>
<threadEnd threadIdRef="1" time="1009.0"/>
<threadEnd threadIdRef="2" time="1009.0"/>
</TRACE>`

// TestProcessors: a thread is on a processor only as far as the trace shows it.
func TestProcessors(t *testing.T) {
	r := recorded(t, []byte(processors))
	path := r.Path(startOf(t, r, "main"))
	const sentence = "39 % on a processor, 33 % SLEEPING, 11 % stopped by garbage collections, 11 % runnable, " +
		"6 % ready for a processor, or in waits that the trace does not have."
	if got := path.Verdict(); !strings.Contains(got, sentence) {
		t.Errorf("got %s\nwant %s", got, sentence)
	}
	var out bytes.Buffer
	if err := answers.WriteJSON(&out, path.Answer(nil, critical.Options{})); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"from":0,"to":500000000,"onCPU":250000000,"offCPU":250000000}`,
		`{"kind":"pause","state":"Running","from":500000000,"to":1500000000}`,
		`"from":5000000000,"to":7000000000,"onCPU":2000000000,"offCPU":0}`,
		`"from":8000000000,"to":9000000000}`,
		`{"kind":"segment","state":"Running","time":5000000000,"pieces":5,"onCPU":3500000000,"offCPU":500000000}`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is missing in %s", want, out.String())
		}
	}
	out.Reset()
	if err := answers.WriteText(&out, path.Answer(nil, critical.Options{}), answers.Options{}); err != nil {
		t.Fatal(err)
	}
	report := out.String()
	for _, want := range []string{"50 % on a processor, else ready for one", "stopped by garbage collections"} {
		if !strings.Contains(report, want) {
			t.Errorf("%s is missing in %s", want, report)
		}
	}
	other := r.Path(startOf(t, r, "other"))
	if got := other.Verdict(); strings.Contains(got, "processor") || !strings.Contains(got, "89 % runnable") {
		t.Errorf("of a thread whose processor time is not known: %s", got)
	}
}
