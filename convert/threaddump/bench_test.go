package threaddump_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/threaddump"
	"github.com/trcx/trcx/trace"
)

// many makes a dump of many threads that all wait, in printed form or as JSON.
func many(threads int, json bool) []byte {
	var b bytes.Buffer
	if !json {
		b.WriteString("2024-05-06 07:08:09\nFull thread dump X (1):\n\n")
		for i := range threads {
			fmt.Fprintf(&b,
				"\"worker-%d\" #%d prio=5 os_prio=0 cpu=1.00ms elapsed=9.00s tid=0x%016x nid=0x%x in Object.wait() "+
					" [0x00007f00000f3000]\n", i, i+1, i*16+16, i)
			fmt.Fprintf(&b,
				"   java.lang.Thread.State: WAITING (on object monitor)\n\tat "+
					"java.lang.Object.wait(java.base@17.0.15/Native Method)\n\t- waiting on <0x%016x> (a app.Queue)\n",
				i%100+1)
			b.WriteString(strings.Repeat("\tat app.Queue.take(Queue.java:44)\n", 10) +
				"\tat app.Worker.run(Worker.java:8)\n\n   Locked ownable synchronizers:\n\t- None\n\n")
		}
		b.WriteString("JNI global refs: 4, weak refs: 0\n")
		return b.Bytes()
	}
	b.WriteString(
		`{"threadDump": {"time": "2025-09-16T12:13:14.25Z", "threadContainers": [{"container": "<root>", "threads": [`)
	for i := range threads {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b,
			"\n          {\n            \"tid\": \"%d\",\n            \"virtual\": true,\n            \"name\": "+
				"\"\",\n            \"state\": \"WAITING\",\n            \"waitingOn\": \"app.Queue@%x\",\n        "+
				"    \"stack\": [\n", i+1, i%100+1)
		b.WriteString(strings.Repeat("              \"app.Queue.take(Queue.java:44)\",\n", 11) +
			"              \"app.Worker.run(Worker.java:8)\"\n            ]\n          }")
	}
	b.WriteString("\n]}]}}\n")
	return b.Bytes()
}

func BenchmarkRead(b *testing.B) {
	for _, form := range []string{"printed", "json"} {
		b.Run(form, func(b *testing.B) {
			text := many(10_000, form == "json")
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := threaddump.Read(context.Background(), bytes.NewReader(text), builder.Options{},
					func(*trace.Event) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
