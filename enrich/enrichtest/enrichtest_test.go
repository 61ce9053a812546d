package enrichtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/enrich"
)

// A ruleCase is a small trace and the sequence of each of its threads. An
// input line is "microseconds element thread [object [attribute=value]…]", where
// +name=value is an annotation; an
// expected line is a thread id and its events, see show.
type ruleCase struct {
	name, input, want string
}

func TestRules(t *testing.T) {
	for _, c := range ruleCases {
		t.Run(c.name, func(t *testing.T) {
			document := compile(c.input)
			doc, err := Model(document)
			if err != nil {
				t.Fatal(err)
			}
			want := trimLines(c.want)
			if got := show(doc); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if got := show(enriched(t, document)); got != want {
				t.Errorf("package enrich: got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// enriched returns the model of a document by package enrich.
func enriched(t *testing.T, document []byte) (doc *Doc) {
	var out bytes.Buffer
	enricher := enrich.New(model.NewWriter(&out, model.Options{}), enrich.Options{})
	if err := enricher.Begin(0); err != nil {
		t.Fatal(err)
	}
	ending, err := trcxml.Read(t.Context(), bytes.NewReader(document), trcxml.Options{}, enricher.Put)
	if err := errors.Join(err, enricher.End(ending), enricher.Finish()); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

var ruleCases = []ruleCase{{
	name: "parks: a barging thread is the owner anew, a lock is handed off by who released it, or given up",
	input: `0 threadStart A 101
		0 threadStart B 102
		0 threadStart C 103
		1 monContendedEnter B 900 threadOwner=A +park=lock
		2 monContendedEnter B 900 threadOwner=C +park=lock +again=1
		3 monContendedEntered B 900 +causedBy=A
		4 monContendedEnter C 900 threadOwner=B +park=lock
		5 monContendedEntered C 900 +gaveUp=timeout
		6 monContendedEnter C 900 +park=lock
		7 callInterrupt A 103
		8 monContendedEntered C 900 +gaveUp=interrupt
		9 threadInterrupted C`,
	want: `A: 1 Running@0; 6 HandoffLock@3 900 to B -> 5; 11 InterruptThread@7 103 -> 12
		B: 2 Running@0; 4 WaitingForLock@1 900 of A park; 5 Running@3
		C: 3 Running@0; 7 WaitingForLock@4 900 of B park; 8 WaitTimeoutExceed@5 900; 9 Running@5; 10 WaitingForLock@6 900 of B park ?; 12 Running@8`,
}, {
	name: "parks: a signal names its threads, also before they park, and nothing takes it back",
	input: `0 threadStart A 101
		0 threadStart B 102
		0 threadStart C 103
		1 monWait B 901 timeout=0 +park=wait +lock=900
		2 callNotify A 901 isNotifyAll=0 +park=wait +wakes=C
		3 monWait C 901 timeout=0 +park=wait +lock=900
		4 callInterrupt A 103
		5 monWaited C 901 isTimedOut=0 +lockFrom=A
		6 threadInterrupted C
		7 callNotify A 901 isNotifyAll=1 +park=wait +wakes=B
		8 monWaited B 901 isTimedOut=0
		9 callNotify A 901 isNotifyAll=0 +park=wait +wakes=B
		10 callStart B 104
		11 monWait C 901 timeout=0 +park=wait
		12 callNotify A 901 isNotifyAll=0 +wakes=
		13 monWaited C 901 isTimedOut=0`,
	want: `A: 1 Running@0; 5 Notify@2 901 -> 8; 7 InterruptThread@4 103; 9 NotifyAll@7 901 -> [10]; 11 Notify@9 901; 14 Notify@12 901
		B: 2 Running@0; 4 WaitingForObject@1 901 0ms park; 10 Running@8; 12 StartsThread@10 104
		C: 3 Running@0; 6 WaitingForObject@3 901 0ms park; 8 Running@5; 13 WaitingForObject@11 901 0ms park; 15 Running@13`,
}, {
	name: "parks: a signal names threads that are unknown, parked, or at a monitor",
	input: `0 threadStart A 101
		0 threadStart B 102
		0 threadStart C 103
		0 threadStart D 104
		1 monWait B 901 timeout=0 +park=wait
		2 monWait C 901 timeout=0
		3 callNotify A 901 isNotifyAll=1 +park=wait +wakes=Z,B,Y,C,D
		4 monWaited B 901 isTimedOut=0
		5 monWaited C 901 isTimedOut=0
		6 monWait D 901 timeout=0 +park=wait
		7 monWaited D 901 isTimedOut=0`,
	want: `A: 1 Running@0; 7 NotifyAll@3 901 -> [8 11]
		B: 2 Running@0; 5 WaitingForObject@1 901 0ms park; 8 Running@4
		C: 3 Running@0; 6 WaitingForObject@2 901 0ms; 9 Running@5
		D: 4 Running@0; 10 WaitingForObject@6 901 0ms park; 11 Running@7`,
}, {
	name: "a wait set that was seen decides whom a notification wakes",
	input: `0 threadStart A 101
		0 threadStart B 102
		0 threadStart C 103
		1 monWait B 900 timeout=0
		2 monWait C 900 timeout=0
		3 callNotify A 900 isNotifyAll=0 +wakes=C
		4 callNotify A 900 isNotifyAll=0 +wakes=
		5 monWaited C 900 isTimedOut=0
		6 callNotify A 900 isNotifyAll=0
		7 monWaited B 900 isTimedOut=0`,
	want: `A: 1 Running@0; 6 Notify@3 900 -> 8; 7 Notify@4 900; 9 Notify@6 900 -> 10
		B: 2 Running@0; 4 WaitingForObject@1 900 0ms; 10 Running@7
		C: 3 Running@0; 5 WaitingForObject@2 900 0ms; 8 Running@5`,
}, {
	name: "parks: no notification of the monitor ends one, its owner stays, and only an interrupt during it is its cause",
	input: `0 threadStart A 101
		0 threadStart B 102
		0 threadStart C 103
		1 monContendedEnter C 900 threadOwner=A
		2 monWait B 900 timeout=0 +park=wait
		3 callNotify A 900 isNotifyAll=1
		4 monWaited B 900 isTimedOut=0
		5 monWait B 101 timeout=1 +park=lock
		6 callInterrupt A 102
		7 monWaited B 101 isTimedOut=0
		8 monWait B 900 timeout=1 +park=wait
		1008 monWaited B 900
		1009 monContendedEntered C 900`,
	want: `A: 1 Running@0; 6 NotifyAll@3 900 -> []; 9 InterruptThread@6 102 -> 10; 15 HandoffLock@1009 900 to C -> 14
		B: 2 Running@0; 5 WaitingForObject@2 900 0ms park; 7 Running@4; 8 WaitingForObject@5 101 1ms park; 10 Running@7; 11 WaitingForObject@8 900 1ms park; 12 WaitTimeoutExceed@1008 900 ?; 13 Running@1008 ?
		C: 3 Running@0; 4 WaitingForLock@1 900 of A; 14 Running@1009`,
}, {
	name: "waits for input or output: the interrupt before one is not its cause, a block of java.util.concurrent has park",
	input: `0 threadStart A 101
		0 threadStart B 102
		1 callInterrupt A 102
		2 monWait B 900 timeout=0 +io=read
		3 callNotify A 900 isNotifyAll=0
		4 monWaited B 900 isTimedOut=0
		5 monWait B 0 +io=write +park=wait
		6 monWaited B 0
		7 monContendedEnter B 901 threadOwner=A +park=lock
		8 monContendedEntered B 901`,
	want: `A: 1 Running@0; 3 InterruptThread@1 102; 5 Notify@3 900; 11 HandoffLock@8 901 to B -> 10
		B: 2 Running@0; 4 WaitingForObject@2 900 0ms read; 6 Running@4; 7 WaitingForObject@5 write; 8 Running@6; 9 WaitingForLock@7 901 of A park; 10 Running@8`,
}, {
	name: "2a an interrupt during the wait",
	input: `0 threadStart A 101
		1 threadStart B 102
		2 monWait B 900 timeout=0
		3 callInterrupt A 102
		4 monWaited B 900 isTimedOut=0`,
	want: `A: 1 Running@0; 4 InterruptThread@3 102 -> 5
		B: 2 Running@1; 3 WaitingForObject@2 900 0ms; 5 Running@4`,
}, {
	name: "2a an interrupt before the notification, which goes to the next",
	input: `0 threadStart A 101
		1 threadStart B 102
		1 threadStart C 103
		2 monWait B 900
		3 monWait C 900
		4 callInterrupt A 102
		5 callNotify A 900 isNotifyAll=0
		6 monWaited B 900 isTimedOut=0
		7 monWaited C 900 isTimedOut=0`,
	want: `A: 1 Running@0; 6 InterruptThread@4 102 -> 8; 7 Notify@5 900 -> 9
		B: 2 Running@1; 4 WaitingForObject@2 900; 8 Running@6
		C: 3 Running@1; 5 WaitingForObject@3 900; 9 Running@7`,
}, {
	name: "2c an interrupt after the notification stays for the next sleep",
	input: `0 threadStart A 101
		1 threadStart B 102
		2 monWait B 900
		3 callNotify A 900 isNotifyAll=false
		4 callInterrupt A 102
		5 monWaited B 900 isTimedOut=0
		6 monWait B -1 timeout=10
		7 monWaited B -1`,
	want: `A: 1 Running@0; 4 Notify@3 900 -> 6; 5 InterruptThread@4 102 -> 8
		B: 2 Running@1; 3 WaitingForObject@2 900; 6 Running@5; 7 Sleeping@6 10ms; 8 Running@7`,
}, {
	name: "2a a recorder that proves interrupts: the notification after one wins until the proof",
	input: `0 threadStart A 101
		0 threadStart B 102
		0 threadStart C 103
		1 threadInterrupted C
		2 monWait B 900
		3 callInterrupt A 102
		4 callNotify A 900
		5 monWaited B 900 isTimedOut=0
		6 monWait B 900
		7 callInterrupt A 102
		8 callNotify A 900
		9 monWaited B 900 isTimedOut=0
		10 threadInterrupted B`,
	want: `A: 1 Running@0; 5 InterruptThread@3 102; 6 Notify@4 900 -> 7; 9 InterruptThread@7 102 -> 11; 10 Notify@8 900
		B: 2 Running@0; 4 WaitingForObject@2 900; 7 Running@5; 8 WaitingForObject@6 900; 11 Running@9
		C: 3 Running@0`,
}, {
	name: "2a and so does the end of the joined thread",
	input: `0 threadStart A 101
		0 threadStart B 102
		0 threadStart C 103
		1 threadInterrupted B
		2 monWait B 103
		3 callInterrupt A 102
		4 threadEnd C
		5 monWaited B 103 isTimedOut=0
		6 monWait B 103
		7 callInterrupt A 102
		8 monWaited B 103 isTimedOut=0
		9 threadInterrupted B`,
	want: `A: 1 Running@0; 5 InterruptThread@3 102; 10 InterruptThread@7 102 -> 11
		B: 2 Running@0; 4 WaitingForJoin@2 103 of C; 7 Running@5; 9 WaitingForJoin@6 103 of C; 11 Running@8
		C: 3 Running@0; 6 Dead@4; 8 DeadAndNotifyJoined@5 -> 7; 12 DeadAndNotifyJoined@8`,
}, {
	name: "an interrupt after the sleep did not end it",
	input: `0 threadStart A 101
		0 threadStart B 102
		1 monWait B -1
		51 monWaited B -1
		500 callInterrupt A 102
		501 threadInterrupted B
		502 monWait B -1
		503 monWaited B -1`,
	want: `A: 1 Running@0; 5 InterruptThread@500 102
		B: 2 Running@0; 3 Sleeping@1; 4 Running@51; 6 Sleeping@502; 7 Running@503`,
}, {
	name: "a proof also replaces a timeout, which stays",
	input: `0 threadStart A 101
		0 threadStart B 102
		1 monWait B 900 timeout=1
		2 callInterrupt A 102
		3 monWaited B 900 isTimedOut=1
		4 threadInterrupted B`,
	want: `A: 1 Running@0; 4 InterruptThread@2 102 -> 6
		B: 2 Running@0; 3 WaitingForObject@1 900 1ms; 5 WaitTimeoutExceed@3 900; 6 Running@3`,
}, {
	name: "the dead are not interrupted, and their interrupts go with them",
	input: `0 threadStart A 101
		0 threadStart B 102
		1 callInterrupt A 102
		2 threadEnd B
		3 callInterrupt A 102
		4 monWait B -1
		5 monWaited B -1`,
	want: `A: 1 Running@0; 3 InterruptThread@1 102; 5 InterruptThread@3 102
		B: 2 Running@0; 4 Dead@2; 6 Sleeping@4; 7 Running@5`,
}, {
	name: "nobody notifies himself",
	input: `0 monWait A 900
		1 monWait B 900
		2 callNotify A 900
		3 callNotify A 900 isNotifyAll=1
		4 monWaited B 900 isTimedOut=0
		5 callNotify B 900
		6 monWaited A 900 isTimedOut=0`,
	want: `A: 1 WaitingForObject@0 900; 3 Notify@2 900 -> 5; 4 NotifyAll@3 900 -> []; 7 Running@6
		B: 2 WaitingForObject@1 900; 5 Running@4; 6 Notify@5 900 -> 7`,
}, {
	name: "a wait that begins when its notification is recorded",
	input: `0 threadStart A 101
		4 monWait B 900
		5 monWaited B 900 isTimedOut=0
		4 callNotify A 900
		6 monWait B 900
		7 monWaited B 900 isTimedOut=0
		5 callNotify A 900`,
	want: `A: 1 Running@0; 4 Notify@4 900 -> 3; 7 Notify@5 900
		B: 2 WaitingForObject@4 900; 3 Running@5; 5 WaitingForObject@6 900; 6 Running@7`,
}, {
	name: "a thread whose end was lost waits for nothing and blocks nobody",
	input: `0 threadStart A 101
		0 threadStart B 102
		1 monWait A 900
		2 threadStart A 103
		3 monContendedEnter A 901 threadOwner=B
		4 monContendedEnter B 902 threadOwner=A
		5 threadStart A 104
		6 callNotify A 900`,
	want: `A: 1 Running@0; 3 WaitingForObject@1 900
		B: 2 Running@0; 6 WaitingForLock@4 902 of A
		A: 4 Running@2; 5 WaitingForLock@3 901 of B
		A: 7 Running@5; 8 Notify@6 900`,
}, {
	name: "2b the end of a joined thread",
	input: `0 threadStart A 101
		1 callStart A 102
		2 monWait A 102 timeout=0
		3 threadStart B 102
		4 threadEnd B
		5 monWaited A 102 isTimedOut=0`,
	want: `A: 1 Running@0; 2 StartsThread@1 102 -> 4; 3 WaitingForJoin@2 102 0ms; 6 Running@5
		B: 4 Running@3; 5 Dead@4; 7 DeadAndNotifyJoined@5 -> 6`,
}, {
	name: "2b a threadEnd before the monWait of the join",
	input: `0 threadStart A 101
		1 threadStart B 102
		2 threadEnd B
		3 monWait A 102
		4 monWaited A 102 isTimedOut=0`,
	want: `A: 1 Running@0; 4 WaitingForJoin@3 102 of B; 5 Running@4
		B: 2 Running@1; 3 Dead@2; 6 DeadAndNotifyJoined@4 -> 5`,
}, {
	name: "2c first in, first out, whatever the order of return",
	input: `0 threadStart A 101
		1 monWait B 900
		2 monWait C 900
		3 callNotify A 900 isNotifyAll=0
		4 callNotify A 900 isNotifyAll=0
		5 monWaited C 900 isTimedOut=0
		6 monWaited B 900 isTimedOut=0
		7 callNotify A 900 isNotifyAll=0`,
	want: `A: 1 Running@0; 4 Notify@3 900 -> 7; 5 Notify@4 900 -> 6; 8 Notify@7 900
		B: 2 WaitingForObject@1 900; 7 Running@6
		C: 3 WaitingForObject@2 900; 6 Running@5`,
}, {
	name: "2c notifyAll wakes all",
	input: `0 threadStart A 101
		1 monWait B 900
		2 monWait C 900
		3 callNotify A 900 isNotifyAll=true
		5 monWaited C 900 isTimedOut=0
		6 monWaited B 900 isTimedOut=0
		7 callNotify A 900 isNotifyAll=1`,
	want: `A: 1 Running@0; 4 NotifyAll@3 900 -> [5 6]; 7 NotifyAll@7 900 -> []
		B: 2 WaitingForObject@1 900; 6 Running@6
		C: 3 WaitingForObject@2 900; 5 Running@5`,
}, {
	name: "2d an interrupt before the wait",
	input: `0 threadStart A 101
		0 threadStart B 102
		1 callInterrupt A 102
		2 monWait B 900
		3 monWaited B 900 isTimedOut=0
		4 monWait B 900
		5 monWaited B 900 isTimedOut=0`,
	want: `A: 1 Running@0; 3 InterruptThread@1 102 -> 5
		B: 2 Running@0; 4 WaitingForObject@2 900; 5 Running@3; 6 WaitingForObject@4 900; 7 Running@5`,
}, {
	name: "2e a notification whose thread had timed out",
	input: `0 threadStart A 101
		1 monWait B 900 timeout=1
		2 monWait C 900
		3 callNotify A 900 isNotifyAll=0
		4 monWaited B 900 isTimedOut=1
		5 monWaited C 900 isTimedOut=0`,
	want: `A: 1 Running@0; 4 Notify@3 900 -> 7
		B: 2 WaitingForObject@1 900 1ms; 5 WaitTimeoutExceed@4 900; 6 Running@4
		C: 3 WaitingForObject@2 900; 7 Running@5`,
}, {
	name: "2e the mark of another, who is back in the wait set",
	input: `0 threadStart A 101
		1 monWait B 900
		2 monWait C 900
		3 callNotify A 900 isNotifyAll=0
		4 monWaited C 900 isTimedOut=0
		5 callNotify A 900 isNotifyAll=0
		6 monWaited B 900 isTimedOut=0`,
	want: `A: 1 Running@0; 4 Notify@3 900 -> 5; 6 Notify@5 900 -> 7
		B: 2 WaitingForObject@1 900; 7 Running@6
		C: 3 WaitingForObject@2 900; 5 Running@4`,
}, {
	name: "2e but not a notification before the wait began",
	input: `0 threadStart A 101
		1 monWait B 900
		2 callNotify A 900 isNotifyAll=0
		3 monWait C 900
		4 monWaited C 900 isTimedOut=0`,
	want: `A: 1 Running@0; 3 Notify@2 900
		B: 2 WaitingForObject@1 900
		C: 4 WaitingForObject@3 900; 5 Running@4`,
}, {
	name: "2e without an open wait the time does not count",
	input: `0 threadStart A 101
		1 monWait B 900
		2 callNotify A 900 isNotifyAll=0
		4 monWaited C 900 isTimedOut=0`,
	want: `A: 1 Running@0; 3 Notify@2 900 -> 4
		B: 2 WaitingForObject@1 900
		C: 4 Running@4`,
}, {
	name: "2f a return that is recorded before its notification",
	input: `0 threadStart A 101
		1 monWait B 900
		5 monWaited B 900 isTimedOut=0
		4 callNotify A 900 isNotifyAll=0`,
	want: `A: 1 Running@0; 4 Notify@4 900 -> 3
		B: 2 WaitingForObject@1 900; 3 Running@5`,
}, {
	name: "2f a return before the notification is not bound to it",
	input: `0 threadStart A 101
		1 monWait B 900
		4 monWaited B 900 isTimedOut=0
		5 callNotify A 900 isNotifyAll=1`,
	want: `A: 1 Running@0; 4 NotifyAll@5 900 -> []
		B: 2 WaitingForObject@1 900; 3 Running@4`,
}, {
	name: "2f and nothing is kept for more than 2 ms",
	input: `0 threadStart A 101
		1 monWait B 900
		5 monWaited B 900 isTimedOut=0
		2006 threadStart C 103
		4 callNotify A 900 isNotifyAll=0`,
	want: `A: 1 Running@0; 5 Notify@4 900
		B: 2 WaitingForObject@1 900; 3 Running@5
		C: 4 Running@2006`,
}, {
	name: "a timeout that nobody says",
	input: `0 monWait A 900 timeout=1
		999 monWaited A 900
		1000 monWait A 900 timeout=1
		2000 monWaited A 900
		3000 monWait A -1 timeout=1
		4000 monWaited A -1
		5000 monWait A -1 timeout=1
		6000 monWaited A -1 isTimedOut=0`,
	want: `A: 1 WaitingForObject@0 900 1ms; 2 Running@999; 3 WaitingForObject@1000 900 1ms; 4 WaitTimeoutExceed@2000 900 ?; ` +
		`5 Running@2000 ?; 6 Sleeping@3000 1ms; 7 Running@4000 ?; 8 Sleeping@5000 1ms; 9 Running@6000`,
}, {
	name: "no timeout that nobody says after an interrupt, on another object, or where something else is said",
	input: `0 threadStart B 102
		0 monWait B 900 timeout=1
		1 callInterrupt A 102
		2000 monWaited B 900
		3000 monWait B 900 timeout=1
		5000 monWaited B 901
		6000 monWait B 900 timeout=1
		8000 monWaited B 900 isTimedOut=never`,
	want: `B: 1 Running@0; 2 WaitingForObject@0 900 1ms; 4 Running@2000; 5 WaitingForObject@3000 900 1ms; 6 Running@5000; ` +
		`7 WaitingForObject@6000 900 1ms; 8 Running@8000
		A: 3 InterruptThread@1 102 -> 4`,
}, {
	name: "a wait that ends on another object",
	input: `0 monWait A 900
		1 callNotify B 900
		2 monWaited A 901 isTimedOut=0
		3 callNotify B 901`,
	want: `A: 1 WaitingForObject@0 900; 3 Running@2
		B: 2 Notify@1 900; 4 Notify@3 901`,
}, {
	name: "hand-offs of a monitor",
	input: `0 threadStart A 101
		0 threadStart B 102
		1 monContendedEnter B 900 threadOwner=A
		2 monContendedEnter C 900
		3 monContendedEntered B 900
		4 threadEnd B
		5 monContendedEntered C 900
		6 monContendedEnter A 900 threadOwner=0
		7 monContendedEntered A 900
		8 monContendedEnter B 900 threadOwner=B
		9 monContendedEnter C 900`,
	want: `A: 1 Running@0; 6 HandoffLock@3 900 to B -> 5; 10 WaitingForLock@6 900; 11 Running@7
		B: 2 Running@0; 3 WaitingForLock@1 900 of A; 5 Running@3; 7 Dead@4; 9 HandoffLock@5 900 to C -> 8 ?; 12 WaitingForLock@8 900
		C: 4 WaitingForLock@2 900 of A ?; 8 Running@5; 13 WaitingForLock@9 900`,
}, {
	name: "a hand-off is inferred where the wait for this monitor was",
	input: `0 monContendedEntered A 900
		0 monContendedEntered C 901
		1 monContendedEnter B 900
		2 monContendedEntered B 901`,
	want: `A: 1 Running@0
		C: 2 Running@0; 5 HandoffLock@2 901 to B -> 4
		B: 3 WaitingForLock@1 900 of A ?; 4 Running@2`,
}, {
	name: "a wait hands its monitor on",
	input: `0 monContendedEnter B 900
		1 monWait A 900
		2 monContendedEntered B 900
		3 monWait B 900
		4 monContendedEnter C 900
		5 monContendedEntered C 900`,
	want: `B: 1 WaitingForLock@0 900; 3 Running@2; 5 WaitingForObject@3 900
		A: 2 WaitingForObject@1 900; 4 HandoffLock@2 900 to B -> 3
		C: 6 WaitingForLock@4 900; 7 Running@5`,
}, {
	name: "a threadStart that is recorded before its callStart",
	input: `0 threadStart A 101
		3 threadStart B 102
		2 callStart A 102
		4 callStart A 102
		5 callStart A 103
		6 callStart A 103
		7 threadStart C 103`,
	want: `A: 1 Running@0; 3 StartsThread@2 102 -> 2; 4 StartsThread@4 102; 5 StartsThread@5 103 -> 7; 6 StartsThread@6 103
		B: 2 Running@3
		C: 7 Running@7`,
}, {
	name: "proof of an interrupt takes the Running from its notification",
	input: `0 threadStart A 101
		0 threadStart B 102
		1 monWait B 900
		2 callNotify A 900
		3 callInterrupt A 102
		4 monWait C 900
		5 monWaited B 900 isTimedOut=0
		6 threadInterrupted B
		7 monWaited C 900 isTimedOut=0`,
	want: `A: 1 Running@0; 4 Notify@2 900; 5 InterruptThread@3 102 -> 7
		B: 2 Running@0; 3 WaitingForObject@1 900; 7 Running@5
		C: 6 WaitingForObject@4 900; 8 Running@7`,
}, {
	name: "… so that another can have it",
	input: `0 threadStart A 101
		0 threadStart B 102
		1 monWait B 900
		1 monWait C 900
		2 callNotify A 900
		3 callInterrupt A 102
		5 monWaited B 900 isTimedOut=0
		6 threadInterrupted B
		7 monWaited C 900 isTimedOut=0`,
	want: `A: 1 Running@0; 5 Notify@2 900 -> 8; 6 InterruptThread@3 102 -> 7
		B: 2 Running@0; 3 WaitingForObject@1 900; 7 Running@5
		C: 4 WaitingForObject@1 900; 8 Running@7`,
}, {
	name: "… and from its notifyAll",
	input: `0 threadStart A 101
		0 threadStart B 102
		1 monWait B 900
		1 monWait C 900
		2 callNotify A 900 isNotifyAll=1
		3 callInterrupt A 102
		5 monWaited B 900 isTimedOut=0
		6 monWaited C 900 isTimedOut=0
		7 threadInterrupted B`,
	want: `A: 1 Running@0; 5 NotifyAll@2 900 -> [8]; 6 InterruptThread@3 102 -> 7
		B: 2 Running@0; 3 WaitingForObject@1 900; 7 Running@5
		C: 4 WaitingForObject@1 900; 8 Running@6`,
}, {
	name: "proof of an interrupt ends a sleep by itself",
	input: `0 threadStart A 101
		0 threadStart B 102
		1 monWait B -1
		2 callInterrupt A 102
		3 threadInterrupted B
		4 threadInterrupted B`,
	want: `A: 1 Running@0; 4 InterruptThread@2 102 -> 5
		B: 2 Running@0; 3 Sleeping@1; 5 Running@3`,
}, {
	name: "a nameless incarnation is adopted, a started or dead one is not",
	input: `0 monWait A 900
		1 threadStart A 101
		2 threadStart A 102
		3 threadEnd B
		4 threadStart B 103
		5 threadEnd B
		6 threadEnd B
		7 monWait B 900`,
	want: `A: 1 WaitingForObject@0 900; 2 Running@1
		A: 3 Running@2
		B: 4 Dead@3
		B: 5 Running@4; 6 Dead@5; 7 WaitingForObject@7 900`,
}, {
	name: "a deadlock is told from the latest enter on",
	input: `0 threadStart A 101
		0 threadStart B 102
		0 threadStart C 103
		2 monContendedEnter A 901 threadOwner=B
		4 monContendedEnter B 902 threadOwner=C
		3 monContendedEnter C 903 threadOwner=A
		5 monContendedEnter D 901
		6 callNotify B 900`,
	want: `A: 1 Running@0; 4 WaitingForLock@2 901 of B; 11 DeadLock@4 901 of B
		B: 2 Running@0; 5 WaitingForLock@4 902 of C; 8 Notify@6 900; 9 DeadLock@4 902 of C
		C: 3 Running@0; 6 WaitingForLock@3 903 of A; 10 DeadLock@4 903 of A
		D: 7 WaitingForLock@5 901 of B ?
		deadlock@4: B C A`,
}, {
	name: "deadlocks in the order they closed, and none that has opened again",
	input: `0 threadStart A 101
		0 threadStart B 102
		0 threadStart C 103
		0 threadStart D 104
		0 threadStart E 105
		0 threadStart F 106
		1 monContendedEnter C 903 threadOwner=D
		2 monContendedEnter A 901 threadOwner=B
		3 monContendedEnter B 902 threadOwner=A
		4 monContendedEnter D 904 threadOwner=C
		5 monContendedEnter E 905 threadOwner=F
		6 monContendedEnter F 906 threadOwner=E
		7 monContendedEntered E 905`,
	want: `A: 1 Running@0; 8 WaitingForLock@2 901 of B; 16 DeadLock@3 901 of B
		B: 2 Running@0; 9 WaitingForLock@3 902 of A; 15 DeadLock@3 902 of A
		C: 3 Running@0; 7 WaitingForLock@1 903 of D; 18 DeadLock@4 903 of D
		D: 4 Running@0; 10 WaitingForLock@4 904 of C; 17 DeadLock@4 904 of C
		E: 5 Running@0; 11 WaitingForLock@5 905 of F; 13 Running@7
		F: 6 Running@0; 12 WaitingForLock@6 906 of E; 14 HandoffLock@7 905 to E -> 13
		deadlock@3: B A
		deadlock@4: D C`,
}, {
	name: "objects move, and ids are used again",
	input: `0 threadStart A 101
		1 monWait B 900
		2 objMove - 900 newObjId=950
		3 callNotify A 950
		4 objMove - 950 newObjId=960
		5 monWaited B 960 isTimedOut=0
		6 monContendedEnter C 960
		7 objFree - 960
		8 monContendedEnter D 960
		9 objAlloc - 101
		10 monWait D 101`,
	want: `A: 1 Running@0; 3 Notify@3 950 -> 4
		B: 2 WaitingForObject@1 900; 4 Running@5
		C: 5 WaitingForLock@6 960 of B ?
		D: 6 WaitingForLock@8 960; 7 WaitingForObject@10 101`,
}, {
	name: "what is unreadable is skipped, what has no object learns nothing",
	input: `0 threadStart A 0
		soon threadStart B 102
		1 threadEnd ""
		2 monWait A 0 timeout=-1
		3 monWaited A 0 isTimedOut=0
		4 monContendedEnter A 0 threadOwner=A
		5 monContendedEntered A 0
		6 callNotify A 0
		7 callInterrupt A 0
		8 callStart A 0`,
	want: `A: 1 Running@0; 2 WaitingForObject@2; 3 Running@3; 4 WaitingForLock@4; 5 Running@5; 6 Notify@6; 7 InterruptThread@7; 8 StartsThread@8`,
}, {
	name: `two threads that wait for the initialisation of each other's class are a deadlock without DeadLock events`,
	input: `0 threadStart A 500
		1 threadStart B 501
		2 monWait A 900 +init=B +sampled=1
		3 callNotify B 900
		4 monWait B 901 +init=A`,
	want: `A: 1 Running@0; 3 WaitingForObject@2 900 init B key 2
		B: 2 Running@1; 4 Notify@3 900; 5 WaitingForObject@4 901 init A key 1
		deadlock@4: B A`,
}, {
	name: `a wait for a class and a lock wait are one, too; the end of a wait for a class is bound to nothing, not even
		to a notification that names the thread, and one whose initialiser is unknown is none of a deadlock`,
	input: `0 threadStart A 500
		1 threadStart B 501
		2 monWait A 900 +init=B +park=wait +io=read
		3 callNotify B 900 +wakes=A +park=wait
		4 monWaited A 900
		5 monWait A 901 +init=
		6 monWaited A 901
		7 monWait A 900 +init=B
		8 monContendedEnter B 902 threadOwner=A
		9 monWait C 900 +init=0
		10 monWait D 900 +init=D`,
	want: `A: 1 Running@0; 3 WaitingForObject@2 900 init B key 2; 5 Running@4; 6 WaitingForObject@5 901; 7 Running@6; 8 WaitingForObject@7 900 init B key 2
		B: 2 Running@1; 4 Notify@3 900; 9 WaitingForLock@8 902 of A
		C: 10 WaitingForObject@9 900 init 0
		D: 11 WaitingForObject@10 900 init D key 4
		deadlock@8: B A`,
}, {
	name: `a thread whose wait for a class has ended unseen is in no deadlock`,
	input: `0 threadStart A 500
		1 threadStart B 501
		2 monWait A 900 +init=B
		3 monWait B 901 +init=A
		4 monContendedEnter A 902
		5 monContendedEntered A 902`,
	want: `A: 1 Running@0; 3 WaitingForObject@2 900 init B key 2; 5 WaitingForLock@4 902; 6 Running@5
		B: 2 Running@1; 4 WaitingForObject@3 901 init A key 1`,
}}

// compile turns the lines of a case into a document.
func compile(input string) []byte {
	var records []record
	for line := range strings.Lines(input) {
		fields := strings.Fields(line)
		at, err := strconv.ParseInt(fields[0], 10, 64)
		r := newRecord(fields[1], fields[2], traceBegin+at*1000, "threadIdRef", strings.Trim(fields[2], `"`), "time",
			timeMark)
		if err != nil {
			r.set("time", fields[0])
		}
		if len(fields) > 3 {
			r.set(objectAttribute(fields[1]), fields[3])
			for _, field := range fields[4:] {
				name, value, _ := strings.Cut(field, "=")
				if note, ok := strings.CutPrefix(name, "+"); ok {
					r.inside = append(r.inside, annotation(note, strings.ReplaceAll(value, ",", " ")))
					continue
				}
				r.set(name, value)
			}
		}
		records = append(records, r)
	}
	return document(records, true)
}

func objectAttribute(element string) string {
	if element == "objAlloc" {
		return "objId"
	}
	return "objIdRef"
}

// show writes the threads of a model, a line each, and its deadlocks. An event
// is "number type@microseconds", then the object, the timeout, "of" the owner
// or joined thread, "to" the receiver, "->" what it is bound to, and "?" if it
// is inferred.
func show(doc *Doc) string {
	var lines []string
	for _, thread := range doc.Threads {
		var events []string
		for _, event := range thread.Events {
			events = append(events, showEvent(event))
		}
		lines = append(lines, thread.ThreadID+": "+strings.Join(events, "; "))
	}
	for _, deadlock := range doc.Deadlocks {
		lines = append(lines, fmt.Sprintf("deadlock@%d: %s", deadlock.Time/1000, strings.Join(deadlock.ThreadIDs, " ")))
	}
	return strings.Join(lines, "\n")
}

func showEvent(e *Event) string {
	words := []string{strconv.Itoa(e.ID),
		fmt.Sprintf("%s@%d", strings.TrimSuffix(strings.TrimPrefix(e.Type, "TRCThread"), "Event"), e.Time/1000)}
	add := func(format string, value any) {
		if value != "" && value != 0 {
			words = append(words, fmt.Sprintf(format, value))
		}
	}
	add("%s", e.ObjectRef+e.LockedObject+e.StartedThread+e.InterruptedThread)
	if e.Timeout != nil {
		words = append(words, fmt.Sprintf("%dms", *e.Timeout))
	}
	add("of %s", e.LockedThread+e.JoinedThread)
	add("to %s", e.ReceiverThread)
	add("-> %d", e.RunningEvent)
	if e.RunningEvents != nil {
		words = append(words, fmt.Sprintf("-> %d", e.RunningEvents))
	}
	if e.Park {
		words = append(words, "park")
	}
	add("%s", e.IO)
	add("init %s", e.Init)
	add("key %v", e.InitKey)
	if e.Inferred {
		words = append(words, "?")
	}
	return strings.Join(words, " ")
}

func trimLines(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}

func TestTraceInfo(t *testing.T) {
	document := `<?xml version="1.0"?>
<TRACE>
<classDef name="a/B" classId="7" time="later"/>
<threadStart threadId="1" time="12.000000003" threadName="main" groupName="g" parentName="p" objIdRef="101"><annotation/></threadStart>
<objAlloc objId="900" classIdRef="7"/>
<monWait threadIdRef="1" time="13.5" objIdRef="900"/>
<threadEnd threadIdRef="1" time="1`
	doc, err := Model([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	info := doc.Trace
	if info.StartTime != "12.000000003" || info.Duration != 1_499_999_997 || info.Events != 2 || !info.Truncated {
		t.Errorf("got %+v", info)
	}
	if info.Counts["annotation"] != 1 || info.Counts["TRACE"] != 0 || info.Counts["threadEnd"] != 0 {
		t.Errorf("counts %v", info.Counts)
	}
	if thread := doc.Threads[0]; thread.Name != "main" || thread.Group != "g" || thread.Parent != "p" ||
		thread.ObjectID != "101" {
		t.Errorf("thread %+v", thread)
	}
	if want := []Object{{ObjectID: "900", Class: "a/B"}}; !slices.Equal(doc.Objects, want) {
		t.Errorf("objects %v, want %v", doc.Objects, want)
	}
}

func TestMalformedDocument(t *testing.T) {
	for _, document := range []string{"<TRACE></node>", "<TRACE><a b=c/>", "<TRACE>&unknown;"} {
		if _, err := Model([]byte(document)); err == nil {
			t.Errorf("%s: no error", document)
		}
	}
}
