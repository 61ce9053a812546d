package threadstate

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// The names of the constants, for the table and for messages.
var stateNames = [states]string{"Runnable", "Returned", "Blocked", "Waiting", "MaybeBlocked", "MaybeWaiting"}

func (s State) String() string { return stateNames[s] }

var inputNames = [inputs]string{"Enter", "Entered", "Wait", "Waited", "Act", "Interrupted"}

func (in Input) String() string { return inputNames[in] }

var fitNames = [...]string{"OK", "Twice", "OtherObject", "NoStart", "Suspended"}

func (f Fit) String() string { return fitNames[f] }

// table has the steps for people: a line for each state, a column for each input. In "a/b", a is the step of an event
// on the thread's own object or an unknown one, b the step of an event on another object.
const table = `
state         Enter                   Entered                           Wait                    Waited                             Act                     Interrupted
Runnable      Blocked                 Runnable:NoStart                  Waiting                 Returned:NoStart                   Runnable                Runnable
Returned      Blocked                 Runnable/Returned:NoStart         Waiting                 Returned:NoStart                   Runnable                Returned
Blocked       MaybeBlocked:Twice      Runnable/MaybeBlocked:OtherObject MaybeWaiting:Suspended  MaybeBlocked:NoStart               MaybeBlocked:Suspended  MaybeBlocked
Waiting       MaybeBlocked:Suspended  MaybeWaiting:NoStart              MaybeWaiting:Twice      Returned/MaybeWaiting:OtherObject  MaybeWaiting:Suspended  MaybeWaiting
MaybeBlocked  Blocked                 Runnable                          Waiting                 Returned                           MaybeBlocked            MaybeBlocked
MaybeWaiting  Blocked                 Runnable                          Waiting                 Returned                           MaybeWaiting            MaybeWaiting
`

// TestTable compares the table of steps with the one for people, line by line.
func TestTable(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if len(lines) != int(states)+1 {
		t.Fatalf("%d lines for %d states", len(lines)-1, states)
	}
	columns := strings.Fields(lines[0])[1:]
	for state := range states {
		fields := strings.Fields(lines[state+1])
		t.Run(state.String(), func(t *testing.T) {
			if fields[0] != state.String() || len(fields) != int(inputs)+1 {
				t.Fatalf("line %q", fields)
			}
			for in := range inputs {
				if columns[in] != in.String() {
					t.Fatalf("column %q is that of %v", columns[in], in)
				}
				thread := Thread{State: state}
				got := describe(thread.Next(in, true))
				if other := describe(thread.Next(in, false)); other != got {
					got += "/" + other
				}
				if want := fields[in+1]; got != want {
					t.Errorf("%v: got %s, want %s", in, got, want)
				}
			}
		})
	}
}

func describe(s Step) string {
	if s.Fit == OK {
		return s.State.String()
	}
	return s.State.String() + ":" + s.Fit.String()
}

// TestDoubted proves that Doubted makes a suspended state uncertain and leaves the others.
func TestDoubted(t *testing.T) {
	for state := range states {
		doubted := state.Doubted()
		if doubted.Suspended() || doubted.Doubted() != doubted || !state.Suspended() && doubted != state {
			t.Errorf("%v becomes %v", state, doubted)
		}
	}
}

// TestLives proves that everything that a JVM's thread can do fits, however long it lives.
func TestLives(t *testing.T) {
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 1))
		var thread Thread
		step := func(in Input, object Key) {
			t.Helper()
			same := thread.Object == object
			next := thread.Next(in, same)
			if next.Fit != OK {
				t.Fatalf("seed %d: %v in %v: %v", seed, in, thread.State, next.Fit)
			}
			thread.Apply(in, next, object)
		}
		for range 1000 {
			monitor := Key(1 + random.IntN(3))
			switch random.IntN(4) {
			case 0:
				step(Act, None)
			case 1: // a contended enter
				step(Enter, monitor)
				step(Entered, monitor)
			case 2: // Object.wait; a virtual thread posts no Enter after it
				step(Wait, monitor)
				step(Waited, monitor)
				if random.IntN(2) == 0 {
					step(Entered, monitor)
				}
			case 3: // an interrupted sleep
				step(Wait, Sleep)
				if step(Interrupted, None); random.IntN(2) == 0 {
					step(Waited, Sleep)
				}
			}
		}
	}
}

// FuzzThread proves for any events: a Maybe state never causes a misfit, only its own Enter or Wait leaves a thread
// certainly suspended after a misfit, and the object is from the last event that began or ended a block or wait.
func FuzzThread(f *testing.F) {
	f.Add([]byte{0x00, 0x11, 0x02, 0x13, 0x01, 0x20, 0x30, 0x25})
	f.Fuzz(func(t *testing.T, script []byte) {
		var thread Thread
		for _, b := range script {
			in, object := Input(b&0xF)%inputs, Key(b>>4)
			before := thread
			step := thread.Next(in, object == thread.Object || object == None || thread.Object == None)
			if thread != before {
				t.Fatal("Next has changed the thread")
			}
			maybe := before.State == MaybeBlocked || before.State == MaybeWaiting
			if maybe && step.Fit != OK {
				t.Fatalf("%v in %v: %v", in, before.State, step.Fit)
			}
			if step.Fit != OK && step.State.Suspended() {
				t.Fatalf("%v in %v: %v, and still %v", in, before.State, step.Fit, step.State)
			}
			if step.State == Blocked && in != Enter || step.State == Waiting && in != Wait {
				t.Fatalf("%v leads to %v", in, step.State)
			}
			replaced := thread.Apply(in, step, object)
			if want := map[bool]Key{true: object, false: before.Object}[replaced]; thread.Object != want {
				t.Fatalf("%v: the object is %d, want %d", in, thread.Object, want)
			}
		}
	})
}
