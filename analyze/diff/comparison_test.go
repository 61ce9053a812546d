package diff_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/diff"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// run is a trace in which the workers of a pool are blocked the given number of times, for the lengths that the
// function returns, on a monitor of the class.
func run(t *testing.T, times int, length func() int64, class string) *contention.Statistics {
	t.Helper()
	c := contention.NewCollector("test", contention.DefaultRows)
	method := &trace.ModelMethod{Class: "com/acme/Pool", Name: "borrow"}
	for key := trace.ThreadKey(1); key <= 3; key++ {
		check(t, c.Put(&trace.ModelThread{Key: key, Name: fmt.Sprintf("pool-%d-worker-%d", key, key*7)}))
	}
	for i := range times {
		at := trace.Time(i)
		check(t, c.Put(&trace.Interval{ModelEvent: trace.ModelEvent{Type: trace.WaitingForLock,
			Thread: trace.ThreadRef{Key: trace.ThreadKey(i%3 + 1)}, Time: at,
			Object: trace.ObjectFrom([]byte("9")), Class: class,
			Caller: trace.Frame{Method: method, Line: trace.NoLine}}, End: at + trace.Time(length())}))
	}
	return c.Statistics()
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func uniform(r *rand.Rand, from, to int64) func() int64 {
	return func() int64 { return from + r.Int64N(to-from) }
}

// parts returns lengths: the given percentage is short, the others long.
func parts(percent int, short, long int64) func() int64 {
	i := 0
	return func() int64 {
		if i++; i%100 < percent {
			return short
		}
		return long
	}
}

// TestNoiseIsNoChange: two runs of the same program differ by chance, which is nearly always called noise.
func TestNoiseIsNoChange(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alarms := 0
	for range 300 {
		base, head := run(t, 90+r.IntN(20), uniform(r, 1000, 1e6), "a/B"), run(t, 90+r.IntN(20), uniform(r, 1000, 1e6),
			"a/B")
		if diff.Compare(base, head).All[contention.Blocked].Judge() != diff.Same {
			alarms++
		}
	}
	if alarms > 30 {
		t.Errorf("%d of 300 pairs of equal programs are said to differ", alarms)
	}
}

// TestNoTimeTwice: the rows for people have each time once: parks are in BLOCKED or the waits, and a wait for input or
// output is in IN I/O only.
func TestNoTimeTwice(t *testing.T) {
	of := func(scale trace.Time) *contention.Statistics {
		c := contention.NewCollector("test", contention.DefaultRows)
		check(t, c.Put(&trace.ModelThread{Key: 1, Name: "worker"}))
		for i, e := range []trace.ModelEvent{{Type: trace.WaitingForLock, Park: true},
			{Type: trace.WaitingForObject, Park: true, Timeout: 5}, {Type: trace.WaitingForObject, IO: trace.IORead},
			{Type: trace.WaitingForObject, Timeout: 3}, {Type: trace.WaitingForObject, IO: trace.IOAccept, Timeout: 9}} {
			e.Thread, e.Time = trace.ThreadRef{Key: 1}, trace.Time(i)
			check(t, c.Put(&trace.Interval{ModelEvent: e, End: e.Time + scale*trace.Time(1<<i)*1e6}))
		}
		return c.Statistics()
	}
	report := diff.Compare(of(1), of(10)).Answer(nil, diff.Options{All: true}).Report()
	const want = "All threads together: BLOCKED 10.0 ms instead of 1.00 ms (+900 %, within noise); waits 100 ms instead of " +
		"10.0 ms (+900 %, within noise); IN I/O 200 ms instead of 20.0 ms (+900 %, within noise)."
	if report.Headline != want {
		t.Errorf("got %s\nwant %s", report.Headline, want)
	}
	var states []string
	for _, row := range report.Tables[0].Rows {
		states = append(states, fmt.Sprint(row[1], " ", row[3], " ", row[5]))
	}
	if got := strings.Join(states, ", "); got != "BLOCKED 1 10000000, waits 2 100000000, IN I/O 2 200000000" {
		t.Errorf("the rows are %s", got)
	}
}

func TestJudgements(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	short, long := uniform(r, 1000, 1e6), uniform(r, 2e6, 9e6)
	for _, c := range []struct {
		base, head *contention.Statistics
		want       diff.Judgement
	}{
		{run(t, 100, short, "a/B"), run(t, 200, short, "a/B"), diff.MoreOften},
		{run(t, 200, short, "a/B"), run(t, 100, short, "a/B"), diff.LessOften},
		{run(t, 100, short, "a/B"), run(t, 100, long, "a/B"), diff.Longer},
		{run(t, 100, long, "a/B"), run(t, 100, short, "a/B"), diff.Shorter},
		{run(t, 0, short, "a/B"), run(t, 100, short, "a/B"), diff.OnlyInHead},
		{run(t, 100, short, "a/B"), run(t, 0, short, "a/B"), diff.OnlyInBase},
		{run(t, 0, short, "a/B"), run(t, 1, short, "a/B"), diff.Same},
		{run(t, 1, short, "a/B"), run(t, 1, long, "a/B"), diff.Same},
		// fewer short ones, but the median is lower
		{run(t, 100, parts(49, 1e5, 5e5), "a/B"), run(t, 100, parts(55, 2e5, 5e5), "a/B"), diff.Same},
		// fewer short ones, but the mean is larger by less than one percent
		{run(t, 200, parts(55, 1e5, 5e5), "a/B"), run(t, 200, parts(55, 1.1e5, 4.92e5), "a/B"), diff.Same},
		{run(t, 100, parts(55, 2e5, 5e5), "a/B"), run(t, 100, parts(49, 1e5, 5e5), "a/B"), diff.Same},
	} {
		if got := diff.Compare(c.base, c.head).All[contention.Blocked].Judge(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestPatterns(t *testing.T) {
	for name, want := range map[string]string{"pool-1-thread-12": "pool-*-thread-*", "main": "main", "": "",
		"http-nio-8080-exec-3": "http-nio-*-exec-*"} {
		if got := threads.PoolOf(name); got != want {
			t.Errorf("%q has the pattern %q, want %q", name, got, want)
		}
	}
}

func constant(length int64) func() int64 { return func() int64 { return length } }

func TestThresholds(t *testing.T) {
	// 100 ms, 132 ms
	base, head := run(t, 10, constant(10e6), "com/acme/Lock"), run(t, 12, constant(11e6), "com/acme/Lock")
	for text, exceeded := range map[string]bool{
		"blocked>10%": true, "blocked>31.9%": true, "blocked>32%": false, "blocked>31ms": true, "blocked>32ms": false,
		"waited>0%":       false,
		"blocked.count>1": true, "blocked.count>2": false, "blocked.count>19%": true, "blocked.mean>10%": false,
		"blocked.mean>9%": true, "blocked.p99>0.5ms": true,
		"blocked:com/acme/*>50ms": false, "blocked:com.acme.*>30ms": true, "blocked:com/acme/Pool.borrow>30ms": true,
		"blocked:pool-*>30ms": true,
		"blocked:other/*>0%":  false, "blocked.max:com/acme/Lock>0ms": true, "blocked > 10 %": true,
	} {
		thresholds, err := diff.ParseThresholds(text)
		check(t, err)
		if o := thresholds[0].Check(diff.Compare(base, head)); o.Exceeded != exceeded {
			t.Errorf("%s: %+v, want exceeded %v", text, o, exceeded)
		}
	}
	for text, want := range map[string]string{
		"": "no >", "blocked": "no >", "spun>1%": "spun", "blocked.p95>1%": "p95", "blocked>10": "invalid limit",
		"blocked>-1%": "invalid limit", "blocked>x": "invalid limit",
		"blocked:>1%": "no pattern", "blocked.count>5ms": "invalid limit", "blocked>10%,": "no >",
		"blocked>NaN%": "invalid limit", "blocked>Inf%": "invalid limit",
	} {
		if _, err := diff.ParseThresholds(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want something of %q", text, err, want)
		}
	}
}

// TestScale: a base of two traces and a head of one are compared per trace.
func TestScale(t *testing.T) {
	two := contention.NewMerged(contention.DefaultRows)
	two.Add(run(t, 10, constant(1e6), "a/B"))
	two.Add(run(t, 10, constant(1e6), "a/B"))
	c := diff.Compare(two.Statistics(), run(t, 10, constant(1e6), "a/B"))
	var text strings.Builder
	check(t, answers.WriteText(&text, c.Answer(nil, diff.Options{}), answers.Options{}))
	if c.Scale != 0.5 || c.All[contention.Blocked].Delta() != 0 ||
		!strings.Contains(text.String(), "Base combines 2 traces, head 1") {
		t.Errorf("scale %v, delta %d: %s", c.Scale, c.All[contention.Blocked].Delta(), text.String())
	}
}

func TestJSON(t *testing.T) {
	c := diff.Compare(run(t, 10, constant(1e6), "a/<B>"), run(t, 20, constant(1e6), "a/<B>"))
	var text bytes.Buffer
	check(t, answers.WriteJSON(&text, c.Answer(nil, diff.Options{})))
	var got struct {
		All     map[string]struct{ Change int64 }
		Classes []struct {
			Class   string
			Blocked struct{ Base, Head struct{ Count, Total int64 } }
		}
		Thresholds []any
	}
	check(t, json.Unmarshal(text.Bytes(), &got))
	if got.All["blocked"].Change != 10e6 || got.Classes[0].Class != "a/<B>" ||
		got.Classes[0].Blocked.Head.Count != 20 || got.Thresholds == nil {
		t.Errorf("got %s", text.Bytes())
	}
}

func FuzzParseThresholds(f *testing.F) {
	for _, text := range []string{"blocked>10%", "waited:com/acme/*>50ms", "blocked.p99:x>y>1s", ">,:.%"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		thresholds, err := diff.ParseThresholds(text)
		if err != nil {
			return
		}
		c := diff.Compare(&contention.Statistics{}, &contention.Statistics{})
		for i := range thresholds {
			if thresholds[i].Check(c).Exceeded {
				t.Errorf("%q is exceeded by nothing", text)
			}
		}
	})
}
