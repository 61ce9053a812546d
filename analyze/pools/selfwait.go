package pools

import (
	"slices"
	"strings"

	"github.com/trcx/trcx/trace"
)

// answers are the classes of java.util.concurrent at which threads wait for an answer.
var answers = []string{"FutureTask", "CompletableFuture", "CountDownLatch", "CyclicBarrier", "Phaser", "ForkJoinTask"}

// answerOf returns the class in answers for which a thread waits without a timeout, or "".
func (w *worker) answerOf() string {
	if w.idle || w.timed || w.state != trace.StateParked {
		return ""
	}
	class := strings.ReplaceAll(w.class, ".", "/")
	for _, answer := range answers {
		rest, is := strings.CutPrefix(class, "java/util/concurrent/"+answer)
		if is && (rest == "" || rest[0] == '$') {
			return answer
		}
	}
	return ""
}

// selfWaits finds the pool whose tasks wait for its own queue at the end of a recording: all of its threads wait for
// answers, and no other thread is left that could give them. A thread of a pool runs a FutureTask; any thread can
// complete anything else. Two such pools may wait for each other, so none is reported then.
func (f *Finder) selfWaits(session int, last trace.Time) {
	var found *pool
	for _, p := range f.all {
		if p.session != session || !p.isPool && !p.works || p.unqueued || !f.waitsForAnswers(p, last) {
			continue
		}
		if found != nil {
			return
		}
		found = p
	}
	if found == nil || f.hasHelper(found) {
		return
	}
	s, since := &SelfWait{Class: found.live[0].class, Place: found.live[0].place}, trace.Time(0)
	for _, w := range found.live {
		since = max(since, w.since)
		s.Names = append(s.Names, w.name)
	}
	s.Length = int64(last - since)
	s.Unsure = !found.isPool || s.Length == 0
	found.selfWait = s
}

// worksInPool reports whether the calls belong to a worker of java.util.concurrent.
func worksInPool(stack *trace.Stack) bool {
	return stack != nil && slices.ContainsFunc(stack.Frames, func(f trace.Frame) bool {
		return f.Method != nil && f.Method.Name == "runWorker" &&
			strings.HasPrefix(f.Method.Class, "java/util/concurrent/")
	})
}

// waitsForAnswers reports whether all threads of the pool have been waiting for answers for some time, or wait for them
// in the only moment of the recording.
func (f *Finder) waitsForAnswers(p *pool, last trace.Time) bool {
	for _, w := range p.live {
		if w.answerOf() == "" || last-w.since < leastSaturated && last != f.start {
			return false
		}
	}
	return len(p.live) > 0
}

// hasHelper reports whether a thread outside of the pool may still complete what its threads wait for.
func (f *Finder) hasHelper(stuck *pool) bool {
	tasks := true // pools run all that the threads wait for
	for _, w := range stuck.live {
		answer := w.answerOf()
		tasks = tasks && (answer == "FutureTask" || answer == "ForkJoinTask")
	}
	for _, p := range f.all {
		if p == stuck || p.session != stuck.session || tasks && !p.isPool && !p.works {
			continue
		}
		for _, w := range p.live {
			if w.acts() && !ServesJVM(w.name) {
				return true
			}
		}
	}
	return !tasks && f.unnamed
}

// servants are prefixes of the names of HotSpot's own threads, which thread dumps list among the program's threads.
var servants = []string{"Attach Listener", "C1 CompilerThread", "C2 CompilerThread", "Common-Cleaner", "Finalizer",
	"Monitor Deflation Thread", "Notification Thread", "Reference Handler", "Service Thread", "Signal Dispatcher",
	"Sweeper thread"}

// ServesJVM reports whether one of HotSpot's own threads has the name. A thread dump lists it without a group.
func ServesJVM(name string) bool {
	return slices.ContainsFunc(servants, func(s string) bool { return strings.HasPrefix(name, s) })
}

// acts reports whether the thread does something, or will when its wait times out.
func (w *worker) acts() bool {
	waits := w.state == trace.StateParked || w.state == trace.StateWaiting || w.state == trace.StateJoining
	return !w.idle && (!waits || w.timed)
}
