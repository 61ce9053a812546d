// Package diagnosis ranks what other analyses have found: what is wrong in a program, who and where it is, how long it
// took, what proves it, and which command shows more.
//
// Of takes what a command has computed, in Facts. Whatever is nil there is not diagnosed, so that the first lines of
// each command (Head) are the part of the diagnosis that the command shows, in the same words.
//
//   - collector.go: the Collector, which computes the facts of a trace in one pass
//   - diagnosis.go: Facts, Finding, and the ranking
//   - lock.go: locks on which threads were BLOCKED, from statistics or from blame
//   - holder.go: their holders: who, where, for how long, and what they did meanwhile
//   - moved.go: locks that seem to be several, because a recording numbers moved objects anew
//   - wait.go: waits for notifications, permits, results and the ends of threads, and for the thread's own time to pass
//   - culprit.go: who is to blame for them, in words
//   - open.go: waits that are not over when the trace ends
//   - termination.go: executors that are awaited to terminate, and the threads that keep them from it
//   - beside.go: who slept, or was in input or output, while others waited for somebody who is unknown
//   - runnable.go: threads that dumps, or a profiler, show RUNNABLE
//   - sum.go: waits that are small one by one, and large in sum
//   - pool.go: pools of workers, threads that never end or start late
//   - carrier.go: virtual threads that keep their carriers
//   - leak.go: pools that are created again and again
//   - loop.go: threads that sleep again and again
//   - state.go: the states of what threads still wait for
//   - stuck.go: threads that can never go on, by these states
//   - permit.go, work.go, behind.go: who had the permits; work that is awaited; for whom the holders of a lock waited
//   - run.go, trouble.go, cpu.go: deadlocks, pauses, the critical path; the JVM's stops; processors
//   - answer.go: the answer in all formats
package diagnosis
