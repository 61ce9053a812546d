package drain

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/agent/ring/ringtest"
)

// discarding is an output that is never slow.
type discarding struct{ bytes int64 }

func (d *discarding) Write(lines []byte) error {
	d.bytes += int64(len(lines))
	return nil
}

func (d *discarding) Close([]byte) error { return nil }

// contention is what a thread does in the benchmarks: the usual mix.
var contention = []ring.Record{
	{Kind: ring.ContendedEnter, Object: 1234, Flags: ring.OwnerThread, Argument: 1}, {Kind: ring.ContendedEntered,
		Object: 1234},
	{Kind: ring.CallNotify, Object: 1234, Flags: ring.All}, {Kind: ring.Wait, Object: 1234, Argument: 1000},
	{Kind: ring.Waited, Object: 1234},
}

// fill publishes the records in turns, so that they have to be merged one by one, a turn being burst records of a ring.
func fill(rings []*ringtest.Producer, each, burst int) (count int) {
	for n := 0; n < each; n += burst {
		for i, p := range rings {
			for k := range burst {
				r := contention[(n+k)%len(contention)]
				r.Thread = int64(i + 1)
				p.Put(r)
				count++
			}
		}
	}
	return count
}

// BenchmarkDrain measures merging and encoding of rings that are full.
func BenchmarkDrain(b *testing.B) {
	for _, c := range []struct{ rings, burst int }{{1, 1}, {4, 1}, {4, 20}, {32, 1}, {32, 20}, {1000, 1}} {
		b.Run(fmt.Sprintf("rings=%d/burst=%d", c.rings, c.burst), func(b *testing.B) {
			jvm := begin(b, 17)
			rings := startThreads(jvm, c.rings)
			drainer := New(jvm.Segment, &discarding{}, preamble, nil)
			drainer.round()
			events, best := 0, math.Inf(1)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				count := fill(rings, 2000, c.burst)
				b.StartTimer()
				began := time.Now()
				if taken := drainer.round(); taken != count {
					b.Fatalf("%d of %d records were taken", taken, count)
				}
				best = min(best, float64(time.Since(began).Nanoseconds())/float64(count))
				events += count
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
			b.ReportMetric(best, "best-ns/event") // of all rounds; other programs on the machine disturb it least
		})
	}
}

// startThreads starts as many threads, each in its ring.
func startThreads(jvm *ringtest.JVM, count int) (rings []*ringtest.Producer) {
	for i := range count {
		p := jvm.Thread()
		p.Put(ring.Record{Kind: ring.ThreadStart, Thread: int64(i + 1), Payload: ringtest.Named("t", "main", "system")})
		rings = append(rings, p)
	}
	return rings
}

// BenchmarkIdle measures a round in which nothing is found.
func BenchmarkIdle(b *testing.B) {
	for _, rings := range []int{32, 1000, ring.MaxRings} {
		b.Run(fmt.Sprintf("rings=%d", rings), func(b *testing.B) {
			jvm := begin(b, 17)
			startThreads(jvm, rings)
			drainer := New(jvm.Segment, &discarding{}, preamble, nil)
			drainer.round()
			best := math.Inf(1)
			b.ReportAllocs()
			for b.Loop() {
				began := time.Now()
				drainer.round()
				best = min(best, float64(time.Since(began).Nanoseconds()))
			}
			b.ReportMetric(best, "best-ns/op")
		})
	}
}
