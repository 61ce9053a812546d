package stackprofile_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/stackprofile"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/trace"
)

const root = "../.."

// sums adds samples up by their states.
func sums(samples []stackprofile.Sample) map[string]stackprofile.Sum {
	all := make(map[string]stackprofile.Sum)
	for _, s := range samples {
		sum := all[s.State.String()]
		all[s.State.String()] = stackprofile.Sum{Count: sum.Count + s.Count, Delay: sum.Delay + s.Delay}
	}
	return all
}

// expected is what the oracle's intervals add up to.
func expected(intervals []sinktest.Interval, states stackprofile.States) map[string]stackprofile.Sum {
	all := make(map[string]stackprofile.Sum)
	for _, interval := range intervals {
		if one, err := stackprofile.ParseStates(interval.State); err == nil && states&one != 0 {
			sum := all[interval.State]
			all[interval.State] = stackprofile.Sum{Count: sum.Count + 1, Delay: sum.Delay + interval.Length}
		}
	}
	return all
}

// TestSumsAreTheOracles: in each state the samples add up to what the model has, whatever is left out.
func TestSumsAreTheOracles(t *testing.T) {
	for name, document := range sinktest.Documents(t, root) {
		intervals := sinktest.Intervals(t, document)
		for _, states := range []stackprofile.States{stackprofile.Of(stackprofile.Blocked), stackprofile.Of(stackprofile.Waited, stackprofile.Slept), stackprofile.All} {
			want := expected(intervals, states)
			for _, detail := range []stackprofile.Detail{stackprofile.Everything, stackprofile.WithoutMonitors} {
				one := stackprofile.New(stackprofile.Options{States: states, Detail: detail})
				sinktest.Read(t, one, document)
				if got := sums(one.Samples()); !maps.Equal(got, want) {
					t.Errorf("%s: the %v, detail %d: got %v, want %v", name, states, detail, got, want)
				}
			}
		}
	}
}

// TestTooMuchIsFolded: with a limit of few samples or names the sums stay the same, the samples stay few, and a note
// says so.
func TestTooMuchIsFolded(t *testing.T) {
	limits := []struct{ samples, bytes int }{{1, 1 << 20}, {8, 1 << 20}, {64, 1 << 20}, {1000, 1}, {1000, 4000}}
	folded := make([]bool, len(limits))
	for name, document := range sinktest.Documents(t, root) {
		want := expected(sinktest.Intervals(t, document), stackprofile.All)
		for i, limit := range limits {
			one := stackprofile.New(stackprofile.Options{States: stackprofile.All, MaxSamples: limit.samples,
				MaxBytes: limit.bytes})
			sinktest.Read(t, one, document)
			samples := one.Samples()
			if got := sums(samples); !maps.Equal(got, want) {
				t.Errorf("%s with %v: got %v, want %v", name, limit, got, want)
			}
			if len(samples) > 5*(limit.samples+1) { // each call stack may occur in each state
				t.Errorf("%s: %d samples, the limit is %d", name, len(samples), limit.samples)
			}
			folded[i] = folded[i] || len(one.Notes()) > 0
		}
	}
	for i, said := range folded {
		if !said {
			t.Errorf("%v was enough for everything; the test shows nothing", limits[i])
		}
	}
}

// teller gives a Profile a thread that was held up, as the stream would.
type teller struct {
	*stackprofile.Profile
	now     trace.Time
	classes map[string]string
}

func (s *teller) object(id, class string) {
	if s.classes == nil {
		s.classes = make(map[string]string)
	}
	s.classes[id] = class
	s.Put(&trace.ModelObject{ID: trace.ObjectFrom([]byte(id)), Class: class})
}

func (s *teller) blocked(thread trace.ThreadRef, object string, frames ...string) {
	stack := &trace.Stack{}
	for _, frame := range frames {
		class, method, _ := strings.Cut(frame, ".")
		stack.Frames = append(stack.Frames, trace.Frame{Method: &trace.ModelMethod{Class: class, Name: method},
			Line: trace.NoLine})
	}
	if len(frames) == 0 {
		stack = nil
	}
	s.now += 10
	s.Put(&trace.Interval{ModelEvent: trace.ModelEvent{Type: trace.WaitingForLock, Thread: thread, Time: s.now,
		Object: trace.ObjectFrom([]byte(object)), Class: s.classes[object], Stack: stack}, End: s.now + 5})
}

func ref(key int) trace.ThreadRef {
	return trace.ThreadRef{Key: trace.ThreadKey(key), ID: trace.ThreadFrom(fmt.Append(nil, key))}
}

func words(t *stackprofile.Profile) string {
	var all []string
	for _, s := range t.Samples() {
		var places []string
		for _, place := range s.Stack {
			places = append(places, t.Function(t.Place(place).Function).Title("."))
		}
		all = append(all, fmt.Sprintf("%s %s|%s|%s|%s %d %d", strings.Join(places, "<"), s.Thread, s.Other, s.Monitor,
			s.MonitorID, s.Count, s.Delay))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// TestNamesThatCameLater: what the trace says later about threads and monitors also holds for earlier samples, and
// samples that become equal are merged.
func TestNamesThatCameLater(t *testing.T) {
	s := &teller{Profile: stackprofile.New(stackprofile.Options{States: stackprofile.All})}
	s.Put(&trace.ModelThread{Key: 1, ID: ref(1).ID})
	s.object("9", "")
	s.blocked(ref(1), "9", "app/Cache.load", "app/Main.-init-")
	s.Put(&trace.ModelThread{Key: 1, ID: ref(1).ID, Name: "main"})
	s.object("9", "app/Lock")
	s.blocked(ref(1), "9", "app/Cache.load", "app/Main.-init-")
	s.Put(&trace.ModelThread{Key: 2, ID: ref(2).ID})
	s.blocked(ref(2), "9")
	s.object("9", "app/Other") // the id is another object's now
	s.blocked(ref(2), "9")
	const want = "[no call stack] thread 2||app/Lock|9 1 5\n" +
		"[no call stack] thread 2||app/Other|9 1 5\n" +
		"app.Cache.load<app.Main.<init> main||app/Lock|9 2 10"
	if got := words(s.Profile); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestStepsOfDetail: ids are left out first, call stacks last, and the samples say so.
func TestStepsOfDetail(t *testing.T) {
	s := &teller{Profile: stackprofile.New(stackprofile.Options{States: stackprofile.All, MaxSamples: 50,
		MaxBytes: 1 << 20})}
	s.Put(&trace.ModelThread{Key: 1, ID: ref(1).ID, Name: "main"})
	step := func(thread, object, method int) string {
		s.Put(&trace.ModelThread{Key: trace.ThreadKey(thread), ID: ref(thread).ID,
			Name: fmt.Sprint("thread-", thread)})
		s.object(fmt.Sprint(object), fmt.Sprint("Lock", object/100))
		s.blocked(ref(thread), fmt.Sprint(object), fmt.Sprint("app/Main.m", method))
		return strings.Join(s.Notes(), "; ")
	}
	const left = "left out, since there were more than 50 different samples or 0 MiB of names: the ids of monitors"
	for _, phase := range []struct {
		what                    string
		threads, objects, calls int
		want                    string
	}{
		{"many ids", 1, 99, 1, left},
		{"many classes", 1, 60 * 100, 1, left + ", the other thread, the classes of monitors"},
		{"many threads", 60, 1, 1, left + ", the other thread, the classes of monitors, the names of threads"},
	} {
		notes := ""
		for i := range max(phase.threads, phase.objects, phase.calls) {
			notes = step(2+i%phase.threads, 1+i%phase.objects, i%phase.calls)
		}
		if want := strings.ReplaceAll(phase.want, "or 0 MiB", "or 1 MiB"); notes != want {
			t.Errorf("%s: it is said %q, want %q", phase.what, notes, want)
		}
	}
	notes := ""
	for i := range 1000 {
		notes = step(1, 1, i)
	}
	if !strings.HasSuffix(notes,
		"; in [others], since there were too many different call stacks: 950 delays of together 4750 ns") {
		t.Errorf("many stacks: it is said %q", notes)
	}
	if s.Size() > 250 {
		t.Errorf("%d entries are kept", s.Size())
	}
}

// TestMemoryIsBounded: little is kept, whatever the trace has and however long it is.
func TestMemoryIsBounded(t *testing.T) {
	s := &teller{Profile: stackprofile.New(stackprofile.Options{States: stackprofile.All, MaxSamples: 100,
		MaxBytes: 1 << 20})}
	for i := 1; i < 20_000; i++ {
		s.Put(&trace.ModelThread{Key: trace.ThreadKey(i), ID: ref(i).ID, Name: fmt.Sprint("thread-", i)})
		s.object(fmt.Sprint(i), fmt.Sprint("Lock", i))
		s.blocked(ref(i), fmt.Sprint(i), fmt.Sprint("app/Main.m", i))
	}
	if s.Size() > 600 {
		t.Errorf("%d entries are kept", s.Size())
	}
}

func TestTitles(t *testing.T) {
	for f, want := range map[stackprofile.Function]string{
		{Class: "app/Cache", Name: "load"}:                             "app.Cache.load",
		{Class: "app/Cache$Slot", Name: "-init-"}:                      "app.Cache$Slot.<init>",
		{Class: "Main", Name: "-clinit-"}:                              "Main.<clinit>",
		{Class: "app/Main$$Lambda$14/0x00007f87d4000c18", Name: "run"}: "app.Main$$Lambda$14.run",
		{Class: "app/Main$$Lambda$14.0x00007f87d4000c18", Name: "run"}: "app.Main$$Lambda$14.run",
		{Class: "app/Main$$Lambda/0x00007f87d4000c18/0x1",
			Name: "-deduct-"}: "app.Main$$Lambda.0x00007f87d4000c18.-deduct-",
		{Name: "lonely"}: "lonely",
		{}:               "[unknown method]",
		{Class: "a/B"}:   "a.B.",
	} {
		if got := f.Title("."); got != want {
			t.Errorf("%+v is called %s, want %s", f, got, want)
		}
	}
}

func TestChoices(t *testing.T) {
	for text, want := range map[string]string{
		"blocked": "blocked", "slept,blocked": "blocked,slept", "all": "blocked,waited,timed,joined,slept",
		"timed,timed": "timed",
		"":            "", "Blocked": "", "blocked,": "", "blocked waited": "", "none": "",
	} {
		states, err := stackprofile.ParseStates(text)
		if states.String() != want || (err == nil) != (want != "") {
			t.Errorf("ParseStates(%q) = %v, %v; want %q", text, states, err, want)
		}
	}
	if _, err := stackprofile.ParseStates("parked"); err == nil ||
		!strings.Contains(err.Error(), `"parked": want blocked, waited, timed, joined, slept`) {
		t.Errorf("a wrong state: %v", err)
	}
}

func BenchmarkSegment(b *testing.B) {
	one := stackprofile.New(stackprofile.Options{States: stackprofile.All})
	var stacks []*trace.Stack
	for i := range 50 {
		stacks = append(stacks,
			&trace.Stack{
				Frames: []trace.Frame{{Method: &trace.ModelMethod{Class: "app/Main", Name: fmt.Sprint("m", i)}}}})
	}
	for i := range 20 {
		one.Put(&trace.ModelThread{Key: trace.ThreadKey(i + 1), ID: ref(i + 1).ID, Name: fmt.Sprint("worker ", i)})
	}
	id := trace.ObjectFrom([]byte("7"))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		one.Put(&trace.Interval{ModelEvent: trace.ModelEvent{Type: trace.WaitingForLock, Thread: refs[i%20],
			Other: refs[(i+1)%20], Object: id, Class: "app/Lock", Stack: stacks[i%50]}, End: 5})
	}
}

var refs = func() (all [20]trace.ThreadRef) {
	for i := range all {
		all[i] = ref(i + 1)
	}
	return all
}()
