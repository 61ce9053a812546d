package deadlock_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/xmltext"
	"github.com/trcx/trcx/trace"
)

// found is the report of documents, one recording each.
func found(t testing.TB, documents ...string) *deadlock.Report {
	t.Helper()
	finder, recorder := deadlock.NewFinder(), critical.NewRecorder()
	enricher := enrich.New(trace.Tee(finder, recorder), enrich.Options{Calls: enrich.WholeStacks, Objects: true})
	for i, document := range documents {
		if err := enricher.Begin(i); err != nil {
			t.Fatal(err)
		}
		ending, err := trcxml.Read(context.Background(), strings.NewReader(document), trcxml.Options{Session: i},
			enricher.Put)
		if err != nil {
			t.Fatal(err)
		}
		if err := enricher.End(ending); err != nil {
			t.Fatal(err)
		}
	}
	if err := enricher.Finish(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(documents, ""), "<objMove") { // else ids are others by now
		checkKept(t, finder.Report(), deadlock.Of(recorder, selection.Window{}))
	}
	return finder.Report()
}

// untold is what a recorder knows better or less: the name of a thread that acts after its end, and who waits.
var untold = regexp.MustCompile(`\w+ \((thread \w+)\)| \d+ more threads? waits? for them.`)

// checkKept checks that a recorder has the deadlocks of the report, as far as sentences show. If no event shows who
// holds a monitor now, a recorder counts one or two other threads that wait for them.
func checkKept(t testing.TB, report, kept *deadlock.Report) {
	t.Helper()
	sentences := func(r *deadlock.Report) (all []string) {
		for i := range r.Deadlocks {
			all = append(all, fmt.Sprint(r.IsPossible(&r.Deadlocks[i]), r.Deadlocks[i].Loop.Time-r.Start,
				untold.ReplaceAllString(r.Sentence(&r.Deadlocks[i]), "$1")))
		}
		return all
	}
	if want, got := sentences(report), sentences(kept); !slices.Equal(got, want) {
		t.Fatalf("from a recorder: got %q, want %q", got, want)
	}
	for i := range report.Deadlocks {
		want, got := len(report.Deadlocks[i].Stuck)+report.Deadlocks[i].More, kept.Deadlocks[i].More
		if max(got-want, want-got) > 2 {
			t.Errorf("from a recorder: %d threads wait for the members, want %d", got, want)
		}
	}
}

// script writes a trace from lines. Each line is what a thread does, one millisecond after the line before.
//
//	A wants 7 of B    monContendedEnter of object 7, whose owner is B
//	A wants 7         … without a threadOwner
//	A gets 7          monContendedEntered
//	A waits 7, A wakes 7, A notifies 7, A times 7, A starts, A ends, A joins B
//	free 7, move 7 8
func script(lines string) string {
	var b strings.Builder
	b.WriteString("<TRACE>\n")
	for id := range 10 { // these are known from the start
		if id := strconv.Itoa(id); !strings.Contains(lines, id+" starts") {
			fmt.Fprintf(&b,
				"<threadStart threadId=%q time=\"1000.0\" threadName=\"\" groupName=\"\" parentName=\"\" "+
					"objIdRef=%q/>\n", id, "9"+id)
		}
	}
	at := 0
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		at++
		time := fmt.Sprintf("1000.%03d", at)
		words := strings.Fields(line)
		id, object := words[0], ""
		if len(words) > 2 {
			object = words[2]
		}
		switch words[1] {
		case "starts":
			fmt.Fprintf(&b,
				"<threadStart threadId=%q time=%q threadName=%q groupName=\"main\" parentName=\"\" objIdRef=%q/>\n", id,
				time, "name-"+id, "9"+id)
		case "ends":
			fmt.Fprintf(&b, "<threadEnd threadIdRef=%q time=%q/>\n", id, time)
		case "wants":
			owner := ""
			if len(words) > 4 {
				owner = fmt.Sprintf(" threadOwner=%q", words[4])
			}
			fmt.Fprintf(&b, "<monContendedEnter threadIdRef=%q time=%q objIdRef=%q%s/>\n", id, time, object, owner)
		case "gets":
			fmt.Fprintf(&b, "<monContendedEntered threadIdRef=%q time=%q objIdRef=%q/>\n", id, time, object)
		case "waits":
			fmt.Fprintf(&b, "<monWait threadIdRef=%q time=%q objIdRef=%q timeout=\"0\"/>\n", id, time, object)
		case "joins":
			fmt.Fprintf(&b, "<monWait threadIdRef=%q time=%q objIdRef=%q timeout=\"0\"/>\n", id, time, "9"+object)
		case "wakes":
			fmt.Fprintf(&b, "<monWaited threadIdRef=%q time=%q objIdRef=%q timeout=\"0\" isTimedOut=\"0\"/>\n", id,
				time, object)
		case "notifies":
			fmt.Fprintf(&b, "<callNotify threadId=%q time=%q objIdRef=%q isNotifyAll=\"0\"/>\n", id, time, object)
		case "freed":
			fmt.Fprintf(&b, "<objFree objIdRef=%q time=%q/>\n", id, time)
		case "moved":
			fmt.Fprintf(&b, "<objMove objIdRef=%q newObjId=%q time=%q/>\n", id, object, time)
		default:
			panic(line)
		}
	}
	b.WriteString("</TRACE>\n")
	return b.String()
}

// told is a short form of a report: deadlocks as T>U, stuck threads as T:U, inversions as evidence(T:held>wanted …),
// with their gates.
func told(r *deadlock.Report) []string {
	lines := []string{}
	for _, d := range r.Deadlocks {
		var members []string
		for _, b := range d.Members {
			members = append(members, b.Thread.ID.String()+":"+b.Monitor.ID.String())
		}
		line := "deadlock " + strings.Join(members, " ")
		for _, s := range d.Stuck {
			how := "blocked by"
			if s.Joins {
				how = "joins"
			}
			line += fmt.Sprintf("; %s %s %s", s.Thread.ID, how, s.Blocker.ID)
		}
		lines = append(lines, line)
	}
	for _, i := range r.Inversions {
		var orders []string
		for _, o := range i.Orders {
			order := fmt.Sprintf("%s:%s>%s", o.Example.Thread.ID, o.Held.ID, o.Example.Monitor.ID)
			if o.Evidence != i.Evidence {
				order += " " + o.Evidence.String()
			}
			if o.Times > 1 {
				order += fmt.Sprintf("*%d", o.Times)
			}
			orders = append(orders, order)
		}
		line := fmt.Sprintf("%s %s", i.Evidence, strings.Join(orders, " "))
		for _, g := range i.Gates {
			line += fmt.Sprintf("; gate %s %s", g.Monitor.ID, g.Evidence)
		}
		lines = append(lines, line)
	}
	return lines
}

// cross is an inversion that is seen: T holds a and wants b of H, as S finds; then all get what they want.
func cross(t, h, s, a, b string) string {
	return strings.NewReplacer("T", t, "H", h, "S", s, "a!", a, "b!", b).
		Replace("T wants b! of H\nS wants a! of T\nT gets b!\nS gets a!\n")
}

func TestFinder(t *testing.T) {
	for name, c := range map[string]struct {
		trace string
		want  []string
	}{
		"nothing":   {"1 starts\n1 ends", nil},
		"one order": {cross("1", "2", "3", "7", "8"), nil},
		"inversion": {cross("1", "2", "3", "7", "8") + cross("4", "2", "3", "8", "7"),
			[]string{"seen 1:7>8 4:8>7"}},
		"the same thread": {cross("1", "2", "3", "7", "8") + cross("1", "2", "3", "8", "7"), nil},
		"cycle of three": {cross("1", "9", "3", "5", "6") + cross("2", "9", "3", "6", "7") + cross("4", "9", "3", "7",
			"5"), []string{"seen 1:5>6 2:6>7 4:7>5"}},
		"two threads only": {cross("1", "9", "3", "5", "6") + cross("2", "9", "4", "6", "7") + cross("1", "9", "8", "7",
			"5"), nil},
		"either thread of an order": {
			cross("1", "9", "3", "7", "8") + cross("1", "9", "3", "8", "7") + cross("2", "9", "3", "7", "8"),
			[]string{"seen 2:7>8*2 1:8>7"}},
		"more than once": {cross("1", "2", "3", "7", "8") + cross("1", "2", "3", "7", "8") + cross("4", "2", "3", "8",
			"7"), []string{"seen 1:7>8*2 4:8>7"}},
		"named before it was blocked is only supposed": {
			"3 wants 7 of 1\n1 wants 8 of 2\n1 gets 8\n3 gets 7\n" + cross("4", "2", "3", "8", "7"),
			[]string{"supposed 1:7>8 4:8>7 seen"}},
		"let in and never let go is only supposed": {
			"1 wants 7 of 2\n1 gets 7\n1 wants 8 of 2\n1 gets 8\n4 notifies 8\n4 wants 7 of 2\n4 gets 7\n",
			[]string{"supposed 1:7>8 4:8>7"}},
		"who is let in while the thread is blocked shows that it had let go": {
			"3 wants 7 of 1\n1 wants 8 of 2\n3 gets 7\n1 gets 8\n" + cross("4", "2", "3", "8", "7"), nil},
		"even who was named": {"1 wants 8 of 2\n3 wants 7 of 1\n3 gets 7\n1 gets 8\n" + cross("4", "2", "3", "8", "7"),
			nil},
		"somebody else named": {"1 wants 8 of 2\n3 wants 7 of 1\n5 wants 7 of 6\n1 gets 8\n3 gets 7\n5 gets 7\n" +
			cross("4", "2", "3", "8", "7"), nil},
		"somebody waits": {"1 wants 8 of 2\n3 wants 7 of 1\n5 waits 7\n1 gets 8\n3 gets 7\n" + cross("4", "2", "3",
			"8", "7"), nil},
		"somebody notifies": {"1 wants 8 of 2\n3 wants 7 of 1\n5 notifies 7\n1 gets 8\n3 gets 7\n" + cross("4", "2",
			"3", "8", "7"), nil},
		"a map's owner is no evidence": {
			"1 notifies 7\n1 wants 8 of 2\n3 wants 7\n1 gets 8\n3 gets 7\n" + cross("4", "2", "3", "8", "7"),
			[]string{"supposed 1:7>8 4:8>7 seen"}},
		"a wait lets go": {"1 wants 7 of 2\n1 gets 7\n1 waits 7\n1 wants 8 of 2\n1 gets 8\n" + cross("4", "2", "3", "8",
			"7"), nil},
		"and comes back": {"1 waits 7\n1 wakes 7\n1 wants 8 of 2\n1 gets 8\n" + cross("4", "2", "3", "8", "7"),
			[]string{"supposed 1:7>8 4:8>7 seen"}},
		"an end lets go": {"1 starts\n1 notifies 7\n1 ends\n1 starts\n1 wants 8 of 2\n1 gets 8\n" + cross("4", "2", "3",
			"8", "7"), nil},
		"still held at the end": {
			cross("1", "2", "3", "7", "8") + "4 wants 7 of 2\n3 wants 8 of 4", []string{"seen 1:7>8 4:8>7"}},
		"a gate is seen": {
			strings.Repeat("1 wants 8 of 2\n3 wants 7 of 1\n5 wants 6 of 1\n1 gets 8\n3 gets 7\n5 gets 6\n", 2) +
				"4 wants 7 of 2\n3 wants 8 of 4\n5 wants 6 of 4\n4 gets 7\n3 gets 8\n5 gets 6\n",
			[]string{"seen 1:7>8*2 4:8>7; gate 6 seen"}},
		"not always a gate": {
			"1 wants 8 of 2\n3 wants 7 of 1\n5 wants 6 of 1\n1 gets 8\n3 gets 7\n5 gets 6\n" + cross("1", "2", "3", "7",
				"8") +
				"4 wants 7 of 2\n3 wants 8 of 4\n5 wants 6 of 4\n4 gets 7\n3 gets 8\n5 gets 6\n",
			[]string{"seen 1:7>8*2 4:8>7"}},
		"a gate can be supposed": {
			"1 notifies 6\n1 wants 8 of 2\n3 wants 7 of 1\n1 gets 8\n3 gets 7\n4 wants 7 of 2\n3 wants 8 of 4\n5 " +
				"wants 6 of 4\n4 gets 7\n3 gets 8\n5 gets 6\n",
			[]string{"seen 4:8>7 1:7>8; gate 6 supposed"}},
		"deadlock": {"1 wants 8 of 2\n2 wants 7 of 1", []string{"deadlock 2:7 1:8"}},
		"deadlock of three, and who is stuck": {
			"1 starts\n1 wants 8 of 2\n2 wants 9 of 3\n3 wants 7 of 1\n4 wants 9 of 3\n5 wants 6 of 4\n6 joins " +
				"1\n8 wants 5 of 77",
			[]string{"deadlock 3:7 1:8 2:9; 4 blocked by 3; 6 joins 1; 5 blocked by 4"}},
		"who joins itself is not stuck because of the deadlock, nor are those who join it": {
			"1 starts\n2 starts\n4 starts\n5 starts\n1 wants 8 of 2\n2 wants 7 of 1\n4 joins 4\n5 joins 4\n6 joins 2",
			[]string{"deadlock 2:7 1:8; 6 joins 2"}},
		"an inversion before the deadlock of the same monitors is not repeated": {
			cross("1", "5", "3", "7", "8") + cross("4", "5", "3", "8", "7") + "1 wants 8 of 2\n2 wants 7 of 1",
			[]string{"deadlock 2:7 1:8"}},
		"but one of others is told": {
			"1 wants 8 of 2\n2 wants 7 of 1\n" + cross("4", "5", "6", "17", "18") + cross("5", "4", "6", "18", "17"),
			[]string{"deadlock 2:7 1:8", "seen 4:17>18 5:18>17"}},
		"a freed id is another object": {cross("1", "2", "3", "7", "8") + "7 freed\n" + cross("4", "2", "3", "8", "7"),
			nil},
		"one moved to the id of another is held as before": {
			"5 notifies 17\n1 notifies 7\n7 moved 17\n1 wants 8 of 2\n1 gets 8\n2 notifies 8\n2 wants 17 of 3\n2 gets 17\n",
			[]string{"supposed 1:17>8 2:8>17"},
		},
		"a moved one is the same": {
			cross("1", "2", "3", "7", "8") + "7 moved 17\n" + cross("4", "2", "3", "8", "17"),
			[]string{"seen 1:17>8 4:8>17"}},
		"blocked on what moves": {
			"1 wants 8 of 2\n8 moved 18\n3 wants 7 of 1\n1 gets 18\n3 gets 7\n" + cross("4", "2", "3", "18", "7"),
			[]string{"seen 1:7>18 4:18>7"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := told(found(t, script(c.trace))); !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestSeveralRecordings: what happens in one recording has nothing to do with another one.
func TestSeveralRecordings(t *testing.T) {
	one, other := script(cross("1", "2", "3", "7", "8")), script(cross("4", "2", "3", "8", "7"))
	if got := told(found(t, one, other)); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	both, loop := script(cross("1", "2", "3", "7", "8")+cross("4", "2", "3", "8", "7")),
		script("1 wants 8 of 2\n2 wants 7 of 1")
	want := []string{"deadlock 2:7 1:8", "deadlock 2:7 1:8", "seen 1:7>8 4:8>7", "seen 1:7>8 4:8>7"}
	report := found(t, loop, both, loop, both)
	if got := told(report); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if b := report.Deadlocks[0].Members[0]; b.Length() != 0 || report.Deadlocks[0].Members[1].Length() != 1e6 {
		t.Errorf("blocked for %d and %d ns; the recording ends with the second enter", b.Length(),
			report.Deadlocks[0].Members[1].Length())
	}
}

// TestDoubts: why a deadlock is only a possible one, and the sentence that says so.
func TestDoubts(t *testing.T) {
	enter := func(thread, at, object, owner, notes string) string {
		return fmt.Sprintf(`<monContendedEnter threadIdRef=%q time=%q objIdRef=%q%s>%s</monContendedEnter>`, thread, at, object, owner, notes)
	}
	const by1, by2, lock = ` threadOwner="1"`, ` threadOwner="2"`, `<annotation name="park" value="lock"/>`
	const timed = lock + `<annotation name="timeoutNanos" value="60000000000"/>`
	const someTime = lock + `<annotation name="timeoutNanos" value="unknown"/>`
	const older = `<annotation name="began" value="unknown"/>`
	const ended, stopped = `<runtimeShutdown time="9"/>`, `<traceEnd time="9"/>`
	const dumps = `<agentCreate agentId="1" agentName="thread dump" agentParameters="sampled" time="1"/>`
	const brief = " It had lasted for 10.0 ms when the recording ended: a thread may have been about to get its lock."
	for name, c := range map[string]struct {
		trace    string
		possible bool
		doubt    string
	}{
		"none":             {enter("1", "3", "71", by2, "") + enter("2", "4", "72", by1, "") + stopped, false, ""},
		"cut off":          {enter("1", "3", "71", by2, "") + enter("2", "4", "72", by1, "") + `<gcStart time="9"/>`, true, ""},
		"just closed":      {enter("1", "8.98", "71", by2, "") + enter("2", "8.99", "72", by1, "") + stopped, true, brief},
		"when a JVM ended": {enter("1", "8.98", "71", by2, "") + enter("2", "8.99", "72", by1, "") + ended, false, ""},
		"seen at once":     {enter("1", "8.99", "71", by2, "") + enter("2", "8.99", "72", by1, "") + stopped, false, ""},
		"since before":     {enter("1", "8.98", "71", by2, older) + enter("2", "8.99", "72", by1, older) + stopped, false, ""},
		"one since before": {enter("1", "8.98", "71", by2, older) + enter("2", "8.99", "72", by1, "") + stopped, true, brief},
		"in thread dumps":  {dumps + enter("1", "8.98", "71", by2, "") + enter("2", "8.99", "72", by1, "") + stopped, false, ""},
		"a timeout of unknown length": {enter("1", "3", "71", by2, someTime) + enter("2", "4", "72", by1, lock) + stopped, true,
			" One of these waits has a timeout."},
		"a timeout": {enter("1", "3", "71", by2, timed) + enter("2", "4", "72", by1, lock) + stopped, true,
			" One of these waits has a timeout."},
		"an inferred owner": {`<monContendedEntered threadIdRef="2" time="2" objIdRef="71"/>` + enter("1", "3", "71", "", "") +
			enter("2", "4", "72", by1, "") + ended, true,
			" Who holds one of the locks is concluded from earlier events: it may have been released since."},
	} {
		document := `<TRACE><threadStart threadId="1" time="1" threadName="a"/><threadStart threadId="2" time="1" threadName="b"/>` + c.trace + `</TRACE>`
		report := found(t, document, "<TRACE>"+ended+"</TRACE>") // the end of another recording is not this one's
		if len(report.Deadlocks) != 1 {
			t.Errorf("%s: %d deadlocks, want 1", name, len(report.Deadlocks))
			continue
		}
		d := &report.Deadlocks[0]
		text := report.Sentence(d)
		if report.IsPossible(d) != c.possible || strings.HasPrefix(text, "Possible") != c.possible ||
			!strings.HasSuffix(text, " wants object 71."+c.doubt) && !strings.HasSuffix(text, " wants object 72."+c.doubt) {
			t.Errorf("%s: %q, want possible %v, with %q", name, text, c.possible, c.doubt)
		}
		if trees := report.Answer(deadlock.Options{}).Report().Trees; strings.Contains(trees[0].Title, "for ever") == c.possible {
			t.Errorf("%s: %q", name, trees[0].Title)
		}
	}
}

// TestStacksRefute: a monitor that was entered in a call that is over is not held.
func TestStacksRefute(t *testing.T) {
	const methods = `<classDef name="app/Main" sourceName="Main.java" classId="1" time="999.0"/><methodDef name="run" signature="()V" methodId="1" classIdRef="1"/>` +
		`<methodDef name="one" signature="()V" methodId="2" classIdRef="1"/><methodDef name="two" signature="()V" methodId="3" classIdRef="1"/>`
	for stacks, held := range map[[2]string]bool{
		{"2:5 1:10", "3:7 2:6 1:10"}: true,  // inside, a line further
		{"2:5 1:10", "2:9 1:10"}:     true,  // the same call
		{"2:5 1:10", "3:7 1:11"}:     false, // one after the other
		{"2:5 1:10", "2:5 1:11"}:     false, // another call
		{"2:5 1:10", "1:11"}:         false,
		{"2 1", "3 2 1"}:             true,
		{"2 1", "3 1"}:               false,
		{"2:5", "3:7 1:11"}:          true, // the outer calls were not recorded
		{"2:5 1:10", "3:7"}:          true,
		{"", "3:7 1:11"}:             true,
		{"2:5 1:10", ""}:             true,
	} {
		at := func(element, stack string) string {
			if stack == "" {
				return element + "/>\n"
			}
			name, _, _ := strings.Cut(element[1:], " ")
			return element + `><annotation name="stack" value="` + stack + `"/></` + name + ">\n"
		}
		document := "<TRACE>" + methods +
			at(`<monContendedEnter threadIdRef="1" time="1000.1" objIdRef="7" threadOwner="2"`, stacks[0]) +
			`<monContendedEntered threadIdRef="1" time="1000.2" objIdRef="7"/>` +
			at(`<monContendedEnter threadIdRef="1" time="1000.3" objIdRef="8" threadOwner="2"`, stacks[1]) +
			`<monContendedEntered threadIdRef="1" time="1000.4" objIdRef="8"/>` +
			`<callNotify threadId="4" time="1000.5" objIdRef="8"/>` +
			`<monContendedEnter threadIdRef="4" time="1000.6" objIdRef="7" threadOwner="2"/><monContendedEntered threadIdRef="4" time="1000.7" objIdRef="7"/></TRACE>`
		want := 0
		if held {
			want = 1
		}
		if report := found(t, document); len(report.Supposed()) != want {
			t.Errorf("%q: got %v", stacks, told(report))
		}
	}
}

// TestRecordedTraces: the comments of testdata/Inversion.java say what its threads did.
func TestRecordedTraces(t *testing.T) {
	for name, want := range map[string][]string{
		"../../testdata/recorded/deadlock-jdk17":  {"deadlock 13:1011 12:1010; 14 blocked by 12"},
		"../../testdata/recorded/deadlock-jdk25":  {"deadlock 22:1011 21:1010; 23 blocked by 21"},
		"../../testdata/recorded/warehouse-jdk17": nil,
		"../../testdata/recorded/warehouse-jdk25": nil,
		"testdata/inversion-jdk17":                {"seen 13:1073>1064 16:1064>1073"},
		"testdata/inversion-jdk25":                {"seen 22:1075>1066 25:1066>1075"},
		"testdata/sequence-jdk17":                 nil,
		"testdata/sequence-jdk25":                 nil,
	} {
		text, err := os.ReadFile(name + ".trcxml")
		if err != nil {
			t.Fatal(err)
		}
		report := found(t, string(text))
		report.Inversions = report.Seen()
		if got := told(report); !slices.Equal(got, want) {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// TestHostileNames: whatever names threads and classes have, each format stays valid.
func TestHostileNames(t *testing.T) {
	plainText, plainMarkdown, _ := printed(t, "plain")
	for _, name := range []string{
		"</script><img src=x onerror=alert(1)>", strings.Repeat("long", 2500), `\u0000`, `\uD800`, "\u202Egnol", "😀",
		`quo"te'`, "two\nlines", `\u001B[31m`, "a|b`c*d",
	} {
		text, markdown, object := printed(t, name)
		if strings.ContainsAny(text+markdown, "\x00\x1b\u202e") || strings.Count(text, "\n") != strings.Count(plainText,
			"\n") || len(text) > 2000 {
			t.Errorf("%q: the text is\n%s", name, text)
		}
		if strings.Contains(markdown, "<") || strings.Count(markdown, "\n") != strings.Count(plainMarkdown, "\n") {
			t.Errorf("%q: the Markdown is\n%s", name, markdown)
		}
		var decoded struct {
			Deadlocks []struct{ Threads []struct{ Name string } }
		}
		if err := json.Unmarshal([]byte(object), &decoded); err != nil || strings.Count(object, "\n") != 1 {
			t.Fatalf("%q: %v in the JSON\n%s", name, err, object)
		}
		// Go has no lone surrogates
		want := strings.NewReplacer(`\u0000`, "\x00", `\uD800`, "\uFFFD", `\u001B`, "\x1b").Replace(name)
		if got := decoded.Deadlocks[0].Threads[0].Name; got != want {
			t.Errorf("the name %q is %q in the JSON", want, got)
		}
	}
}

// printed is a deadlock of two threads of the name, in all formats.
func printed(t *testing.T, name string) (text, markdown, object string) {
	document := strings.NewReplacer("name-1", escaped(name), "name-2", escaped(name)).
		Replace(script("1 starts\n2 starts\n1 wants 8 of 2\n2 wants 7 of 1"))
	report := found(t, document)
	var a, b, c bytes.Buffer
	all := report.Answer(deadlock.Options{})
	for _, err := range []error{answers.WriteText(&a, all, answers.Options{}),
		answers.WriteMarkdown(&b, all, answers.Options{}), answers.WriteJSON(&c, all)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return a.String(), b.String(), c.String()
}

func escaped(name string) string {
	return string(xmltext.AppendValue(nil, []byte(name)))
}

// TestManyMonitors: a trace that always uses new monitors and threads leaves next to nothing in memory.
func TestManyMonitors(t *testing.T) {
	var lines strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&lines, "%d starts\n%d wants %d\n%d gets %d\n%d notifies %d\n%d ends\n", i, i, 2*i, i, 2*i, i,
			2*i+1, i)
	}
	finder := deadlock.NewFinder()
	enricher := enrich.New(finder, enrich.Options{})
	if err := enricher.Begin(0); err != nil {
		t.Fatal(err)
	}
	if _, err := trcxml.Read(context.Background(), strings.NewReader(script(lines.String())), trcxml.Options{},
		enricher.Put); err != nil {
		t.Fatal(err)
	}
	if threads, monitors := finder.Known(); threads > 10 || monitors > 3000 {
		t.Errorf("%d threads and %d monitors are kept", threads, monitors)
	}
}

// TestTooMuch: the time for a dense graph is limited, and the report says that not all was searched.
func TestTooMuch(t *testing.T) {
	var lines strings.Builder
	const monitors = 60
	for a := range monitors {
		for b := range monitors {
			if a != b {
				lines.WriteString(cross(fmt.Sprint(1000+a*monitors+b), "1", "2", fmt.Sprint(a+10), fmt.Sprint(b+10)))
			}
		}
	}
	report := found(t, script(lines.String()))
	if len(report.Seen()) != 1000 || !report.Omitted[deadlock.Seen].Search || len(report.Seen()[0].Orders) != 2 {
		t.Errorf("%d inversions, left %+v", len(report.Seen()), report.Omitted)
	}
	var text bytes.Buffer
	if err := answers.WriteText(&text, report.Answer(deadlock.Options{Max: 2}), answers.Options{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "inversions that were seen reached its limit") ||
		strings.Count(text.String(), "\n") > 60 {
		t.Errorf("the text is\n%s", text.String())
	}
}

// TestAwaited: a report says what its deadlocks leave out: tasks that are not done, and locks that readers hold.
func TestAwaited(t *testing.T) {
	const begin = `<TRACE><threadStart threadId="1" time="1" threadName="main"/><threadStart threadId="2" time="1" threadName="w"/>` +
		`<annotation name="state" value="5 2 permits=0 queued=1"/>`
	waits := func(thread, object string) string {
		return fmt.Sprintf(`<monWait threadIdRef=%q time="1" objIdRef=%q timeout="0"><annotation name="park" value="wait"/></monWait>`, thread, object)
	}
	const ended = `<monWaited threadIdRef="1" time="5" objIdRef="6" timeout="0" isTimedOut="0"/>`
	const one = "Threads wait at the end for 1 task or lock that readers hold: trcx why finds deadlocks of these, too."
	for states, want := range map[string]string{
		"": "",
		waits("1", "6") + waits("2", "7") + `<annotation name="state" value="6 2 done=0 runner=1"/><annotation name="state" value="7 2 done=1 runner=0"/>`: one,
		waits("1", "6") + waits("2", "6") + `<annotation name="state" value="6 2 done=0"/><annotation name="state" value="6 3 done=0"/>`:                   one,
		waits("1", "6") + `<annotation name="state" value="6 2 done=0"/>` + ended:                                                                          "",
		waits("1", "6") + `<annotation name="state" value="6 2 done=0"/><annotation name="state" value="7 2 owner=0 holds=0 readers=2"/>` +
			`<monContendedEnter threadIdRef="2" time="2" objIdRef="7" threadOwner="0"><annotation name="park" value="lock"/></monContendedEnter>`: "for 2 tasks or " +
			"locks that readers hold:",
	} {
		note := found(t, begin+states+`</TRACE>`).Answer(deadlock.Options{}).Report().Note
		if strings.Contains(note, "Threads wait at the end") != (want != "") || !strings.Contains(note, want) {
			t.Errorf("%s: %q, want %q", states, note, want)
		}
	}
}
