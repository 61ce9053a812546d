package deadlock_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
)

var (
	annotations = regexp.MustCompile(`<annotation [^>]*/>`)
	changedIDs  = regexp.MustCompile(`<obj(Free|Move|Alloc|Def) `)
)

// TestAgainstBruteForce compares the report with a naive reading of the oracle's model, on traces whose ids stay the
// same.
func TestAgainstBruteForce(t *testing.T) {
	compared, inversions, loops := 0, map[deadlock.Evidence]int{}, 0
	for seed := range testtool.Times(uint64(150)) {
		document := simulate(seed, 400).document
		if seed%2 == 0 {
			// as its stacks are random, not a program's
			document = annotations.ReplaceAllString(string(enrichtest.Simulate(seed, 300).XML), "")
		}
		if changedIDs.MatchString(document) {
			continue
		}
		doc, err := enrichtest.Model([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		report := found(t, document)
		want, got := newNaive(doc).inversions(), []string{}
		for _, i := range report.Inversions {
			inversions[i.Evidence]++
			got = append(got, i.Evidence.String()+" "+turned(heldIn(i)))
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %q, want %q", seed, got, want)
		}
		if deadlocks := membersOf(report); !slices.EqualFunc(deadlocks, doc.Deadlocks,
			func(a []string, b enrichtest.Deadlock) bool { return slices.Equal(a, b.ThreadIDs) }) {
			t.Fatalf("seed %d: deadlocks %v, want %v", seed, deadlocks, doc.Deadlocks)
		}
		loops += len(report.Deadlocks)
		compared++
	}
	if compared < testtool.Times(80) || inversions[deadlock.Supposed] < testtool.Times(100) ||
		min(inversions[deadlock.Seen], loops) < testtool.Times(20) {
		t.Errorf("%d traces with %v inversions and %d deadlocks prove little", compared, inversions, loops)
	}
}

// heldIn lists the monitors of an inversion.
func heldIn(i deadlock.Inversion) (held []string) {
	for _, o := range i.Orders {
		held = append(held, o.Held.ID.String())
	}
	return held
}

// membersOf lists the threads of the deadlocks.
func membersOf(r *deadlock.Report) (deadlocks [][]string) {
	for _, d := range r.Deadlocks {
		var ids []string
		for _, b := range d.Members {
			ids = append(ids, b.Thread.ID.String())
		}
		deadlocks = append(deadlocks, ids)
	}
	return deadlocks
}

// turned is a cycle of names, beginning with the least one.
func turned(names []string) string {
	least := slices.Index(names, slices.Min(names))
	return strings.Join(slices.Concat(names[least:], names[:least]), " ")
}

// happening is a model event of a thread.
type happening struct {
	*enrichtest.Event
	thread int
}

// naive reads the model anew for each question.
type naive struct {
	doc    *enrichtest.Doc
	events []happening
	owners map[string][]statement // by object, the statements about its owner
}

// statement is an event's statement about an object: it has another owner from now on, or still the same one.
type statement struct {
	event, owner int
	explicit     bool // the JVM said it
}

func newNaive(doc *enrichtest.Doc) *naive {
	n := &naive{doc: doc, owners: map[string][]statement{}}
	for _, t := range doc.Threads {
		for _, e := range t.Events {
			n.events = append(n.events, happening{e, t.Key})
			n.owners[e.LockedObject], n.owners[e.ObjectRef] = nil, nil
		}
	}
	delete(n.owners, "")
	slices.SortFunc(n.events, func(a, b happening) int { return cmp.Compare(a.ID, b.ID) })
	for object := range n.owners {
		n.owners[object] = n.statements(object)
	}
	return n
}

// statements lists what the events say about the owner of the object.
func (n *naive) statements(object string) []statement {
	var list []statement
	owner := 0
	dead, state := map[int]bool{}, map[int]*enrichtest.Event{}
	for _, e := range n.events {
		before := state[e.thread]
		if before == nil {
			before = &enrichtest.Event{}
		}
		now, explicit := n.says(e, before, dead, object, owner)
		if now != owner || explicit {
			list = append(list, statement{e.ID, now, explicit})
		}
		owner = now
		dead[e.thread] = e.Type == enrichtest.Dead || dead[e.thread] && e.Type != enrichtest.WaitingForLock
		if e.IsState() && e.Type != enrichtest.DeadLock {
			state[e.thread] = e.Event
		}
	}
	return list
}

// says returns the owner of the object from the event on, as far as the event shows it.
func (n *naive) says(e happening, before *enrichtest.Event, dead map[int]bool, object string, owner int) (now int,
	explicit bool) {
	switch {
	case e.Type == enrichtest.Dead && owner == e.thread:
		return 0, false
	case dead[e.thread] && e.Type != enrichtest.WaitingForLock && e.Type != enrichtest.HandoffLock:
		return owner, false
	case e.Type == enrichtest.WaitingForLock && e.LockedObject == object:
		if dead[e.LockedThreadKey] {
			return 0, false
		}
		return e.LockedThreadKey, !e.Inferred
	case e.Type == enrichtest.DeadLock && e.LockedObject == object:
		return e.LockedThreadKey, false
	case e.Type == enrichtest.HandoffLock && e.LockedObject == object && !dead[e.ReceiverThreadKey]:
		return e.ReceiverThreadKey, false
	case (e.Type == enrichtest.WaitingForObject || e.Type == enrichtest.WaitingForJoin) && e.ObjectRef == object:
		return 0, false
	case (e.Type == enrichtest.Notify || e.Type == enrichtest.NotifyAll) && e.ObjectRef == object &&
		before.Type != enrichtest.WaitingForLock:
		return e.thread, false
	case e.Type == enrichtest.Running && before.Type == enrichtest.WaitingForLock && before.LockedObject == object:
		return e.thread, false
	case e.Type == enrichtest.Running && (before.Type == enrichtest.WaitingForObject ||
		before.Type == enrichtest.WaitingForJoin) &&
		before.ObjectRef == object && (owner == 0 || n.doc.Reacquired[e.ID] != 0):
		return e.thread, false
	}
	return owner, false
}

// held reports whether the thread holds the object from one event up to another, and whether that was seen.
func (n *naive) held(thread int, object string, from, to int) (held, seen bool) {
	owner, since := 0, 0
	for _, s := range n.owners[object] {
		if s.event >= to {
			break
		}
		if s.owner != owner {
			owner, since, seen = s.owner, s.event, false
		}
		seen = seen || s.explicit && owner == thread && s.event > from
	}
	return owner == thread && (since < from || seen), seen
}

// evidence of an order, by its threads.
type edge map[int]deadlock.Evidence

// inversions lists the cycles of orders, and the evidence of each.
func (n *naive) inversions() []string {
	edges := map[[2]string]edge{}
	var wanted []string // by deadlocked threads, one after the other
	for _, e := range n.events {
		if e.Type == enrichtest.WaitingForLock && e.LockedObject != "" {
			n.addOrders(edges, e)
		}
		if e.Type == enrichtest.DeadLock {
			wanted = append(wanted, e.LockedObject)
		}
	}
	var loops []string
	for _, d := range n.doc.Deadlocks {
		loops = append(loops, turned(wanted[:len(d.ThreadIDs)]))
		wanted = wanted[len(d.ThreadIDs):]
	}
	result := []string{}
	for a := range edges {
		n.extend(edges, []string{a[0], a[1]}, loops, &result)
	}
	slices.Sort(result)
	return slices.Compact(result)
}

// addOrders adds what the thread held during its attempt to enter a monitor.
func (n *naive) addOrders(edges map[[2]string]edge, e happening) {
	until := 1 << 30
	for _, o := range n.events {
		if o.ID > e.ID && o.thread == e.thread && o.IsState() && o.Type != enrichtest.DeadLock {
			until = o.ID
			break
		}
	}
	for object := range n.owners {
		if object == e.LockedObject {
			continue
		}
		held, seen := n.held(e.thread, object, e.ID, until)
		if !held {
			continue
		}
		p := [2]string{object, e.LockedObject}
		if edges[p] == nil {
			edges[p] = edge{}
		}
		if _, known := edges[p][e.thread]; seen || !known {
			edges[p][e.thread] = deadlock.Supposed
		}
		if seen {
			edges[p][e.thread] = deadlock.Seen
		}
	}
}

// extend follows the orders from the last of the monitors, and notes the cycles that come back to the first.
func (n *naive) extend(edges map[[2]string]edge, path, loops []string, result *[]string) {
	last := path[len(path)-1]
	if last == path[0] {
		cycle := path[:len(path)-1]
		name := turned(cycle)
		if slices.Contains(loops, name) {
			return
		}
		for _, evidence := range []deadlock.Evidence{deadlock.Seen, deadlock.Supposed} {
			if assignable(edges, path, evidence, nil) {
				*result = append(*result, fmt.Sprintf("%s %s", evidence, name))
				return
			}
		}
		return
	}
	if len(path) > 8 {
		return
	}
	for p := range edges {
		if p[0] == last && (p[1] == path[0] || !slices.Contains(path, p[1])) {
			n.extend(edges, append(path[:len(path):len(path)], p[1]), loops, result)
		}
	}
}

// assignable reports whether the orders along the path can be of different threads, with the evidence.
func assignable(edges map[[2]string]edge, path []string, evidence deadlock.Evidence, used []int) bool {
	if len(path) < 2 {
		return true
	}
	for thread, its := range edges[[2]string{path[0], path[1]}] {
		if its <= evidence && !slices.Contains(used, thread) &&
			assignable(edges, path[1:], evidence, append(used[:len(used):len(used)], thread)) {
			return true
		}
	}
	return false
}
