package trace_test

import (
	"testing"

	"github.com/trcx/trcx/trace"
)

func TestPoolOf(t *testing.T) {
	for name, want := range map[string]string{
		"main": "main", "": "", "worker-7": "worker-*", "worker-17": "worker-*", "pool-1-thread-20": "pool-*-thread-*",
		"http-nio-8080-exec-3": "http-nio-*-exec-*", "42": "*", "Größe-3": "Größe-*",
	} {
		if pool := trace.PoolOf(name); pool != want {
			t.Errorf("the pool of %q is %q, want %q", name, pool, want)
		}
	}
}

func TestThreadsOfTheJVM(t *testing.T) {
	for thread, want := range map[trace.ModelThread]bool{
		{Name: "main", Group: "main"}:                           false,
		{Name: "Finalizer", Group: "system"}:                    true,
		{Name: "Common-Cleaner", Group: "InnocuousThreadGroup"}: true,
		{Name: "DestroyJavaVM", Group: "main"}:                  true,
		{Name: "JFR Periodic Tasks", Group: "main"}:             true,
		{Name: "", Group: "VirtualThreads"}:                     false,
	} {
		if thread.OfJVM() != want {
			t.Errorf("%q of group %q is one of the JVM: %v, want %v", thread.Name, thread.Group, thread.OfJVM(), want)
		}
	}
}

func TestIdleIn(t *testing.T) {
	const (
		wait, take  = "java/lang/Object.wait", "java/util/concurrent/LinkedBlockingQueue.take"
		getTask     = "java/util/concurrent/ThreadPoolExecutor.getTask"
		runWorker   = "java/util/concurrent/ThreadPoolExecutor.runWorker"
		mainLoop    = "java/util/TimerThread.mainLoop"
		task, queue = "shop.Reminder.run", "org.apache.tomcat.util.threads.TaskQueue.take"
	)
	for _, c := range []struct {
		name   string
		frames []string
		want   bool
	}{
		{"a worker waits for a task", []string{take, getTask, runWorker}, true},
		{"a task waits for a queue", []string{take, task, runWorker}, false},
		{"a task waits in a pool's thread", []string{wait, task, getTask}, false},
		{"a timer waits", []string{wait, mainLoop}, true},
		{"a timer's task waits", []string{wait, task, mainLoop}, false},
		{"Tomcat's own queue", []string{"java/util/concurrent/locks/LockSupport.park", queue}, true},
		{"a consumer waits for a queue", []string{take, "shop.Consumer.run"}, false},
		{"a daemon of Derby", []string{wait, "org/apache/derby/impl/services/daemon/BasicDaemon.rest"}, true},
		{"a transaction of H2", []string{wait, "org/h2/mvstore/tx/Transaction.waitForThisToEnd"}, false},
		{"no frames", nil, false},
	} {
		var frames []trace.Frame
		for _, frame := range c.frames {
			frames = append(frames, frameOf(frame))
		}
		if trace.IdleIn(frames) != c.want {
			t.Errorf("%s: idle is %v, want %v", c.name, !c.want, c.want)
		}
	}
}

// frameOf returns the frame of a method, written class.method.
func frameOf(title string) trace.Frame {
	at := len(title) - 1
	for title[at] != '.' {
		at--
	}
	return trace.Frame{Method: &trace.ModelMethod{Class: title[:at], Name: title[at+1:]}, Line: trace.NoLine}
}
