package jfr

import (
	"encoding/binary"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// cpuTimes are the values of the thread's annotations with CPU times, without its id.
func cpuTimes(o outcome, thread string) (times []string) {
	for _, e := range o.all {
		if rest, is := strings.CutPrefix(e, `<annotation name="cpu" value="`+thread+" "); is {
			times = append(times, strings.TrimSuffix(strings.TrimSpace(rest), `"/>`))
		}
	}
	return times
}

// load adds the load of a thread at a millisecond.
func (b *chunkBuilder) load(ms int64, thread int, of float32) {
	b.event(idThreadLoad, b.ticks(ms*nanosPerMilli), thread, float(of), float(0))
}

// float is a field of an event.
func float(f float32) raw { return binary.BigEndian.AppendUint32(nil, math.Float32bits(f)) }

// TestThreadLoads: a thread whose loads are at least half a processor has CPU times. A load is a share of all
// processors, though a thread can use only one, and loads are missing for times in which the thread hardly ran. A tenth of
// a processor is enough if all are busy.
func TestThreadLoads(t *testing.T) {
	type loads map[int64]float32 // by millisecond
	for name, c := range map[string]struct {
		processors int
		period     string
		loads      loads
		machine    float32 // the load of all its processors
		want       string
	}{
		"one of four": {4, "10 ms", loads{100: .25, 300: .25}, .5, ""},
		"a second": {4, "1 s", loads{100: .25, 300: .25, 500: .1875}, .5,
			"1700000000.100000001 1, 1700000000.300000000 200000000, 1700000000.300000001 200000000, 1700000000.500000000 350000000"},
		"bound to two": {64, "1 s", loads{100: .5, 300: .5}, .5, "1700000000.100000001 1, 1700000000.300000000 200000000"},
		"little":       {4, "1 s", loads{100: .1, 300: .1}, .5, ""},
		"little of a busy machine": {4, "1 s", loads{100: .0625, 300: .0625}, .95,
			"1700000000.100000001 1, 1700000000.300000000 50000000"},
		"hardly any of a busy machine": {4, "1 s", loads{100: .01, 300: .01}, .95, ""},
		"unknown period":               {4, "everyChunk", loads{100: .25, 300: .25}, .5, ""},
		"unknown number":               {0, "1 s", loads{100: .25, 300: .25}, .5, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBuilder(second)
			b.io = true
			b.event(idSetting, b.ticks(1), int64(idThreadLoad), "period", c.period)
			b.event(idCPULoad, b.ticks(1), float(0), float(0), float(c.machine))
			if c.processors > 0 {
				b.event(idProcessors, b.ticks(1), count(c.processors))
			}
			for at, load := range c.loads {
				b.load(at, keyMain, load)
			}
			b.constants()
			b.describe()
			if got := strings.Join(cpuTimes(readAll(t, b.bytes(), limits{}), "1"), ", "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestLoadsAndDumps: loads and the CPU times of dumps measure the same, and a dump counts from the thread's start. The
// load of a thread that ends comes after its end.
func TestLoadsAndDumps(t *testing.T) {
	dumped := func(cpuMillis int) string { return dumpedThread("worker-1", 2, cpuMillis, "RUNNABLE", computes) }
	for name, c := range map[string]struct {
		add  func(b *chunkBuilder)
		want string // the first and the last CPU time
	}{
		"a dump among loads": {func(b *chunkBuilder) {
			for ms := int64(100); ms < 1000; ms += 200 {
				b.load(ms, keyWorker1, .25)
			}
			b.dump(600, dumped(79000))
		}, "1700000000.100000001 1, 1700000000.900000000 800000000"},
		"a load among dumps": {func(b *chunkBuilder) {
			b.dump(100, dumped(36500))
			b.load(500, keyWorker1, .125)
			b.dump(900, dumped(37200))
		}, "1700000000.100000001 36500000000, 1700000000.900000000 37100000000"},
		"dumps after loads": {func(b *chunkBuilder) {
			b.load(100, keyWorker1, .125)
			b.load(300, keyWorker1, .125)
			b.dump(500, dumped(79000))
			b.dump(900, dumped(79300))
		}, "1700000000.100000001 1, 1700000000.900000000 500000000"},
		"a start after a dump": {func(b *chunkBuilder) {
			b.dump(100, dumped(36500))
			b.event(idStart, b.ticks(110*nanosPerMilli), keyWorker1, 0, keyWorker1, keyMain)
			b.dump(900, dumped(37200))
		}, "1700000000.100000001 36500000000, 1700000000.900000000 37200000000"},
		"a start that was not one": {func(b *chunkBuilder) {
			b.event(idStart, b.ticks(100*nanosPerMilli), keyWorker1, 0, keyWorker1, keyMain)
			b.dump(500, dumped(36500))
			b.dump(900, dumped(36800))
		}, "1700000000.500000001 36500000000, 1700000000.900000000 36800000000"},
		"a load after the end": {func(b *chunkBuilder) {
			b.event(idStart, b.ticks(100*nanosPerMilli), keyWorker1, 0, keyWorker1, keyMain)
			b.event(idEnd, b.ticks(900*nanosPerMilli), keyWorker1, 0, keyWorker1)
			b.load(901, keyWorker1, .25)
		}, "1700000000.100000001 1, 1700000000.900000000 800000000"},
	} {
		t.Run(name, func(t *testing.T) {
			times := cpuTimes(readAll(t, dumpChunk(func(b *chunkBuilder) {
				b.event(idSetting, b.ticks(1), int64(idThreadLoad), "period", "1 s")
				b.event(idProcessors, b.ticks(1), count(4))
				c.add(b)
			}), limits{}), "2")
			if len(times) == 0 {
				t.Fatal("no CPU times")
			}
			if got := times[0] + ", " + times[len(times)-1]; got != c.want {
				t.Errorf("got %q, want %q in %q", got, c.want, times)
			}
		})
	}
}

// TestRecordedLoads: recordings of JDK 17 and 25 with loads of threads every 500 ms, but without samples and dumps,
// show which thread spins.
func TestRecordedLoads(t *testing.T) {
	for file, thread := range map[string]string{"loads-jdk17.jfr.gz": "15", "loads-jdk25.jfr.gz": "24"} {
		if times := cpuTimes(readAll(t, unzipped(t, filepath.Join("testdata", file)), limits{}), thread); len(times) < 10 {
			t.Errorf("%s: %q", file, times)
		}
	}
}
