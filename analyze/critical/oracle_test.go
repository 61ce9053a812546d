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

	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/trace"
)

// The oracle finds the critical path in the oracle's model of a trace, by the letter of the rules, however long it
// takes. It shares no code with the implementation. The quoted sentences are from the rules.

// oracle walks through a model.
type oracle struct {
	doc     *enrichtest.Doc
	events  map[int]*enrichtest.Event
	ownerOf map[int]int              // by event: the key of its thread
	states  map[int][]*oracleSegment // by the keys of threads
	visited map[*oracleSegment]bool  // on the path
	pieces  []oraclePiece            // backward
	threads map[int]*enrichtest.Thread
	pauses  []oraclePause // in nanoseconds since the trace's start
}

// oracleSegment is from a state event to the thread's next one.
type oracleSegment struct {
	thread, place int
	event         *enrichtest.Event
}

// oraclePiece is a piece of a path. Times are nanoseconds since the trace's start.
type oraclePiece struct {
	thread   int    // 0 for kinds without a thread
	kind     string // as in JSON
	state    string // only of a segment
	from, to int64
	object   string
	cause    int
}

func (p oraclePiece) String() string {
	return fmt.Sprintf("thread %d: %s %s %s, %d to %d, by %d", p.thread, p.kind, p.state, p.object, p.from, p.to,
		p.cause)
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
	var s *oracleSegment
	if states := o.states[thread]; len(states) > 0 {
		s = states[len(states)-1]
	}
	for s != nil {
		o.visited[s] = true
		// "The piece [b, t) of this segment goes on the path; b is the segment's begin, or t if that is earlier".
		b := min(s.event.Time, t)
		piece := oraclePiece{thread: s.thread, kind: "segment", state: s.event.Type, from: b, to: t,
			object: s.event.ObjectRef + s.event.LockedObject}
		if end := o.awaited(s, t); end != nil && !o.visited[o.before(end)] {
			// "If (U, j) is on the path already, rule 5 applies, and no other U is tried. Else the piece is
			// [max(b, d), t), the gap [d, max(b, d)) a latency piece of U, and the walk goes on at (U, j, d)".
			d := end.event.Time
			piece.from = max(b, d)
			o.add(piece)
			o.add(oraclePiece{thread: end.thread, kind: "latency", from: d, to: piece.from})
			s, t = o.before(end), d
			continue
		}
		jump := o.jump(s, b)
		if jump == nil || o.visited[jump.to] { // "a jump to a (thread, segment) already on the path"
			o.add(piece)
			// "Otherwise … go on at (thread, the segment before, b); if there is none, the path ends at b."
			s, t = o.before(s), b
			continue
		}
		piece.cause = o.doc.Causes[s.event.ID]
		o.add(piece)
		if jump.unknown {
			o.add(oraclePiece{kind: "unknown", from: jump.at, to: b})
		} else {
			o.add(oraclePiece{thread: jump.to.thread, kind: "latency", from: jump.at, to: b, cause: piece.cause})
		}
		s, t = jump.to, jump.at
	}
	slices.Reverse(o.pieces)
	return o.cut(o.pieces)
}

// cut: "Last, the result is cut at pauses. … The parts of Running pieces and of latency pieces that lie in a pause
// become pieces of kind pause, which carry no thread … Pieces of other states are not cut".
func (o *oracle) cut(pieces []oraclePiece) (cut []oraclePiece) {
	for _, p := range pieces {
		if p.kind == "unknown" || p.kind == "segment" && p.state != enrichtest.Running {
			cut = append(cut, p)
			continue
		}
		for _, pause := range o.pauses {
			from, to := max(p.from, pause.from), min(p.to, pause.to)
			if from >= to {
				continue
			}
			if before := p; before.from < from {
				before.to = from
				cut = append(cut, before)
			}
			cut = append(cut, oraclePiece{kind: "pause", from: from, to: to})
			p.from = to
		}
		if p.from < p.to {
			cut = append(cut, p)
		}
	}
	return cut
}

// within: "A window [since, until) … cuts … The path of a window is the whole run's path, cut."
func within(pieces []oraclePiece, since, until int64) (inside []oraclePiece) {
	for _, p := range pieces {
		if p.from, p.to = max(p.from, since), min(p.to, until); p.from < p.to {
			inside = append(inside, p)
		}
	}
	return inside
}

// awaited is the Dead of rule 4, or nil: "If the segment is the first one of a thread named DestroyJavaVM, and is
// unbound: let U be the thread of the program (as in 1b) with the latest Dead not after t (ties: the later appended)
// that has a state event before it, d its time, j its segment before Dead."
func (o *oracle) awaited(s *oracleSegment, t int64) (latest *oracleSegment) {
	if _, bound := o.doc.Causes[s.event.ID]; bound || s.place > 0 || o.threads[s.thread].Name != "DestroyJavaVM" {
		return nil
	}
	for key, states := range o.states {
		for _, dead := range states {
			if dead.event.Type != enrichtest.Dead || dead.place == 0 || dead.event.Time > t || !o.ofProgram(key) {
				continue
			}
			if latest == nil || dead.event.Time > latest.event.Time ||
				dead.event.Time == latest.event.Time && dead.event.ID > latest.event.ID {
				latest = dead
			}
		}
	}
	return latest
}

// ofProgram: "those of the program: all but threads named DestroyJavaVM and threads of the JVM".
func (o *oracle) ofProgram(key int) bool {
	return o.threads[key].Name != "DestroyJavaVM" && !o.ofJVM(key, map[int]bool{})
}

// ofJVM: "threads of the JVM, which are those of the groups system, InnocuousThreadGroup and CarrierThreads, the Flight
// Recorder's …, and, again and again, those whose first Running is bound to the StartsThread of a thread of the JVM
// (… DestroyJavaVM is none)".
func (o *oracle) ofJVM(key int, asked map[int]bool) bool {
	thread := o.threads[key]
	switch {
	case thread.Name == "DestroyJavaVM", asked[key]:
		return false
	case slices.Contains([]string{"JFR Shutdown Hook", "JFR Recorder Thread", "JFR Periodic Tasks"}, thread.Name),
		slices.Contains([]string{"CarrierThreads", "InnocuousThreadGroup", "system"}, thread.Group):
		return true
	}
	asked[key] = true
	for _, s := range o.states[key] {
		if s.event.Type == enrichtest.Running {
			cause, bound := o.events[o.doc.Causes[s.event.ID]]
			return bound && cause.Type == enrichtest.StartsThread && o.ofJVM(o.ownerOf[cause.ID], asked)
		}
	}
	return false
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

// oracleJump is where rule 3 leads: to a time in a segment, and the segment in which the thread is then. The thread may
// have left the first one before.
type oracleJump struct {
	to, within *oracleSegment
	at         int64
	unknown    bool // who had the monitor since
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
		return &oracleJump{j, j, at, false}
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
	// "If c is a hand-off that no causedBy named, or the Running has reacquired without a lockFrom, and j is not
	// Running, and the begin e of segment i+1 (below) is earlier than b by more than 10 ms, nobody knows who had the
	// monitor since".
	next := o.states[u][i.place+1]
	_, reacquired := o.doc.Reacquired[s.event.ID]
	notifies := cause.Type == enrichtest.Notify || cause.Type == enrichtest.NotifyAll
	unknown := (cause.Type == enrichtest.HandoffLock || notifies && reacquired) && !o.doc.Named[s.event.ID] &&
		b-next.event.Time > 10_000_000
	return &oracleJump{i, next, min(next.event.Time, b), unknown}
}

// oracleRecord is a thread's latest record: "t = the time of its latest record (ties: the later in the file; a record
// of the trace whose thread is E, whether or not it appended something …)". Times are nanoseconds since 1970.
type oracleRecord struct {
	at    int64
	order int
}

// start is rule 1: the thread E, and the time. The key is 0 for none.
func (o *oracle) start(own map[int]oracleRecord) (key int, at int64) {
	// "A thread without a state event is no candidate. E is the first of these that exists:"
	for _, candidate := range []func(int) bool{
		func(key int) bool { // "the DestroyJavaVM thread … that has ended"
			return o.threads[key].Name == "DestroyJavaVM" && slices.ContainsFunc(o.states[key],
				func(s *oracleSegment) bool {
					return s.event.Type == enrichtest.Dead
				})
		},
		o.ofProgram, // "the thread with the latest record among those of the program"
		func(key int) bool { return o.threads[key].Name != "DestroyJavaVM" }, // "likewise any thread but DestroyJavaVM"
	} {
		for thread, record := range own {
			if len(o.states[thread]) == 0 || !candidate(thread) {
				continue
			}
			if key == 0 || record.at > own[key].at || record.at == own[key].at && record.order > own[key].order {
				key = thread
			}
		}
		if key != 0 {
			return key, own[key].at
		}
	}
	return 0, 0
}

// oracleRecords reads the elements, and returns each thread's latest record, by the thread's key.
func oracleRecords(t *testing.T, document []byte) map[int]oracleRecord {
	t.Helper()
	type incarnation struct {
		key           int
		started, dead bool
	}
	live, own, order := map[string]*incarnation{}, map[int]oracleRecord{}, 0
	opened := 0
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
		if who == nil || name == "threadStart" && (who.started || who.dead) {
			opened++
			who = &incarnation{key: opened}
			live[id] = who
		}
		who.started = who.started || name == "threadStart"
		who.dead = who.dead || name == "threadEnd"
		order++
		if attributes["again"] != "" { // "an again is no record of its thread"
			continue
		}
		if before, did := own[who.key]; !did || int64(seconds) >= before.at {
			own[who.key] = oracleRecord{int64(seconds), order}
		}
	}
	return own
}

var acting = []string{
	"threadStart", "threadEnd", "monContendedEnter", "monContendedEntered", "monWait", "monWaited",
	"callNotify", "callStart", "callInterrupt", "threadInterrupted",
}

// oracleElements yields the names and attributes of the document's elements that have an end. An enter has "again" if
// it has park and the annotation again with the value 1. A gcStart has the value of its annotation paused as "note
// paused".
func oracleElements(t *testing.T, document []byte) func(func(string, map[string]string) bool) {
	return func(yield func(string, map[string]string) bool) {
		decoder := xml.NewDecoder(bytes.NewReader(document))
		var open []xml.StartElement
		notes, values := map[string]bool{}, map[string]string{}
		for {
			token, err := decoder.RawToken()
			if syntax := (*xml.SyntaxError)(nil); err == io.EOF || errors.As(err, &syntax) &&
				strings.Contains(syntax.Msg, "EOF") {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			switch token := token.(type) {
			case xml.StartElement:
				open = append(open, token.Copy())
			case xml.EndElement:
				start := open[len(open)-1]
				open = open[:len(open)-1]
				attributes := map[string]string{}
				for _, a := range start.Attr {
					attributes[a.Name.Local] = a.Value
				}
				switch name := attributes["name"]; {
				case start.Name.Local == "annotation":
					notes[name] = notes[name] || name == "park" || attributes["value"] == "1"
					if _, noted := values[name]; !noted {
						values[name] = attributes["value"]
					}
				case start.Name.Local == "gcStart":
					if paused, noted := values["paused"]; noted {
						attributes["note paused"] = paused
					}
					clear(values)
				case slices.Contains(acting, start.Name.Local):
					if start.Name.Local == "monContendedEnter" && notes["park"] && notes["again"] {
						attributes["again"] = "1"
					}
					clear(notes)
					clear(values)
				}
				if !yield(start.Name.Local, attributes) {
					return
				}
			}
		}
	}
}
