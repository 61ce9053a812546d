package enrich

import "github.com/trcx/trcx/trace"

// putCPU puts the CPU time of a thread, if that is known and has not ended.
func (e *Enricher) putCPU(id trace.ThreadID, at trace.Time, used int64) {
	if t := e.scope.thread(id.ID); t != nil && !t.dead {
		e.put(&trace.CPUTime{Thread: t.ref, Time: at, Used: used})
	}
}

// cpuAnnotation puts the CPU time of an annotation among the events.
func (e *Enricher) cpuAnnotation(value []byte) {
	if id, at, used, ok := trace.ThreadCPUFrom(value); ok {
		e.putCPU(id, at, used)
	}
}
