package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/emit/internal/theme"
	"github.com/trcx/trcx/emit/page"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// indexed returns the index of a document.
func indexed(t testing.TB, document []byte) *timeline.Index {
	t.Helper()
	recorder, err := timeline.NewRecorder("", false)
	sinktest.Check(t, err)
	t.Cleanup(func() { recorder.Index().Close() })
	sinktest.Read(t, recorder, document)
	return recorder.Index()
}

// TestAboutNamesThreadsWithoutEvents: nothing is claimed of a thread that is only described; a thread that has notified
// another one has events.
func TestAboutNamesThreadsWithoutEvents(t *testing.T) {
	recorder, err := timeline.NewRecorder("", false)
	sinktest.Check(t, err)
	t.Cleanup(func() { recorder.Index().Close() })
	sinktest.Check(t, recorder.Put(&trace.ModelThread{Key: 1, Name: "silent"}))
	sinktest.Check(t, recorder.Put(&trace.Summary{Start: 1, HasStart: true, Last: 9}))
	notifier := indexed(t, []byte(`<TRACE><traceStart time="1.0"/><callNotify threadIdRef="8" time="1.3" objIdRef="7"/>`+
		`</TRACE>`))
	for _, c := range []struct {
		index *timeline.Index
		want  int
	}{{recorder.Index(), 1}, {notifier, 0}} {
		text, err := (&page.About{Index: c.index}).JSON()
		sinktest.Check(t, err)
		var about struct {
			Threads struct{ Key, Silent []trace.ThreadKey }
		}
		sinktest.Check(t, json.Unmarshal(text, &about))
		if len(about.Threads.Key) != 1 || len(about.Threads.Silent) != c.want {
			t.Errorf("of the threads %v these have no events: %v, want %d", about.Threads.Key, about.Threads.Silent, c.want)
		}
	}
}

// windowDocument is the JSON of a window, as web/source.ts describes it.
type windowDocument struct {
	From, To, Resolution int64
	Objects              [][]any
	Frames               [][]any
	Stacks               []struct {
		Frames  []int
		Omitted int
	}
	Lanes []struct {
		Thread                       trace.ThreadKey
		Spans, Mixes, Instants, Path map[string][]int64
	}
	Arrows        map[string][]int64
	ArrowsOmitted uint64
}

// read reads a window, and fills in absent columns.
func read(t *testing.T, w *timeline.Window) *windowDocument {
	t.Helper()
	text := page.AppendWindow(nil, w)
	var d windowDocument
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		t.Fatalf("%v in %.400s", err, text)
	}
	return &d
}

// at is the number in a column's row, or 0 if the column is absent.
func at(columns map[string][]int64, name string, row int) int64 {
	if column := columns[name]; column != nil {
		return column[row]
	}
	return 0
}

// TestWindowSaysEverything: the columns and tables have all that the window has.
func TestWindowSaysEverything(t *testing.T) {
	for name, document := range sinktest.Documents(t, "../..") {
		x := indexed(t, document)
		for _, resolution := range []int64{0, 1 << 22} {
			w, err := x.Window(t.Context(), timeline.Request{Threads: x.Keys(), To: x.Duration(),
				Resolution: resolution, Arrows: 1 << 30})
			sinktest.Check(t, err)
			d := read(t, w)
			if got, want := d.told(), told(w); got != want {
				t.Fatalf("%s at %d: the page reads\n%.2000s\nwant\n%.2000s", name, resolution, got, want)
			}
		}
	}
}

// told writes a window as text.
func told(w *timeline.Window) string {
	var b strings.Builder
	for _, l := range w.Lanes {
		fmt.Fprintln(&b, "lane", l.Thread)
		for _, s := range l.Spans {
			flags := 0
			for i, set := range []bool{s.Open, s.TimedOut, s.Inferred} {
				if set {
					flags |= 1 << i
				}
			}
			flags |= int(s.IO) << 3
			if s.Park {
				flags |= 64
			}
			if s.Init {
				flags |= 128
			}
			fmt.Fprintln(&b, s.Begin, s.End, uint8(s.State), s.Event, object(s.Object), s.Other, frame(s.Caller),
				frame(s.OtherCaller), stack(s.Stack), s.Timeout, flags)
		}
		for _, m := range l.Mixes {
			fmt.Fprintln(&b, m.Begin, m.End, m.Count, m.Times)
		}
		for _, i := range l.Instants {
			fmt.Fprintln(&b, i.Time, uint8(i.Type), i.Count, i.Event, object(i.Object), i.Other, stack(i.Stack))
		}
	}
	for _, a := range w.Arrows {
		fmt.Fprintln(&b, uint8(a.Type), a.From, a.To, a.Waited)
	}
	fmt.Fprintln(&b, w.From, w.To, w.Resolution, w.ArrowsOmitted)
	return b.String()
}

func object(o timeline.Object) string {
	if o == (timeline.Object{}) {
		return "none"
	}
	text := fmt.Sprintf("%q %q %d", o.ID, o.Class, o.Session)
	if o.Lock != "" {
		text += fmt.Sprintf(" of %q %q", o.Lock, javaname.SimpleClass(o.LockClass))
	}
	return text
}

func frame(f timeline.Frame) string {
	if f == (timeline.Frame{}) {
		return "none"
	}
	text := fmt.Sprintf("%q %q %q %d", f.Class, f.Method, f.File, f.Line)
	if f.Inner != "" {
		text += fmt.Sprintf(" %q", f.Inner)
	}
	return text
}

func stack(s *timeline.Stack) (text string) {
	if s == nil {
		return "none"
	}
	for _, f := range s.Frames {
		text += frame(f) + " "
	}
	return text + fmt.Sprint(s.Omitted)
}

// told writes what a page reads as text.
func (d *windowDocument) told() string {
	var b strings.Builder
	for _, l := range d.Lanes {
		fmt.Fprintln(&b, "lane", l.Thread)
		end := int64(0)
		for i := range l.Spans["gap"] {
			s := func(name string) int64 { return at(l.Spans, name, i) }
			begin := end + s("gap")
			end = begin + s("length")
			fmt.Fprintln(&b, begin, end, s("state"), s("event"), d.object(s("object")), s("other"),
				d.frame(s("caller")), d.frame(s("otherCaller")), d.stack(s("stack")),
				s("timeout"), s("flags"))
		}
		end = 0
		const n = int(timeline.StateCount)
		for i := range l.Mixes["gap"] {
			begin := end + l.Mixes["gap"][i]
			end = begin + at(l.Mixes, "length", i)
			fmt.Fprintln(&b, begin, end, at(l.Mixes, "count", i), l.Mixes["times"][n*i:n*i+n])
		}
		end = 0
		for i := range l.Instants["gap"] {
			n := func(name string) int64 { return at(l.Instants, name, i) }
			end += n("gap")
			fmt.Fprintln(&b, end, n("type"), n("count"), n("event"), d.object(n("object")), n("other"),
				d.stack(n("stack")))
		}
	}
	for i := range d.Arrows["type"] {
		a := func(name string) int64 { return at(d.Arrows, name, i) }
		from := timeline.End{Event: trace.EventID(a("event")), Thread: trace.ThreadKey(a("thread")), Time: a("time")}
		to := timeline.End{Event: trace.EventID(a("toEvent")), Thread: trace.ThreadKey(a("toThread")),
			Time: a("toTime")}
		fmt.Fprintln(&b, a("type"), from, to, a("waited"))
	}
	fmt.Fprintln(&b, d.From, d.To, d.Resolution, d.ArrowsOmitted)
	return b.String()
}

func (d *windowDocument) object(number int64) string {
	if number == 0 {
		return "none"
	}
	o := d.Objects[number-1]
	text := fmt.Sprintf("%q %q %v", o[0], o[1], o[2])
	if len(o) > 3 {
		text += fmt.Sprintf(" of %q %q", o[3], o[4])
	}
	return text
}

func (d *windowDocument) frame(number int64) string {
	if number == 0 {
		return "none"
	}
	f := d.Frames[number-1]
	text := fmt.Sprintf("%q %q %q %v", f[0], f[1], f[2], f[3])
	if len(f) > 4 {
		text += fmt.Sprintf(" %q", f[4])
	}
	return text
}

func (d *windowDocument) stack(number int64) (text string) {
	if number == 0 {
		return "none"
	}
	s := d.Stacks[number-1]
	for _, f := range s.Frames {
		text += d.frame(int64(f)) + " "
	}
	return text + fmt.Sprint(s.Omitted)
}

// reported returns the report of a document.
func reported(t testing.TB, document []byte, name string) string {
	t.Helper()
	x := indexed(t, document)
	w, err := x.Extract(t.Context(), x.Keys(), 0, x.Duration(), 1<<20, 1000)
	sinktest.Check(t, err)
	report := page.Report{Window: w, Path: []byte(`{"verdict":"</script><b>"}`),
		Blame: []byte(`{"headline":"</script><b>"}`), Statistics: []byte(`{}`),
		About: &page.About{
			Name: name, Traces: []string{name}, Verdicts: []page.Verdict{{About: "path", Text: name}},
			Notes: []string{name}, Index: x,
		}}
	var out bytes.Buffer
	sinktest.Check(t, report.Write(&out))
	return out.String()
}

// scripts matches the page's script elements and their ids: "" for the page's own script.
var scripts = regexp.MustCompile(`(?s)<script(?: type="application/json" id="([a-z]+)")?>(.*?)</script>`)

// TestReportIsHarmless: whatever names the trace has, the page has only its own elements, and the data are read back
// unchanged.
func TestReportIsHarmless(t *testing.T) {
	testtool.Long(t)
	plain := elements(reported(t, []byte("<TRACE/>"), "plain"))
	for _, name := range append(sinktest.Hostile, "<!--trcx:data-->", "\u2028\u2029", "]]>", "--></title>") {
		text := reported(t, sinktest.HostileDocument(), name)
		if got := elements(text); got != plain {
			t.Fatalf("%q: the page has the elements %s, want %s", name, got, plain)
		}
		for _, script := range scripts.FindAllStringSubmatch(text, -1) {
			if script[1] == "" {
				continue
			}
			if strings.ContainsAny(script[2], "<>&\u2028\u2029") || !json.Valid([]byte(script[2])) {
				t.Errorf("%q: the data %s are %.300s", name, script[1], script[2])
			}
		}
	}
	var about struct {
		Threads struct{ Name []string }
	}
	for _, script := range scripts.FindAllStringSubmatch(reported(t, sinktest.HostileDocument(), "x"), -1) {
		if script[1] == "about" {
			sinktest.Check(t, json.Unmarshal([]byte(script[2]), &about))
		}
	}
	for i, want := range sinktest.Hostile {
		if got := about.Threads.Name[i]; got != want && !strings.Contains(want, "\xED\xA0\x80") {
			t.Errorf("thread %d is called %q, want %q", i, got, want)
		}
	}
}

// elements returns the names of a page's elements, without the page's own style and script.
func elements(text string) string {
	text = scripts.ReplaceAllString(text, "<script></script>")
	text = regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(text, "<style></style>")
	return fmt.Sprint(regexp.MustCompile(`<[/!a-zA-Z][a-zA-Z0-9-]*`).FindAllString(text, -1))
}

// TestPolicyIsThatOfThePage: the policy has the hashes of the page's own script and style, and allows nothing else.
func TestPolicyIsThatOfThePage(t *testing.T) {
	text := reported(t, []byte("<TRACE/>"), "x")
	if n := strings.Count(text, "'sha256-"); n != 2 {
		t.Errorf("the policy has %d texts, want 2", n)
	}
	for _, wanted := range []string{"default-src 'none'", "base-uri 'none'", "form-action 'none'", "img-src data:;"} {
		if !strings.Contains(text, wanted) {
			t.Errorf("the policy has no %s", wanted)
		}
	}
	for _, unwanted := range []string{"unsafe-", "<!--trcx:", "http://", "https://"} {
		if head, _, _ := strings.Cut(text, "<style>"); strings.Contains(head, unwanted) {
			t.Errorf("the head of the page has %s", unwanted)
		}
	}
}

// TestLooksAreThoseOfTheTimeline: the tables of looks have an entry for each code.
func TestLooksAreThoseOfTheTimeline(t *testing.T) {
	if len(theme.States) != int(timeline.StateCount)+1 || len(theme.Interactions) != int(timeline.InteractionCount) {
		t.Errorf("%d states and %d interactions have looks", len(theme.States), len(theme.Interactions))
	}
}

// FuzzHarmless: the data of a page are read back unchanged, whatever text they contain.
func FuzzHarmless(f *testing.F) {
	for _, name := range sinktest.Hostile {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want, err := json.Marshal(text)
		sinktest.Check(t, err)
		got := page.Harmless(want)
		var back, was string
		sinktest.Check(t, json.Unmarshal(got, &back))
		sinktest.Check(t, json.Unmarshal(want, &was))
		if back != was || bytes.ContainsAny(got, "<>&\u2028\u2029") {
			t.Errorf("%q became %q", was, got)
		}
	})
}

// TestDetailAndOverviewAreJSON: the server's details and overviews are JSON with the keys that the page reads.
func TestDetailAndOverviewAreJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	x := indexed(t, sinktest.HostileDocument())
	for range 200 {
		d, err := x.Detail(trace.ThreadKey(1+random.IntN(x.Size())),
			trace.EventID(random.Uint64N(uint64(x.Events)+1)))
		sinktest.Check(t, err)
		if d == nil {
			continue
		}
		text, err := page.DetailJSON(d)
		sinktest.Check(t, err)
		var read struct {
			Event           trace.EventID
			Type            string
			Stack           [][]any
			Object          []any
			Causes, Effects []map[string]int64
		}
		sinktest.Check(t, json.Unmarshal(text, &read))
		if read.Type != d.Type.String() || read.Causes == nil || read.Effects == nil {
			t.Errorf("the page reads %+v of %+v", read, d)
		}
	}
	o, err := x.Overview(t.Context(), x.Keys(), 10)
	sinktest.Check(t, err)
	text, err := page.OverviewJSON(o)
	sinktest.Check(t, err)
	var read timeline.Overview
	sinktest.Check(t, json.Unmarshal(text, &read))
	if fmt.Sprint(read) != fmt.Sprint(*o) {
		t.Errorf("the page reads %v of %v", read, *o)
	}
}
