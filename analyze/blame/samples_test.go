package blame_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/sinktest"
)

const withStacks = "../../testdata/recorded/warehouse-stacks-jdk25.trcxml"

// withWholeStacks reads a document with the call stacks of waits.
func withWholeStacks(t *testing.T, name string) *critical.Recorder {
	t.Helper()
	r := critical.NewRecorder()
	r.KeepStacks()
	sinktest.ReadFollowing(t, enrich.WholeStacks, r, sinktest.File(t, name))
	return r
}

// sumOf returns the sum of the samples.
func sumOf(samples []blame.Sample) (sum int64) {
	for i := range samples {
		sum += samples[i].Total
	}
	return sum
}

// TestSamplesHaveWholeStacks: from the root on, the calls of the waiter, what it waited for, the pool and its calls.
func TestSamplesHaveWholeStacks(t *testing.T) {
	b := of(t, withWholeStacks(t, "../../docs/testdata/path-cache.trcxml"), blame.Options{})
	var lines []string
	for _, s := range b.Samples() {
		lines = append(lines, strings.Join(s.Frames(), ";"))
	}
	want := "shop.Worker.run(Worker.java:17);shop.Cache.get(Cache.java:42);[lock of shop.Cache];worker-*;" +
		"shop.Worker.run(Worker.java:17);shop.Cache.get(Cache.java:42);[RUNNABLE]"
	if !slices.Contains(lines, want) {
		t.Errorf("no sample is %s, but\n%s", want, strings.Join(lines, "\n"))
	}
}

// TestSamplesWithinLimits: samples add up to all waits with any limit.
func TestSamplesWithinLimits(t *testing.T) {
	whole := of(t, withWholeStacks(t, withStacks), blame.Options{})
	if n := len(whole.Samples()); n < 10 || sumOf(whole.Samples()) != whole.Total || whole.ShortenedStacks() != 0 {
		t.Fatalf("%d samples of %d ns, want many of %d", n, sumOf(whole.Samples()), whole.Total)
	}
	samples := whole.Within(2, 5).Samples()
	if len(samples) != 6 || sumOf(samples) != whole.Total || samples[5].Frames()[0] != "(smaller sums)" {
		t.Errorf("%d samples of %d ns", len(samples), sumOf(samples))
	}
	if !slices.ContainsFunc(whole.Within(1, 1000).Samples(),
		func(s blame.Sample) bool { return s.Frames()[0] == "(other places)" }) {
		t.Error("no sample of other places")
	}
}
