package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace"
)

// appendCPU appends the annotation with a thread's CPU time in nanoseconds; nothing if that is 0, unknown.
func appendCPU(text []byte, used int64) []byte {
	if used <= 0 {
		return text
	}
	return appendIDs(text, trace.NoteCPU, used)
}

// cpu returns the annotation with the thread's CPU time, if it is to be written with the end of its wait. It is valid
// until the next call.
func (d *Drainer) cpu(t *thread) []byte { return d.withCPU(t, d.scratch.annotation[:0]) }

// withCPU appends the annotation of cpu to others in the scratch.
func (d *Drainer) withCPU(t *thread, inner []byte) []byte {
	d.scratch.annotation = appendCPU(inner, t.used)
	t.used = 0
	return d.scratch.annotation
}

var cpuName = trcxml.Text([]byte(trace.NoteCPU))

// cpuUsed handles CPUUsed, at the end of the recording, and the CPU time of a thread that ends.
func (d *Drainer) cpuUsed(t *thread, r *ring.Record, now int64) {
	if r.Argument > 0 {
		d.usage.end(t, r.Argument)
		d.writeCPU(t, r.Argument, now)
	}
}

// usage is the CPU time that threads have used while they were recorded, in nanoseconds.
type usage struct {
	begun map[int64]int64 // the time that each thread had used when its record began; nil if not wanted
	total int64
}

// start notes the time that a thread has used when its record begins; 0 or less if unknown.
func (u *usage) start(t *thread, used int64) {
	if u.begun != nil {
		u.begun[t.id] = max(used, 0)
	}
}

// end notes the time that it has used when its record ends.
func (u *usage) end(t *thread, used int64) {
	if u.begun != nil {
		u.total += max(used-u.begun[t.id], 0)
	}
}

// writeCPU writes a thread's CPU time among the events, because a thread's end has no annotations: its id, the time and
// the CPU time, separated by blanks.
func (d *Drainer) writeCPU(t *thread, used, now int64) {
	value := digits.Append(d.scratch.annotation[:0], uint64(t.id))
	value = trace.Time(now).AppendTo(append(value, ' '))
	value = digits.Append(append(value, ' '), uint64(used))
	d.scratch.annotation = value
	d.write(topAnnotation, nil, cpuName, trcxml.Text(value))
}
