package threaddump

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/trace"
)

// collectorNames begin the names of the threads of garbage collectors.
var collectorNames = []string{"GC Thread#", "G1 ", "ParGC Thread#", "GC task thread#", "Concurrent Mark-Sweep GC Thread", "CMS ",
	"ZWorker", "ZDirector", "ZDriver", "XWorker", "XDirector", "XDriver", "Shenandoah"}

// serialCollector is the thread that collects in a JVM without such threads.
const serialCollector = "VM Thread"

// cpuTimes are the CPU times of the threads of a dump, in nanoseconds; zero if the dump does not have them.
type cpuTimes struct {
	all        int64
	collectors map[string]int64 // by name
	serial     int64            // of the thread that collects if there are no others
	age        trace.Time       // of the oldest thread
}

func (c *cpuTimes) add(t *thread) {
	if t.cpu <= 0 {
		return
	}
	c.all += t.cpu
	c.age = max(c.age, t.elapsed)
	switch {
	case t.isJava:
	case t.name == serialCollector:
		c.serial += t.cpu
	case isCollector(t.name) && len(c.collectors) < maxCollectors:
		if c.collectors == nil {
			c.collectors = map[string]int64{}
		}
		c.collectors[t.name] += t.cpu
	}
}

// maxCollectors limits the threads of a garbage collector: it has about as many as there are processors.
const maxCollectors = 1 << 12

func isCollector(name string) bool {
	begins := func(with string) bool { return strings.HasPrefix(name, with) }
	return slices.ContainsFunc(collectorNames, begins)
}

// collecting returns the CPU times of the collector's threads, by name.
func (c *cpuTimes) collecting() map[string]int64 {
	if c.collectors == nil && c.serial > 0 {
		return map[string]int64{serialCollector: c.serial}
	}
	return c.collectors
}

// noteCPU keeps the CPU times of the process's first dump and its last one.
func (s *series) noteCPU(d *dump, otherProcess bool) {
	if d.cpu.all == 0 {
		return
	}
	if otherProcess || s.lastCPU.all == 0 {
		s.firstCPU = d.cpu
	}
	s.lastCPU = d.cpu
}

// putCollector emits how much CPU time the garbage collector's threads used between the first dump and the last one, or
// in the life of the JVM if there is one dump: the number of threads, the sum, the most of one thread, the CPU time of
// all threads, and the length of that time.
func (s *series) putCollector() {
	before, after := s.firstCPU, s.lastCPU
	if before.age == after.age {
		before = cpuTimes{}
	}
	count, total, longest := 0, int64(0), int64(0)
	for name, used := range after.collecting() {
		if used -= before.collecting()[name]; used > 0 {
			count, total, longest = count+1, total+used, max(longest, used)
		}
	}
	if length := after.age - before.age; count > 0 && length > 0 {
		s.option(trace.OptionTrouble+"collector",
			fmt.Sprint(count, total, longest, max(after.all-before.all, total), int64(length)))
	}
}
