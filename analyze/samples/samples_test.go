package samples_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/samples"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// methods defines app.Main.spin, inner and other (50 to 52), a native wait (60) and read (61), and three threads.
const methods = `<classDef name="app/Main" sourceName="Main.java" classId="5"/><methodDef name="spin" methodId="50" classIdRef="5"/>` +
	`<methodDef name="inner" methodId="51" classIdRef="5"/><methodDef name="other" methodId="52" classIdRef="5"/>` +
	`<classDef name="sun/nio/ch/EPoll" classId="6"/><methodDef name="wait" methodId="60" classIdRef="6"/>` +
	`<classDef name="java/net/SocketInputStream" classId="7"/><methodDef name="socketRead0" methodId="61" classIdRef="7"/>` +
	`<threadStart threadId="9" time="100" threadName="JVM"/><threadStart threadId="7" time="100" threadName="spinner"/><threadStart threadId="8" time="100" threadName="other"/>`

// dumps begins a trace of thread dumps.
const dumps = `<agentCreate agentId="1" agentName="thread dump" agentType="Profiler" time="100"/>`

// summary describes the Summary of the document: each busy thread, and the sentence.
func summary(t *testing.T, document string) string {
	t.Helper()
	var c samples.Collector
	names := map[trace.ThreadKey]string{}
	if err := trace.Copy(trace.SinkFunc(func(r trace.Record) error {
		if named, is := r.(*trace.ModelThread); is {
			names[named.Key] = named.Name
		}
		c.Observe(r)
		return nil
	}), convert.Model(context.Background(), strings.NewReader("<TRACE>"+document+"</TRACE>"),
		convert.Options{OnFinding: func(string, trace.Finding) {}})); err != nil {
		t.Fatal(err)
	}
	s := c.Summary(func(key trace.ThreadKey) (string, bool) { return names[key], threads.PoolOf(names[key]) == "JVM" })
	if s == nil {
		return ""
	}
	var lines []string
	for _, b := range s.Busy {
		lines = append(lines, fmt.Sprint(b.Name, " ", b.Used/1e6, " of ", b.Length/1e6, " ", b.Lifelong, " ", wording.Frame(b.Place), " ",
			b.Seen, " of ", b.Of))
	}
	for _, io := range s.InIO {
		lines = append(lines, fmt.Sprint(io.Name, " in I/O at ", wording.Frame(io.Place), " ", io.Seen, " of ", io.Of))
	}
	if s.Untimed {
		lines = append(lines, fmt.Sprint(s.Dumps, " dumps without times"))
	}
	return strings.Join(append(lines, s.Sentence()), "|")
}

// at returns the annotations of a dump: a CPU time of thread 7 if it is known, and a sample with frames.
func at(time int, cpuMillis, ageMillis int, frames string) (text string) {
	if cpuMillis > 0 {
		text = fmt.Sprintf(`<annotation name="cpu" value="7 %d %d000000 %d000000"/>`, time, cpuMillis, ageMillis)
	}
	if frames != "" {
		text += fmt.Sprintf(`<annotation name="sample" value="7 %d RUNNABLE 1 0 %s"/>`, time, frames)
	}
	return text
}

// profile has samples of thread 7, one every 10 ms, each for a period in milliseconds.
func profile(count, period int, frames string) string {
	var text strings.Builder
	for i := range count {
		fmt.Fprintf(&text, `<annotation name="sample" value="7 %d.%03d RUNNABLE 1 %d000000 %s"/>`, 100+i/100, 10*(i%100), period, frames)
	}
	return text.String()
}

func TestBusy(t *testing.T) {
	end := `<threadEnd threadIdRef="8" time="104"/>`
	for name, c := range map[string]struct{ document, want string }{
		"nothing":             {"", ""},
		"a loop in all dumps": {dumps + at(100, 0, 0, "51:4 50:9") + at(102, 0, 0, "50:10"), "spinner 0 of 0 false app.Main.spin(Main.java) 2 of 2|"},
		"dumps without times": {dumps + at(100, 0, 0, "51:4 50:9") + at(101, 0, 0, "51:4 50:9") + `<option key="TIMESTAMPS" value="false"/>`,
			"spinner 0 of 0 false app.Main.inner(Main.java:4) 2 of 2|2 dumps without times|"},
		"with CPU times": {dumps + at(100, 10, 500, "51:4 50:9") + at(102, 1900, 2500, "51:4 50:9"), "spinner 1890 of 2000 false app.Main.inner(Main.java:4) 2 of 2|"},
		"a busy machine": {dumps + at(100, 10, 500, "51:4 50:9") + at(102, 70, 2500, "51:4 50:9"),
			"spinner 60 of 2000 false app.Main.inner(Main.java:4) 2 of 2|"},
		"little CPU time":      {dumps + at(100, 10, 500, "51:4 50:9") + at(102, 30, 2500, "51:4 50:9"), ""},
		"much, in no dump":     {dumps + at(100, 10, 500, "") + at(102, 1900, 2500, ""), "spinner 1890 of 2000 false  0 of 2|"},
		"no common frame":      {dumps + at(100, 0, 0, "51:4") + at(102, 0, 0, "52:4"), ""},
		"input and output":     {dumps + at(100, 0, 0, "60 50:9") + at(102, 0, 0, "60 50:9"), ""},
		"native code":          {dumps + at(100, 0, 0, "51 50:9") + at(102, 0, 0, "51 50:9"), ""},
		"a single dump":        {dumps + at(100, 2500, 3000, "51:4 50:9"), "spinner 2500 of 3000 true app.Main.inner(Main.java:4) 1 of 1|"},
		"one soon after start": {dumps + at(100, 900, 1000, "51:4 50:9"), ""},
		"one, and no CPU time": {dumps + at(100, 0, 0, "51:4 50:9"), ""},
		"two of five dumps": {dumps + at(100, 0, 0, "51:4") + at(101, 0, 0, "51:4") + `<annotation name="sample" value="8 102 RUNNABLE 1 0 52:4"/>` +
			`<annotation name="sample" value="8 103 RUNNABLE 1 0 51:4"/><annotation name="sample" value="8 104 RUNNABLE 1 0 52:4"/>`, ""},
		"one that ended": {dumps + at(100, 0, 0, "51:4 50:9") + at(102, 0, 0, "50:10") + `<threadEnd threadIdRef="7" time="103"/>`, ""},
		"a profile": {profile(150, 10, "51:4 50:9") + profile(50, 10, "52:4") + end, "spinner 1490 of 1490 false app.Main.inner(Main.java:4) 150 of 200|" +
			"200 samples: 100 % RUNNABLE, most at app.Main.inner(Main.java:4) (75 % of these)."},
		"a profile of all threads": {profile(30, 0, "51:4") + strings.ReplaceAll(profile(25, 0, "60 50"), "7 10", "8 10") +
			strings.ReplaceAll(strings.ReplaceAll(profile(45, 0, ""), "7 10", "8 10"), "RUNNABLE 1 0000000 ", "SLEEPING 1 0"),
			"spinner 0 of 0 false app.Main.inner(Main.java:4) 30 of 30|100 samples: 30 % RUNNABLE, most at app.Main.inner(Main.java:4) " +
				"(100 % of these), 45 % SLEEPING, 25 % IN I/O."},
		"a profile of unknown period": {profile(30, 0, "51:4"), "30 samples: 100 % RUNNABLE, most at app.Main.inner(Main.java:4) (100 % of these)."},
		"input of a profile": {strings.ReplaceAll(profile(100, 0, "61 51:4"), "7 10", "8 10"), "other in I/O at app.Main.inner(Main.java:4) 100 of 100|" +
			"100 samples: 0 % RUNNABLE, 100 % IN I/O."},
		"input for a part": {strings.ReplaceAll(profile(100, 0, "61 51:4")+profile(12, 0, "61 52:4"), "7 10", "8 10"),
			"112 samples: 0 % RUNNABLE, 100 % IN I/O."},
		"input, then nothing": {profile(30, 0, "61 51:4") + `<annotation name="sample" value="8 109 RUNNABLE 1 0 61 52:4"/>`,
			"31 samples: 0 % RUNNABLE, 100 % IN I/O."},
		"few RUNNABLE samples": {strings.ReplaceAll(profile(30, 0, "60 50:4"), "7 10", "8 10") + profile(19, 0, "51:4"),
			"49 samples: 39 % RUNNABLE, 61 % IN I/O."},
		"one of the JVM": {strings.ReplaceAll(profile(30, 0, "51:4"), "7 10", "9 10"), "30 samples: 100 % RUNNABLE."},
		"few samples":    {profile(9, 10, "51:4"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			rest, isDumped := strings.CutPrefix(c.document, dumps)
			document := methods + rest
			if isDumped {
				document = dumps + document
			}
			if got := summary(t, document); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestPools: threads that used less than half of a core count if their pool used a core or more. Threads of the pool that
// used hardly anything do not.
func TestPools(t *testing.T) {
	var document strings.Builder
	id := 10
	for _, of := range []struct {
		name   string
		millis []int // that a thread used in 10 s
	}{{"few", []int{4000, 4000}}, {"many", []int{4000, 4000, 4000, 100}}, {"mixed", []int{3000, 9000}}, {"uneven", []int{4900, 9000, 100, 100}}} {
		for i, millis := range of.millis {
			fmt.Fprintf(&document, `<threadStart threadId="%d" time="100" threadName="%s-%d"/>`, id, of.name, i)
			fmt.Fprintf(&document, `<annotation name="cpu" value="%d 100 1"/><annotation name="cpu" value="%[1]d 110 %d000000"/>`, id, millis)
			id++
		}
	}
	want := "mixed-1 8999 of 10000 false  0 of 0|uneven-1 8999 of 10000 false  0 of 0|uneven-0 4899 of 10000 false  0 of 0|" +
		"many-0 3999 of 10000 false  0 of 0|many-1 3999 of 10000 false  0 of 0|many-2 3999 of 10000 false  0 of 0|" +
		"mixed-0 2999 of 10000 false  0 of 0|"
	if got := summary(t, document.String()); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestUse: lengths add up if threads computed one after the other. If they computed at once, the time counts once.
func TestUse(t *testing.T) {
	second := func(n int64) int64 { return n * 1e9 }
	used, length := samples.Use([]samples.Busy{
		{Used: second(9), Length: second(10), To: trace.Time(second(30))},
		{Used: second(9), Length: second(10), To: trace.Time(second(10))},
		{Used: second(20), Length: second(10), To: trace.Time(second(35))},
	})
	if used != second(28) || length != second(25) {
		t.Errorf("used %d in %d", used, length)
	}
}

// TestMerge: the samples of two traces add up.
func TestMerge(t *testing.T) {
	var none *samples.Summary
	a := &samples.Summary{Samples: 30, AtPlace: 4, Busy: make([]samples.Busy, 1)}
	b := &samples.Summary{Samples: 20, AtPlace: 5, Untimed: true, Busy: make([]samples.Busy, 2)}
	a.States[trace.StateRunnable], b.States[trace.StateRunnable] = 25, 20
	if none.Merge(a) != a || a.Merge(none) != a || none.Merge(none) != nil || none.Sentence() != "" {
		t.Error("the sum with nothing is another one")
	}
	if sum := a.Merge(b); sum.Sentence() != "50 samples: 90 % RUNNABLE." || len(sum.Busy) != 3 || sum.AtPlace != 5 ||
		!sum.Untimed {
		t.Errorf("got %+v", sum)
	}
}
