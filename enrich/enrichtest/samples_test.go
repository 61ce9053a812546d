package enrichtest

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// samples is the folder of recorded scenes, each with the program's own log; record.sh in it records them anew.
const samples = "testdata"

// A sample is the model of a recorded program and the program's own log.
type sample struct {
	doc    *Doc
	log    []logEntry
	events map[int]*Event
	owner  map[int]*Thread // of the event of an id
}

// logEntry is a line of the program's log.
type logEntry struct {
	at     int64
	fields map[string]string // thread, op, obj, …
}

// eachSample runs a test on every recording of a scene.
func eachSample(t *testing.T, scene string, check func(t *testing.T, s sample)) {
	for _, jdk := range []string{"jdk17", "jdk25"} {
		t.Run(jdk, func(t *testing.T) {
			base := filepath.Join(samples, scene+"-"+jdk)
			check(t, sample{
				doc: mustModel(t, mustRead(t, base+".trcxml")),
				log: parseLog(t, mustRead(t, base+".truth.txt")),
			}.indexed())
		})
	}
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func mustModel(t *testing.T, document []byte) *Doc {
	t.Helper()
	doc, err := Model(document)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// parseLog reads a log and sorts it by time. Threads do not write in that order.
func parseLog(t *testing.T, content []byte) []logEntry {
	t.Helper()
	var entries []logEntry
	for line := range bytes.Lines(content) {
		words := strings.Fields(string(line))
		at, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		entry := logEntry{at: at, fields: make(map[string]string)}
		for _, word := range words[2:] {
			name, value, _ := strings.Cut(word, "=")
			entry.fields[name] = value
		}
		entries = append(entries, entry)
	}
	slices.SortStableFunc(entries, func(a, b logEntry) int { return int(a.at - b.at) })
	return entries
}

func (s sample) indexed() sample {
	s.events, s.owner = eventsByID(s.doc), make(map[int]*Thread)
	for _, thread := range s.doc.Threads {
		for _, event := range thread.Events {
			s.owner[event.ID] = thread
		}
	}
	return s
}

// inOrder returns the events of a type in the order appended.
func (s sample) inOrder(types ...string) []*Event {
	var events []*Event
	for _, id := range slices.Sorted(maps.Keys(s.events)) {
		if slices.Contains(types, s.events[id].Type) {
			events = append(events, s.events[id])
		}
	}
	return events
}

// class returns the class of an object, as Java programs spell it.
func (s sample) class(object string) string {
	for _, o := range s.doc.Objects {
		if o.ObjectID == object {
			return strings.ReplaceAll(o.Class, "/", ".")
		}
	}
	return ""
}

// threadOf returns the name of the thread whose object this is.
func (s sample) threadOf(object string) string {
	for _, thread := range s.doc.Threads {
		if thread.ObjectID == object {
			return thread.Name
		}
	}
	return ""
}

// before returns the state event before an event of the same thread.
func (s sample) before(id int) *Event {
	var state *Event
	for _, event := range s.owner[id].Events {
		if event.ID == id {
			break
		}
		if event.IsState() {
			state = event
		}
	}
	return state
}

// returns counts the returns of a thread from waits on objects of one class, up to the Running event of the id.
func (s sample) returns(running int) int {
	class, n := s.class(s.before(running).ObjectRef), 0
	for _, event := range s.owner[running].Events {
		if before := s.before(event.ID); event.Type == Running && before != nil && s.class(before.ObjectRef) == class {
			n++
		}
		if event.ID == running {
			break
		}
	}
	return n
}

// class returns the class of the object that a log entry is about.
func (e logEntry) class() string {
	class, _, _ := strings.Cut(e.fields["obj"], "@")
	return class
}

func compare(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(want) == 0 {
		t.Errorf("%s: the log has none", what)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s:\ngot  %q\nwant %q", what, got, want)
	}
}

func TestSampleHandoffs(t *testing.T) {
	eachSample(t, "handoff", func(t *testing.T, s sample) {
		var got []string
		for _, handoff := range s.inOrder(HandoffLock) {
			if s.class(handoff.LockedObject) == "Scenes$Resource" {
				got = append(got, s.owner[handoff.ID].Name+" to "+s.owner[handoff.RunningEvent].Name)
			}
		}
		compare(t, "hand-offs", got, loggedHandoffs(s.log))
		compare(t, "joins", s.joins(), loggedJoins(s.log))
	})
}

// loggedHandoffs pairs a thread leaving a monitor with the next one entering
// it that had tried before.
func loggedHandoffs(log []logEntry) []string {
	var handoffs []string
	left := make(map[string]logEntry)
	tried := make(map[string]int64)
	for _, e := range log {
		object, thread := e.fields["obj"], e.fields["thread"]
		switch e.fields["op"] {
		case "tryEnter":
			tried[object+thread] = e.at
		case "leaving":
			left[object] = e
		case "entered":
			if leaver, ok := left[object]; ok && tried[object+thread] < leaver.at {
				handoffs = append(handoffs, leaver.fields["thread"]+" to "+thread)
			}
		}
	}
	return handoffs
}

// joins lists which threads' ends let which others go on.
func (s sample) joins() []string {
	var joins []string
	for _, dead := range s.inOrder(DeadAndNotifyJoined) {
		joins = append(joins, s.owner[dead.ID].Name+" to "+s.owner[dead.RunningEvent].Name)
	}
	return joins
}

// loggedJoins leaves out joins that found the thread dead and did not wait.
func loggedJoins(log []logEntry) []string {
	const waited = 1_000_000
	var joins []string
	begun := make(map[string]int64)
	for _, e := range log {
		switch e.fields["op"] {
		case "join":
			begun[e.fields["target"]] = e.at
		case "joined":
			if e.at-begun[e.fields["target"]] > waited {
				joins = append(joins, e.fields["target"]+" to "+e.fields["thread"])
			}
		}
	}
	return joins
}

func TestSampleNotifications(t *testing.T) {
	eachSample(t, "notify", func(t *testing.T, s sample) {
		var got []string
		for _, e := range s.inOrder(Notify, NotifyAll) {
			if strings.HasPrefix(s.class(e.ObjectRef), "Scenes$") {
				var woken []string
				for _, running := range e.effects() {
					woken = append(woken, wakeName(s.owner[running].Name, s.returns(running)))
				}
				got = append(got, notificationName(s.owner[e.ID].Name, s.class(e.ObjectRef), woken))
			}
		}
		compare(t, "notifications", got, loggedNotifications(s.log))
		for _, timeout := range s.inOrder(WaitTimeoutExceed) {
			if s.owner[timeout.ID].Name != "main" || s.class(timeout.ObjectRef) != "Scenes$Gate" {
				t.Errorf("%s timed out on %s", s.owner[timeout.ID].Name, s.class(timeout.ObjectRef))
			}
		}
	})
}

func wakeName(thread string, nth int) string { return thread + "#" + strconv.Itoa(nth) }

func notificationName(thread, class string, woken []string) string {
	slices.Sort(woken)
	return thread + " on " + class + " woke " + strings.Join(woken, " ")
}

// loggedNotifications lists, for each notification, the threads that woke before the next one. The programs keep them
// well apart.
func loggedNotifications(log []logEntry) []string {
	var notifications []string
	nth := make(map[string]int)
	for i, e := range log {
		if op := e.fields["op"]; op != "notify" && op != "notifyAll" {
			continue
		}
		var woken []string
		for _, later := range log[i+1:] {
			op := later.fields["op"]
			if op == "notify" || op == "notifyAll" {
				break
			}
			if op == "woke" && later.fields["obj"] == e.fields["obj"] {
				nth[later.fields["thread"]]++
				woken = append(woken, wakeName(later.fields["thread"], nth[later.fields["thread"]]))
			}
		}
		notifications = append(notifications, notificationName(e.fields["thread"], e.class(), woken))
	}
	return notifications
}

func TestSampleInterruptsJoinsAndStarts(t *testing.T) {
	eachSample(t, "interrupt", func(t *testing.T, s sample) {
		var got []string
		for _, interrupt := range s.inOrder(InterruptThread) {
			if interrupt.RunningEvent != 0 {
				was := s.before(interrupt.RunningEvent).Type
				got = append(got, s.owner[interrupt.ID].Name+" ended "+was+" of "+s.owner[interrupt.RunningEvent].Name)
			}
		}
		compare(t, "interrupts", got, loggedInterrupts(s.log))

		var timedOut []string
		for _, timeout := range s.inOrder(WaitTimeoutExceed) {
			if s.threadOf(timeout.ObjectRef) != "" {
				timedOut = append(timedOut, s.owner[timeout.ID].Name)
			}
		}
		compare(t, "timed out joins", timedOut, s.logged("joinTimedOut"))
		s.checkStarts(t)
		// The log does not have these, but the program's text does: main joins each thread whose name says how it was
		// started.
		joins := s.joins()
		for _, name := range []string{"waiter", "joiner", "viaMethodRef", "viaReflection", "viaSuper"} {
			if !slices.Contains(joins, name+" to main") {
				t.Errorf("no join of %s by main in %q", name, joins)
			}
		}
	})
}

// logged returns the threads that logged an operation.
func (s sample) logged(op string) []string {
	var threads []string
	for _, e := range s.log {
		if e.fields["op"] == op {
			threads = append(threads, e.fields["thread"])
		}
	}
	return threads
}

// loggedInterrupts lists interrupts with what the interrupted thread was doing.
func loggedInterrupts(log []logEntry) []string {
	ended := map[string]string{"sleepInterrupted": Sleeping, "waitInterrupted": WaitingForObject,
		"joinInterrupted": WaitingForJoin}
	var interrupts []string
	for i, e := range log {
		if e.fields["op"] != "interrupt" {
			continue
		}
		for _, later := range log[i:] {
			if state := ended[later.fields["op"]]; state != "" && later.fields["thread"] == e.fields["name"] {
				interrupts = append(interrupts, e.fields["thread"]+" ended "+state+" of "+later.fields["thread"])
				break
			}
		}
	}
	return interrupts
}

// checkStarts checks that every start is bound to the first Running of the thread it names, and no start is left over.
func (s sample) checkStarts(t *testing.T) {
	for _, start := range s.inOrder(StartsThread) {
		started := s.owner[start.RunningEvent]
		if started == nil || started.ObjectID != start.StartedThread || started.Events[0].ID != start.RunningEvent {
			t.Errorf("start of %s is bound to %d", s.threadOf(start.StartedThread), start.RunningEvent)
		}
	}
}

func TestSampleDeadlock(t *testing.T) {
	eachSample(t, "deadlock", func(t *testing.T, s sample) {
		var got, want []string
		for _, deadlock := range s.inOrder(DeadLock) {
			owner := s.doc.Threads[deadlock.LockedThreadKey-1]
			got = append(got, s.owner[deadlock.ID].Name+" for "+s.class(deadlock.LockedObject)+" of "+owner.Name)
		}
		for _, e := range s.log {
			if class, _, ok := strings.Cut(e.fields["waitsFor"], "@"); ok {
				want = append(want, e.fields["thread"]+" for "+class+" of "+e.fields["ownedBy"])
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		compare(t, "deadlocked threads", got, want)
		if len(s.doc.Deadlocks) != 1 {
			t.Errorf("deadlocks %v", s.doc.Deadlocks)
		}
	})
}
