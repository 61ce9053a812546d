package pools

import (
	"slices"
	"strings"

	"github.com/trcx/trcx/trace"
)

// taskClasses are the classes of java.util.concurrent for tasks that only a pool's thread can run, and answerClasses
// all at which threads wait for an answer.
var (
	taskClasses = []string{"FutureTask", "ForkJoinTask", "ScheduledThreadPoolExecutor$ScheduledFutureTask",
		"ExecutorCompletionService$QueueingFuture"}
	answerClasses = append([]string{"CompletableFuture", "CountDownLatch", "CyclicBarrier", "Phaser"}, taskClasses...)
)

// answerOf returns the class in answerClasses for which a thread waits without a timeout, or "".
func (w *worker) answerOf() string {
	if w.idle || w.timed || w.state != trace.StateParked {
		return ""
	}
	class := strings.ReplaceAll(w.class, ".", "/")
	for _, answer := range answerClasses {
		rest, is := strings.CutPrefix(class, "java/util/concurrent/"+answer)
		if is && (rest == "" || rest[0] == '$') {
			return answer
		}
	}
	return ""
}

// waitsForTask reports whether the thread waits for the result of a task that only a pool's thread can run.
func (w *worker) waitsForTask() bool {
	return slices.Contains(taskClasses, w.answerOf())
}

// waitsForTasks reports whether all threads of the pool wait for such results.
func (p *pool) waitsForTasks() bool {
	return !slices.ContainsFunc(p.live, func(w *worker) bool { return !w.waitsForTask() })
}

// selfWaits finds the pool whose tasks wait for its own queue at the end of a recording: all of its threads wait for
// answers, and no other thread is left that could give them. A thread of a pool runs a FutureTask; any thread can
// complete anything else. Two such pools may wait for each other, so none is reported then, unless only one waits for
// tasks, and the others for what these complete.
func (f *Finder) selfWaits(session int, last trace.Time) {
	var all []*pool
	for _, p := range f.all {
		if p.session == session && (p.isPool || p.works) && !p.unqueued && f.waitsForAnswers(p, last) {
			all = append(all, p)
		}
	}
	if len(all) > 1 {
		all = slices.DeleteFunc(all, func(p *pool) bool { return !p.waitsForTasks() })
	}
	if len(all) != 1 {
		return
	}
	found := all[0]
	behind, helped := f.others(found)
	if helped {
		return
	}
	s, since := &SelfWait{Class: found.live[0].class, Place: found.live[0].place}, trace.Time(0)
	for _, w := range found.live {
		since = max(since, w.since)
		s.Names = append(s.Names, w.name)
	}
	s.Length = int64(last - since)
	s.Unsure, s.Behind = !found.isPool || s.Length == 0, behind
	found.selfWait = s
}

// taskScope is the class that runs subtasks. Since JDK 25 it is an interface, and its name with Impl the class.
const taskScope = "java/util/concurrent/StructuredTaskScope"

// executorIn returns the class of java.util.concurrent whose worker the thread is by its calls; "" if it is none. A
// virtual thread that runs a FutureTask is most likely that of an executor with a thread for each task.
func executorIn(stack *trace.Stack) string {
	if stack == nil {
		return ""
	}
	virtual := false
	for _, f := range slices.Backward(stack.Frames) {
		switch m := f.Method; {
		case runsWorker(f):
			class, _, _ := strings.Cut(m.Class, "$")
			return class
		case m != nil && m.Name == "run" && strings.HasPrefix(m.Class, taskScope) && strings.HasSuffix(m.Class, "$SubtaskImpl"):
			return taskScope
		case m != nil && m.Class == "java/lang/VirtualThread":
			virtual = true
		case virtual && m != nil && m.Name == "run" && m.Class == "java/util/concurrent/FutureTask":
			return "java/util/concurrent/ThreadPerTaskExecutor"
		}
	}
	return ""
}

// worksInPool reports whether the calls belong to a worker of java.util.concurrent.
func worksInPool(stack *trace.Stack) bool {
	return stack != nil && slices.ContainsFunc(stack.Frames, runsWorker)
}

func runsWorker(f trace.Frame) bool {
	return f.Method != nil && f.Method.Name == "runWorker" && strings.HasPrefix(f.Method.Class, "java/util/concurrent/")
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

// others reports whether a thread outside of the pool may still complete what its threads wait for, and if none may,
// how many workers of other pools wait for the pool. Another worker that waits for an answer may run an awaited task,
// and go on.
func (f *Finder) others(stuck *pool) (behind int, help bool) {
	tasks := stuck.waitsForTasks() // pools run all that the threads wait for
	completes := tasks && slices.ContainsFunc(stuck.live, func(w *worker) bool { return completesFuture(w.stack) })
	for _, p := range f.all {
		if p == stuck || p.session != stuck.session || tasks && !p.isPool && !p.works {
			continue
		}
		for _, w := range p.live {
			answer := w.answerOf()
			switch {
			case w.acts() && !ServesJVM(w.name):
				return 0, true
			case tasks && answer == "" && !w.idle && p.works:
				return 0, true // it may run the awaited task, whatever it waits for
			case !tasks || answer == "":
			case completes && answer == "CompletableFuture":
				behind++
			default:
				return 0, true
			}
		}
	}
	return behind, !tasks && f.unnamed
}

// completesFuture reports whether the calls belong to a task that completes a CompletableFuture, as supplyAsync makes
// it.
func completesFuture(stack *trace.Stack) bool {
	return stack != nil && slices.ContainsFunc(stack.Frames, func(f trace.Frame) bool {
		return f.Method != nil && f.Method.Name == "run" &&
			strings.HasPrefix(f.Method.Class, "java/util/concurrent/CompletableFuture$Async")
	})
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
