package threaddump

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/trcx/trcx/trace"
)

// process is what the trace says of one process. One input may have dumps of several. A dump of another process does
// not end its threads: what they did last is all that is known, and the process may come again.
type process struct {
	// appended to the ids of its threads and objects, so that no two processes share an id; "" for the first one
	suffix  string
	first   dumpHeader // of its first dump
	threads map[string]*traceThread
	order   []*traceThread
	objects objectTable
	classes map[string]int // numbers of the classes for which threads wait
	size    int            // of its last dump
}

func newProcess(suffix string) *process {
	return &process{suffix: suffix, threads: map[string]*traceThread{}, classes: map[string]int{}, objects: objectTable{
		byName: map[string]*traceObject{}, byID: map[string]*traceObject{}}}
}

// maxProcesses limits the processes that are remembered, so that the next dump may be of any of them. Their last dumps
// have at most maxDump bytes together, without the current one.
const maxProcesses = 64

// selectProcess makes the process of the dump the current one, and reports whether it differs from the last dump's.
func (s *series) selectProcess(d *dump) (other bool) {
	if s.dumps > 0 && !s.process.has(d, true) {
		other = true
		s.switchProcess(d)
	}
	s.process.size = d.size
	s.process.addSuffix(d)
	return other
}

// switchProcess finds the process of the dump among the known ones, or adds it.
func (s *series) switchProcess(d *dump) {
	s.others = append(s.others, s.process)
	found := slices.IndexFunc(s.others, func(p *process) bool { return p.has(d, false) })
	if found >= 0 {
		s.process = s.others[found]
		s.others = slices.Delete(s.others, found, found+1)
		return
	}
	s.processes++
	s.process = newProcess("@" + strconv.Itoa(s.processes))
	s.process.first = d.dumpHeader
	size := d.size
	for _, p := range s.others {
		size += p.size
	}
	for len(s.others) >= maxProcesses || len(s.others) > 0 && size > maxDump {
		size -= s.others[0].size
		s.others = slices.Delete(s.others, 0, 1)
	}
	s.report(RuleOtherProcess, trace.Warning, d.place,
		fmt.Sprintf(
			"this dump is of another process than the previous one: the ids of its threads end in %s, and the "+
				"earlier threads are read as live up to the end; pass dumps of several processes as several inputs",
			s.process.suffix), nil)
}

// has reports whether a dump is of the process. A dump that has no thread in common with it counts for the current
// process.
func (p *process) has(d *dump, current bool) bool {
	bothNamed := p.first.process != "" && d.process != ""
	if bothNamed && p.first.process != d.process {
		return false
	}
	common, same := false, false
	for _, t := range d.threads {
		if k := p.threads[t.id+p.suffix]; k != nil && k.previous.handle != "" && t.handle != "" {
			common = true
			same = same || k.previous.handle == t.handle
		}
	}
	return same || !common && (current || bothNamed)
}

// addSuffix replaces the ids of the dump's threads with the ids that they have in the trace.
func (p *process) addSuffix(d *dump) {
	if p.suffix == "" {
		return
	}
	for _, t := range d.threads {
		t.id += p.suffix
		for _, id := range []*string{&t.ownerID, &t.carrier} {
			if *id != "" {
				*id += p.suffix
			}
		}
	}
}
