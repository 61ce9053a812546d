package jfr

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestTroubles: pinned virtual threads are summed up, with the longest one.
func TestTroubles(t *testing.T) {
	b := newBuilder(second)
	b.unpinned = true
	for i, length := range []int64{5, 30, 2} {
		b.event(idPinned, b.ticks(int64(1000*i)), 2*length, 100+i, 1, "Monitor")
	}
	b.constants()
	b.describe()
	o := readAll(t, b.bytes(), limits{})
	at := slices.IndexFunc(o.all, regexp.MustCompile(`trouble\.`).MatchString)
	if at < 0 {
		t.Fatal(o.all)
	}
	const want = `key="trouble.pinned" value="3 37 30 by worker-1 at app.Job.run(line 88)"`
	if !regexp.MustCompile(regexp.QuoteMeta(want)).MatchString(o.all[at]) {
		t.Errorf("got %s, want %s", o.all[at], want)
	}
}

// TestOperations: a heap dump, for which the JVM stops the program, is a trouble. A thread dump, which the recording
// makes itself, and operations that do not stop the program are none.
func TestOperations(t *testing.T) {
	o := readAll(t, dumpChunk(func(b *chunkBuilder) {
		b.event(idOperation, b.ticks(100), 2*5_000, keyVM, 0, "PrintThreads", written(true))
		b.event(idOperation, b.ticks(9_000), 2*40, keyVM, 0, "HeapDumper", written(true))
		b.event(idOperation, b.ticks(9_900), 2*50, keyVM, 0, "HandshakeAllThreads", written(false))
	}), limits{})
	const want = `key="trouble.operation" value="1 40 40 for HeapDumper"`
	if !slices.ContainsFunc(o.all, func(element string) bool { return strings.Contains(element, want) }) {
		t.Errorf("got %s, want %s", o.all, want)
	}
}

func TestIsCollection(t *testing.T) {
	for operation, want := range map[string]bool{"G1CollectForAllocation": true, "ZMarkStart": true, "CGC_Operation": true,
		"HeapDumper": false, "RedefineClasses": false, "PrintThreads": false, "FindDeadlocks": false} {
		if isCollection(operation) != want {
			t.Errorf("%s: %v", operation, !want)
		}
	}
}
