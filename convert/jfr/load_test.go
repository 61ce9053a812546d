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

// TestThreadLoads: a thread whose loads are at least half a processor has CPU times. A load is a share of all
// processors, though a thread can use only one, and loads are missing for times in which the thread hardly ran.
func TestThreadLoads(t *testing.T) {
	type loads map[int64]float32 // by millisecond
	for name, c := range map[string]struct {
		processors int
		period     string
		loads      loads
		want       string
	}{
		"one of four": {4, "10 ms", loads{100: .25, 300: .25}, ""},
		"a second": {4, "1 s", loads{100: .25, 300: .25, 500: .1875},
			"1700000000.100000001 1, 1700000000.300000000 200000000, 1700000000.300000001 200000000, 1700000000.500000000 350000000"},
		"bound to two":   {64, "1 s", loads{100: .5, 300: .5}, "1700000000.100000001 1, 1700000000.300000000 200000000"},
		"little":         {4, "1 s", loads{100: .1, 300: .1}, ""},
		"unknown period": {4, "everyChunk", loads{100: .25, 300: .25}, ""},
		"unknown number": {0, "1 s", loads{100: .25, 300: .25}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBuilder(second)
			b.io = true
			b.event(idSetting, b.ticks(1), int64(idThreadLoad), "period", c.period)
			if c.processors > 0 {
				b.event(idProcessors, b.ticks(1), count(c.processors))
			}
			for at, load := range c.loads {
				b.event(idThreadLoad, b.ticks(at*1_000_000), keyMain, raw(binary.BigEndian.AppendUint32(nil, math.Float32bits(load))),
					raw(make([]byte, 4)))
			}
			b.constants()
			b.describe()
			if got := strings.Join(cpuTimes(readAll(t, b.bytes(), limits{}), "1"), ", "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
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
