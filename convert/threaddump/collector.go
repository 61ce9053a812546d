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

// cpuTimes are the CPU times of the threads of a dump; zero if the dump does not have them.
type cpuTimes struct {
	threads map[string]cpuTime // by the addresses of the VM's threads
	age     trace.Time         // of the oldest thread
	serial  bool               // the dump has no threads that only collect
}

type cpuTime struct {
	used             int64 // nanoseconds
	collects, serial bool  // it is one of a collector's threads; it collects if there are none
}

// maxTimed limits the threads whose CPU times are kept: the collector of a dump with more is left out.
const maxTimed = 1 << 16

func (c *cpuTimes) add(t *thread) {
	if t.cpu <= 0 || t.handle == "" || len(c.threads) > maxTimed {
		return
	}
	if c.threads == nil {
		c.threads, c.serial = map[string]cpuTime{}, true
	}
	one := cpuTime{t.cpu, !t.isJava && isCollector(t.name), !t.isJava && t.name == serialCollector}
	c.threads[t.handle] = one
	c.age, c.serial = max(c.age, t.elapsed), c.serial && !one.collects
}

func isCollector(name string) bool {
	begins := func(with string) bool { return strings.HasPrefix(name, with) }
	return slices.ContainsFunc(collectorNames, begins)
}

// noteCPU keeps the CPU times of the process's first dump and its last one.
func (s *series) noteCPU(d *dump, otherProcess bool) {
	if d.cpu.threads == nil {
		return
	}
	if otherProcess || s.lastCPU.threads == nil {
		s.firstCPU = d.cpu
	}
	s.lastCPU = d.cpu
}

// putCollector emits how much CPU time the garbage collector's threads used between the first dump and the last one, or
// in the life of the JVM if there is one dump: the number of threads, the sum, the most of one thread, the CPU time of
// all threads of the last dump, and the length of that time.
func (s *series) putCollector() {
	before, after := s.firstCPU, s.lastCPU
	if before.age == after.age {
		before = cpuTimes{}
	}
	count, total, longest, all := 0, int64(0), int64(0), int64(0)
	for handle, t := range after.threads {
		used := max(t.used-before.threads[handle].used, 0)
		all += used
		if used > 0 && (t.collects || t.serial && after.serial) {
			count, total, longest = count+1, total+used, max(longest, used)
		}
	}
	length := after.age - before.age
	if count > 0 && length > 0 && len(after.threads) <= maxTimed && len(before.threads) <= maxTimed {
		s.option(trace.OptionTrouble+"collector", fmt.Sprint(count, total, longest, all, int64(length)))
	}
}
