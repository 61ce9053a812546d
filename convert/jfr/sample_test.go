package jfr

import (
	"slices"
	"strings"
	"testing"
)

// TestExecutionSamples: a thread's samples at one place within a second become one annotation, with the sampler's
// period. Samples of the JVM's own threads, and samples in states without meaning, are left out.
func TestExecutionSamples(t *testing.T) {
	b := newBuilder(second)
	b.io = true
	ms := func(n int64) int64 { return b.ticks(n * 1_000_000) }
	b.event(idSample, ms(10), keyMain, 1, "STATE_RUNNABLE")
	b.event(idSample, ms(20), keyMain, 1, "STATE_RUNNABLE")
	b.event(idSample, ms(30), keyMain, 2, "STATE_SLEEPING")
	b.event(idSample, ms(40), keyWorker1, 1, "STATE_RUNNABLE")
	b.event(idSample, ms(1009), keyMain, 1, "STATE_RUNNABLE")
	b.event(idSample, ms(1010), keyMain, 1, "STATE_RUNNABLE")
	b.event(idSample, ms(50), keyVM, 1, "STATE_RUNNABLE")
	b.event(idSample, ms(60), keyMain, 1, "STATE_NEW")
	b.event(idCPUSample, ms(70), 0, keyMain, int64(2*9_000_000))
	b.event(idSetting, ms(1), int64(idSample), "period", "20 ms")
	b.event(idSetting, ms(1), int64(idWait), "period", "30 ms")
	b.event(idEnd, ms(1020), keyWorker1, 0, keyWorker1)
	b.event(idSample, ms(1045), keyWorker1, 1, "STATE_RUNNABLE")
	b.constants()
	b.describe()
	o := readAll(t, b.bytes(), limits{})
	if len(o.findings) > 0 {
		t.Error(o.findings)
	}
	got := slices.DeleteFunc(o.all, func(line string) bool { return !strings.HasPrefix(line, "<annotation") })
	want := `<annotation name="sample" value="1 1700000000.010000000 RUNNABLE 3 20000000 1:88"/>
<annotation name="sample" value="1 1700000000.030000000 SLEEPING 1 20000000 2 3:1313"/>
<annotation name="sample" value="2 1700000000.040000000 RUNNABLE 1 20000000 1:88"/>
<annotation name="sample" value="1 1700000000.070000000 RUNNABLE 1 9000000"/>
<annotation name="sample" value="1 1700000001.010000000 RUNNABLE 1 20000000 1:88"/>
`
	if all := strings.Join(got, ""); all != want {
		t.Errorf("got\n%s\nwant\n%s", all, want)
	}
}

// TestSamplesLost: the JVM tells how many samples it has lost.
func TestSamplesLost(t *testing.T) {
	b := newBuilder(second)
	b.io = true
	b.event(idLost, b.ticks(5_000_000), 17, keyMain)
	b.constants()
	b.describe()
	o := readAll(t, b.bytes(), limits{})
	if len(o.findings) != 1 || o.findings[0].Rule != RuleLost || !strings.Contains(o.findings[0].Message, "fast: 17") {
		t.Error(o.findings)
	}
}

// TestSampler: what a sample represents follows from the settings of the JDK's sampler or of async-profiler.
func TestSampler(t *testing.T) {
	for _, c := range []struct {
		of   sampler
		want int64
	}{
		{sampler{}, 0}, {sampler{period: "20 ms"}, 20e6}, {sampler{period: "everyChunk"}, 0}, {sampler{period: "x ms"}, 0},
		{sampler{event: "cpu", interval: "5000000"}, 5e6}, {sampler{event: "cpu", interval: "0"}, 10e6},
		{sampler{event: "wall", interval: "5000000"}, 0}, {sampler{event: "cycles", interval: "5000000"}, 0},
	} {
		if got := c.of.nanos(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.of, got, c.want)
		}
	}
}

func TestInnermost(t *testing.T) {
	frames := slices.Repeat([]string{"7:1"}, maxSampled+1)
	whole, first := strings.Join(frames[1:], " "), strings.Join(frames, " ")
	for _, text := range []string{"", "5", whole} {
		if got := string(innermost([]byte(text))); got != text {
			t.Errorf("%q is cut to %q", text, got)
		}
	}
	if got := string(innermost([]byte(first))); got != whole {
		t.Errorf("%q is cut to %q", first, got)
	}
}
