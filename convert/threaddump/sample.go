package threaddump

import "github.com/trcx/trcx/trace"

// sample emits what the dump shows of a thread beside its waits: the CPU time that it has used, and its stack if it is
// RUNNABLE. It precedes the wait that begins with the dump, because the CPU time is from before. A thread without calls
// is one of the JVM's own.
func (s *series) sample(t *thread) {
	if t.depth == 0 {
		return
	}
	s.at = t.place
	s.id = trace.EscapeJava(s.id[:0], t.id)
	if t.cpu > 0 {
		s.out.CPU(t.place.Offset, s.id, trace.CPUTime{Time: s.last, Used: t.cpu, Age: max(int64(t.elapsed), 0)})
	}
	if t.state.kind == running && t.javaState == javaRunnable {
		stack := s.stackOf(t)
		s.out.Sample(t.place.Offset, s.id, &trace.Sample{Time: s.last, State: trace.StateRunnable, Count: 1}, stack)
	}
}
