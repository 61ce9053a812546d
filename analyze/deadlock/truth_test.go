package deadlock_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/internal/testtool"
)

// simulation is a trace of threads that take monitors in any order, and what really happened.
type simulation struct {
	document string
	fair     bool               // threads that wait for a monitor get it before passing ones
	held     map[[3]string]bool // thread, monitor that it held, monitor on which it was blocked
	blocked  map[string]string  // at the end: the owner of the monitor it is blocked on
}

// jvm runs them. A release posts nothing, as in a JVM; a thread that has been let in posts that some time later; and
// passing threads may take a monitor before those that wait for it.
type jvm struct {
	simulation
	rand    *rand.Rand
	at      int
	out     strings.Builder
	owner   map[string]string
	threads []*javaThread
}

type javaThread struct {
	id    string
	held  []string
	wants string
	letIn bool // and has not posted that
}

func simulate(seed uint64, steps int) *simulation {
	vm := &jvm{rand: rand.New(rand.NewPCG(seed, 7)), owner: map[string]string{}}
	vm.fair = seed%4 < 2
	vm.simulation.held, vm.blocked = map[[3]string]bool{}, map[string]string{}
	vm.out.WriteString("<TRACE>\n")
	for i := range 2 + vm.rand.IntN(6) {
		t := &javaThread{id: strconv.Itoa(i + 1)}
		vm.threads = append(vm.threads, t)
		vm.post(`<threadStart threadId="%s" time="%s" threadName="t" groupName="" parentName="" objIdRef="9%s"/>`, t.id,
			vm.time(), t.id)
	}
	monitors := 2 + vm.rand.IntN(4)
	for range steps {
		vm.step(vm.threads[vm.rand.IntN(len(vm.threads))], monitors)
	}
	for range 4 * len(vm.threads) { // else a trace could end in apparent deadlocks of threads that can go on
		for _, t := range vm.threads {
			if t.letIn || t.wants != "" {
				vm.step(t, monitors)
			} else {
				vm.letGo(t)
			}
		}
	}
	for _, t := range vm.threads {
		if t.wants != "" && !t.letIn {
			vm.blocked[t.id] = vm.owner[t.wants]
		}
	}
	vm.document = vm.out.String() + "</TRACE>\n"
	return &vm.simulation
}

func (vm *jvm) time() string {
	vm.at++
	return fmt.Sprintf("1000.%06d", vm.at)
}

func (vm *jvm) post(format string, arguments ...any) { fmt.Fprintf(&vm.out, format+"\n", arguments...) }

func (vm *jvm) step(t *javaThread, monitors int) {
	switch {
	case t.letIn:
		vm.post(`<monContendedEntered threadIdRef="%s" time="%s" objIdRef="%s"/>`, t.id, vm.time(), t.wants)
		t.held, t.wants, t.letIn = append(t.held, t.wants), "", false
	case t.wants != "" && vm.owner[t.wants] == "":
		vm.owner[t.wants], t.letIn = t.id, true
	case t.wants != "":
	case len(t.held) > 0 && vm.rand.IntN(2) == 0:
		last := len(t.held) - 1
		vm.release(t.held[last])
		t.held = t.held[:last]
	case len(t.held) > 0 && vm.rand.IntN(8) == 0:
		vm.post(`<callNotify threadId="%s" time="%s" objIdRef="%s" isNotifyAll="0"/>`, t.id, vm.time(), t.held[0])
	default:
		vm.enter(t, strconv.Itoa(10+vm.rand.IntN(monitors)))
	}
}

// letGo releases all monitors.
func (vm *jvm) letGo(t *javaThread) {
	for _, m := range t.held {
		vm.release(m)
	}
	t.held = nil
}

// release lets the first thread that comes take the monitor; in a fair JVM, one of those that wait for it.
func (vm *jvm) release(m string) {
	vm.owner[m] = ""
	for _, t := range vm.threads {
		if vm.fair && t.wants == m && vm.owner[m] == "" {
			vm.owner[m], t.letIn = t.id, true
		}
	}
}

func (vm *jvm) enter(t *javaThread, m string) {
	switch owner := vm.owner[m]; {
	case slices.Contains(t.held, m):
	case owner != "" && vm.closes(t.id, owner) && vm.rand.IntN(8) > 0: // else all threads would soon be deadlocked
	case owner == "":
		vm.owner[m] = t.id
		t.held = append(t.held, m)
	default:
		t.wants = m
		for _, held := range t.held {
			vm.simulation.held[[3]string{t.id, held, m}] = true
		}
		vm.post(`<monContendedEnter threadIdRef="%s" time="%s" objIdRef="%s" threadOwner="%s"/>`, t.id, vm.time(), m,
			owner)
	}
}

// closes reports whether a thread would close a cycle if it were blocked by the owner.
func (vm *jvm) closes(thread, owner string) bool {
	for range vm.threads { // at most, as there may be a loop without the thread
		if owner == "" || owner == thread {
			break
		}
		i := slices.IndexFunc(vm.threads, func(t *javaThread) bool { return t.id == owner })
		if owner = ""; !vm.threads[i].letIn {
			owner = vm.owner[vm.threads[i].wants]
		}
	}
	return owner == thread
}

// TestSeenIsTrue: what a report calls seen has happened, and what it calls deadlocked or stuck at the end is.
func TestSeenIsTrue(t *testing.T) {
	seen, wrong, deadlocks, stuck := 0, 0, 0, 0
	for seed := range testtool.Times(uint64(2000)) {
		s := simulate(seed, 60+int(seed%5)*60)
		report := found(t, s.document)
		for _, i := range report.Inversions {
			for _, o := range i.Orders {
				held := s.held[[3]string{o.Example.Thread.ID.String(), o.Held.ID.String(),
					o.Example.Monitor.ID.String()}]
				switch {
				case o.Evidence == deadlock.Supposed && !held:
					wrong++
				case o.Evidence == deadlock.Seen && !held:
					t.Fatalf("seed %d: %+v did not happen in\n%s", seed, o, s.document)
				case o.Evidence == deadlock.Seen:
					seen++
				}
			}
		}
		if !s.fair { // the trace lacks passing threads, so it does not show who is deadlocked
			continue
		}
		members, want := s.deadlocked()
		gotMembers, gotStuck := slices.Concat(membersOf(report)...), []string(nil)
		for _, d := range report.Deadlocks {
			for _, b := range d.Stuck {
				gotStuck = append(gotStuck, b.Thread.ID.String())
			}
		}
		slices.Sort(gotMembers)
		slices.Sort(gotStuck)
		if !slices.Equal(members, gotMembers) {
			t.Fatalf("seed %d: %v are deadlocked, not %v, in\n%s", seed, members, gotMembers, s.document)
		}
		if !slices.Equal(want, gotStuck) {
			t.Fatalf("seed %d: %v are stuck, not %v, in\n%s", seed, want, gotStuck, s.document)
		}
		deadlocks, stuck = deadlocks+len(report.Deadlocks), stuck+len(want)
	}
	if seen < testtool.Times(1000) || min(wrong, deadlocks, stuck) < testtool.Times(100) {
		t.Errorf("%d seen, %d wrongly supposed, %d deadlocks with %d stuck threads prove little", seen, wrong,
			deadlocks, stuck)
	}
}

// deadlocked lists the threads of loops, and the threads that wait for them.
func (s *simulation) deadlocked() (members, stuck []string) {
	for t := range s.blocked {
		at, steps := s.blocked[t], 0
		for ; at != t && at != "" && steps < 20; steps++ {
			at = s.blocked[at]
		}
		switch {
		case at == t:
			members = append(members, t)
		case at != "":
			stuck = append(stuck, t)
		}
	}
	slices.Sort(members)
	slices.Sort(stuck)
	return members, stuck
}
