package critical_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/enrich/enrichtest"
	"github.com/trcx/trcx/trace"
)

// The oracle finds the critical path in the oracle's model of a trace, by the letter of the rules and with no regard to
// how long that takes. It shares nothing with what it is compared with. The quoted sentences are those of the rules.

// oracle walks through a model.
type oracle struct {
	doc     *enrichtest.Doc
	events  map[int]*enrichtest.Event
	ownerOf map[int]int              // of events: the key of the thread whose they are
	states  map[int][]*oracleSegment // by the keys of threads
	visited map[*oracleSegment]bool  // on the path
	pieces  []oraclePiece            // backward
	threads map[int]*enrichtest.Thread
}

// oracleSegment is from a state event to the thread's next one.
type oracleSegment struct {
	thread, place int
	event         *enrichtest.Event
}

// oraclePiece is a piece of a path. Times are nanoseconds since the trace's start.
type oraclePiece struct {
	thread   int
	latency  bool
	state    string // "" of a latency
	from, to int64
	object   string
	cause    int
}

func (p oraclePiece) String() string {
	kind := p.state
	if p.latency {
		kind = "latency"
	}
	return fmt.Sprintf("thread %d: %s %s, %d to %d, by %d", p.thread, kind, p.object, p.from, p.to, p.cause)
}

func newOracle(doc *enrichtest.Doc) *oracle {
	o := &oracle{
		doc: doc, events: map[int]*enrichtest.Event{}, ownerOf: map[int]int{}, states: map[int][]*oracleSegment{},
		visited: map[*oracleSegment]bool{}, threads: map[int]*enrichtest.Thread{},
	}
	for _, t := range doc.Threads {
		o.threads[t.Key] = t
		for _, e := range t.Events {
			o.events[e.ID], o.ownerOf[e.ID] = e, t.Key
			// "A thread's state events cut its life into segments …; instants do not cut, DeadLock does not either".
			if e.IsState() && e.Type != enrichtest.DeadLock {
				o.states[t.Key] = append(o.states[t.Key], &oracleSegment{t.Key, len(o.states[t.Key]), e})
			}
		}
	}
	return o
}

// segmentAt is "the segment of U at event c": "the one that U's last state event appended before c opened".
func (o *oracle) segmentAt(thread, event int) *oracleSegment {
	var last *oracleSegment
	for _, s := range o.states[thread] {
		if s.event.ID < event {
			last = s
		}
	}
	return last
}

// path walks backward from the thread's last segment.
func (o *oracle) path(thread int, t int64) []oraclePiece {
	states := o.states[thread]
	if len(states) == 0 { // "If E has no state event, the path is empty."
		return nil
	}
	s := states[len(states)-1]
	for s != nil {
		o.visited[s] = true
		// "The piece [b, t) of this segment goes on the path; b is the segment's begin, or t if that is earlier".
		b := min(s.event.Time, t)
		piece := oraclePiece{thread: s.thread, state: s.event.Type, from: b, to: t, object: s.event.ObjectRef +
			s.event.LockedObject}
		jump := o.jump(s, b)
		if jump == nil || o.visited[jump.to] { // "a jump to a (thread, segment) already on the path"
			o.add(piece)
			// "Otherwise … go on at (thread, the segment before, b); if there is none, the path ends at b."
			s, t = o.before(s), b
			continue
		}
		piece.cause = o.doc.Causes[s.event.ID]
		o.add(piece)
		o.add(oraclePiece{thread: jump.to.thread, latency: true, from: jump.at, to: b, cause: piece.cause})
		s, t = jump.to, jump.at
	}
	slices.Reverse(o.pieces)
	return o.pieces
}

// add adds a piece: "Zero-length pieces are left out of the result."
func (o *oracle) add(p oraclePiece) {
	if p.from < p.to {
		o.pieces = append(o.pieces, p)
	}
}

func (o *oracle) before(s *oracleSegment) *oracleSegment {
	if s.place == 0 {
		return nil
	}
	return o.states[s.thread][s.place-1]
}

// oracleJump is where rule 3 leads: to a segment at a time, in which the thread is, or has just gone from it to the one
// in which it lies.
type oracleJump struct {
	to, within *oracleSegment
	at         int64
}

// jump is nil where the rule leads nowhere.
func (o *oracle) jump(s *oracleSegment, b int64) *oracleJump {
	// "If the segment is Running and its Running event is bound to a cause c on thread U with time(c) not after b: let
	// j be U's segment at c."
	if s.event.Type != enrichtest.Running {
		return nil
	}
	cause, bound := o.events[o.doc.Causes[s.event.ID]]
	if !bound {
		return nil
	}
	u, at := o.ownerOf[cause.ID], cause.Time
	j := o.segmentAt(u, cause.ID)
	switch cause.Type {
	case enrichtest.HandoffLock:
		// "For a hand-off time(c) is b."
		at = b
	case enrichtest.Notify, enrichtest.NotifyAll:
		// "For a notification whose Running has reacquired the monitor from P, U is P, the time is b and j is P's
		// segment at that Running".
		if p, reacquired := o.doc.Reacquired[s.event.ID]; reacquired {
			u, at, j = p, b, o.segmentAt(p, s.event.ID)
		}
	}
	if at > b || j == nil {
		return nil
	}
	if j.event.Type == enrichtest.Running {
		// "If j is Running, go on at (U, j, time(c))".
		return &oracleJump{j, j, at}
	}
	// "if not, U stopped running earlier: go back over U's segments to the last Running one, i, and go on at (U, i,
	// begin of segment i+1, at most b)."
	i := j
	for i != nil && i.event.Type != enrichtest.Running {
		i = o.before(i)
	}
	if i == nil {
		return nil
	}
	next := o.states[u][i.place+1]
	return &oracleJump{i, next, min(next.event.Time, b)}
}

// incarnation is a thread while the elements of a trace are read for the start of the path.
type incarnation struct {
	key           int
	name, group   string
	started, dead bool
}

// oracleStart reads the elements: "of all thread and monitor events of the trace take the one with the latest time
// (ties: the later in the file), leaving out those of a thread that is named DestroyJavaVM at that event, and those of
// JFR's threads and of the JVM's groups unless there are no others". It also gives each thread's own last event. Keys
// are 0 where there is none. Times are nanoseconds since 1970.
func oracleStart(t *testing.T, document []byte) (key int, at int64, own map[int]int64) {
	t.Helper()
	live, known := map[string]*incarnation{}, 0
	keyOfJVM, atOfJVM := 0, int64(0)
	own = map[int]int64{}
	open := func(id string) *incarnation {
		known++
		live[id] = &incarnation{key: known}
		return live[id]
	}
	for name, attributes := range oracleElements(t, document) {
		id := attributes["threadIdRef"]
		if _, given := attributes["threadIdRef"]; !given {
			id = attributes["threadId"]
		}
		seconds, reading := trace.ParseTime([]byte(attributes["time"]))
		if !slices.Contains(acting, name) || id == "" || reading != trace.Exact {
			continue
		}
		who := live[id]
		switch {
		case who == nil, name == "threadStart" && (who.started || who.dead):
			who = open(id)
		}
		switch name {
		case "threadStart":
			who.started, who.name, who.group = true, attributes["threadName"], attributes["groupName"]
		case "threadEnd":
			who.dead = true
		}
		if before, did := own[who.key]; !did || int64(seconds) >= before {
			own[who.key] = int64(seconds)
		}
		switch {
		case who.name == "DestroyJavaVM":
		case jvmsOwn(who.name, who.group):
			if keyOfJVM == 0 || int64(seconds) >= atOfJVM {
				keyOfJVM, atOfJVM = who.key, int64(seconds)
			}
		case key == 0 || int64(seconds) >= at:
			key, at = who.key, int64(seconds)
		}
	}
	if key == 0 {
		key, at = keyOfJVM, atOfJVM
	}
	return key, at, own
}

// jvmsOwn reports whether a thread is one of the JVM itself.
func jvmsOwn(name, group string) bool {
	return slices.Contains([]string{"JFR Shutdown Hook", "JFR Recorder Thread", "JFR Periodic Tasks"}, name) ||
		slices.Contains([]string{"CarrierThreads", "InnocuousThreadGroup", "system"}, group)
}

var acting = []string{
	"threadStart", "threadEnd", "monContendedEnter", "monContendedEntered", "monWait", "monWaited",
	"callNotify", "callStart", "callInterrupt", "threadInterrupted",
}

// oracleElements gives the names and attributes of the document's elements.
func oracleElements(t *testing.T, document []byte) func(func(string, map[string]string) bool) {
	return func(yield func(string, map[string]string) bool) {
		decoder := xml.NewDecoder(bytes.NewReader(document))
		for {
			token, err := decoder.RawToken()
			if syntax := (*xml.SyntaxError)(nil); err == io.EOF || errors.As(err, &syntax) &&
				strings.Contains(syntax.Msg, "EOF") {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			start, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			attributes := map[string]string{}
			for _, a := range start.Attr {
				attributes[a.Name.Local] = a.Value
			}
			if !yield(start.Name.Local, attributes) {
				return
			}
		}
	}
}
