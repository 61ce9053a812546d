package threaddump_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/threaddump"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

const documentHead = `{"threadDump": {"processId": "1", "time": "2026-11-22T05:00:51.311921635Z", "runtimeVersion": "25", "threadContainers": [{"container": "<root>", "threads": [`

// manyThreads is a dump of n virtual threads that are parked.
func manyThreads(n int) io.Reader {
	reader, writer := io.Pipe()
	go func() {
		var text bytes.Buffer
		text.WriteString(documentHead)
		for i := range n {
			if i > 0 {
				text.WriteByte(',')
			}
			fmt.Fprintf(&text,
				`{"tid": "%d", "name": "", "virtual": true, "state": "WAITING", "parkBlocker": {"object": "app.Latch@%x"}, "stack": ["java.lang.VirtualThread.park(VirtualThread.java:596)", "app.Main.main(Main.java:%d)"]}`,
				i+30, 0x1000+i%100, 1+i%50)
			if text.Len() > 1<<16 {
				if _, err := writer.Write(text.Bytes()); err != nil {
					return
				}
				text.Reset()
			}
		}
		text.WriteString(`]}]}}`)
		writer.Write(text.Bytes())
		writer.Close()
	}()
	return reader
}

// TestManyThreads: for a thread that has nothing to do with others, little more is kept than its existence. A million
// of them take less than 160 MB.
func TestManyThreads(t *testing.T) {
	testtool.Long(t)
	const threads, most = 200_000, 160
	before := heap()
	kinds := map[trace.Kind]int{}
	ending, err := threaddump.Read(context.Background(), manyThreads(threads),
		builder.Options{Report: func(f trace.Finding) { t.Error(f) }}, func(e *trace.Event) error {
			if kinds[e.Kind]++; e.Kind == trace.TraceEnd {
				if used := (heap() - before) / threads; used > most {
					t.Errorf("%d bytes are kept of a thread", used)
				}
			}
			return nil
		})
	if err != nil || ending.Truncated || kinds[trace.ThreadStart] != threads || kinds[trace.MonWait] != threads ||
		kinds[trace.ObjAlloc] != 100 || kinds[trace.ThreadEnd] != 0 {
		t.Errorf("%v, %v, %v", ending, err, kinds)
	}
}

func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// TestToldBefore: threads that were emitted before their dump was complete are known to later threads of the dump and
// to later dumps.
func TestToldBefore(t *testing.T) {
	thread := func(tid, more string) string {
		return `{"tid": "` + tid + `", "name": "t` + tid + `", "stack": ["app.Main.main(Main.java:5)"]` + more + `}`
	}
	lock := `, "state": "WAITING", "parkBlocker": {"object": "java.util.concurrent.locks.ReentrantLock$NonfairSync@1f", "owner": "7"}`
	wait := `, "state": "WAITING", "waitingOn": "app.Queue@2f"`
	first := documentHead + strings.Join([]string{thread("7", `, "state": "RUNNABLE"`), thread("8", lock),
		thread("9", wait), thread("7", ""), thread("10", `, "state": "RUNNABLE"`)}, ",") + `]}]}}`
	second := documentHead + strings.Join([]string{thread("7", `, "state": "RUNNABLE"`), thread("8", lock),
		thread("9", wait)}, ",") + `]}]}}`
	got := readValid(t, []byte(first+"\n"+second))
	text := strings.Join(got.elements, "")
	for want, count := range map[string]int{
		`<threadStart `: 4, `<threadEnd threadIdRef="10"`: 1, `<threadEnd `: 1, `objIdRef="1f" threadOwner="7"`: 1,
		`<monContendedEnter `: 1, `<monWait `: 1, `<objAlloc objId="2f"`: 1,
	} {
		if n := strings.Count(text, want); n != count {
			t.Errorf("%s is there %d times, not %d, in\n%s", want, n, count, text)
		}
	}
	if len(got.findings) != 1 || !strings.Contains(got.findings[0], "thread-twice") {
		t.Errorf("the findings are %q", got.findings)
	}
}
