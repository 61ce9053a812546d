package enrich

import (
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestWaysToWait: frames that park a thread are skipped up to the call of the lock or queue, in each spelling of the
// class; classes that only resemble these are not.
func TestWaysToWait(t *testing.T) {
	for class, want := range map[string]bool{
		"java/lang/Object": true, "java.lang.Thread": true, "jdk/internal/misc/Unsafe": true, "sun.misc.Unsafe": true,
		"java/util/concurrent/locks/LockSupport":        true,
		"java.util.concurrent.locks.ReentrantLock$Sync": true, "java/util/concurrent/ForkJoinPool": true,
		"java/util/concurrent/LinkedBlockingQueue": false, "java/util/concurrent/locks": false,
		"jrockit/vm/Locks": true, "jrockit.vm.Threads": true, "COM/jrockit/vm/RNI": true, "jrockit/net/SocketNativeIO": false,
		"app/java/util/concurrent/locks/Lock": false, "java/lang/String": false, "": false,
	} {
		if got := isWayToWait(class); got != want {
			t.Errorf("%q: %v", class, got)
		}
	}
}

// TestSiteOf proves that the place of a stack is the program's own call, with the library's method that it called;
// where all frames are of libraries, it is the innermost one that is no way to wait.
func TestSiteOf(t *testing.T) {
	skips := func(m *trace.ModelMethod) bool { return strings.HasPrefix(m.Class, "org/framework/") }
	for classes, want := range map[string]string{
		"java/lang/Object app/Main":                                                                "app/Main",
		"java/util/concurrent/ConcurrentHashMap app/Main java/lang/Thread":                         "app/Main (java.util.concurrent.ConcurrentHashMap.f)",
		"java/util/concurrent/locks/LockSupport java/util/concurrent/FutureTask kotlin/A app.Main": "app.Main (java.util.concurrent.FutureTask.f)",
		"java/lang/Object java/lang/ref/ReferenceQueue jdk/internal/ref/CleanerImpl":               "java/lang/ref/ReferenceQueue",
		"java/lang/Object java/lang/Thread":                                                        "java/lang/Object",
		"javax/net/Socket org/framework/Filter app/Main":                                           "app/Main (javax.net.Socket.f)",
		"org/framework/Filter app/Main":                                                            "app/Main (org.framework.Filter.f)",
		"java/util/concurrent/locks/ReentrantLock app/Main$$Lambda$7 app/Main":                     "app/Main",
		"java/util/concurrent/CountDownLatch app/Main$$Lambda$7 app/Main":                          "app/Main (java.util.concurrent.CountDownLatch.f)",
		"jrockit/vm/Threads jrockit/vm/Locks app/Main":                                             "app/Main",
		"jrockit/vm/Threads jrockit/vm/Locks java/util/Vector app/A":                               "app/A (java.util.Vector.f)",
		"javac/Main": "javac/Main",
	} {
		stack := trace.Stack{}
		for _, class := range strings.Fields(classes) {
			stack.Frames = append(stack.Frames, trace.Frame{Method: &trace.ModelMethod{Class: class, Name: "f"}, Line: trace.NoLine})
		}
		stack.Site, stack.Inner, stack.Library = siteOf(stack.Frames, skips)
		caller := stack.Caller()
		got := caller.Method.Class
		if caller.Inner != nil {
			got += " (" + caller.Inner.Title() + ")"
		}
		if got != want {
			t.Errorf("the place of %s is %s, want %s", classes, got, want)
		}
	}
}

// TestWaitsThrough proves that the library's method is the one that the program knows, not one through which that waits.
func TestWaitsThrough(t *testing.T) {
	const latch, queue = "java/util/concurrent/CountDownLatch.await", "java/util/concurrent/LinkedTransferQueue$DualNode.await"
	const executor = "java/util/concurrent/ThreadPerTaskExecutor"
	for calls, want := range map[string]string{
		latch + " java/lang/VirtualThread.joinNanos java/lang/Thread.join app/Main.main":  "java.lang.VirtualThread.joinNanos",
		latch + " " + executor + ".awaitTermination " + executor + ".close app/Main.main": "java.util.concurrent.ThreadPerTaskExecutor.close",
		latch + " app/Main.main java/lang/VirtualThread.joinNanos":                        "java.util.concurrent.CountDownLatch.await",
		latch + " " + executor + ".run java/lang/VirtualThread.run app/Main.main":         "java.util.concurrent.CountDownLatch.await",
		queue + " java/util/concurrent/LinkedTransferQueue.take app/Main.main":            "java.util.concurrent.LinkedTransferQueue.take",
		"java/util/concurrent/CompletableFuture$Signaller.block java/util/concurrent/ForkJoinPool.managedBlock " +
			"java/util/concurrent/CompletableFuture.get java/util/List.forEach app/Main.main": "java.util.concurrent.CompletableFuture.get",
		"java/util/concurrent/CompletableFuture$Signaller.block java/util/concurrent/CompletableFuture.get " +
			"jdk/internal/net/http/HttpClientImpl.send jdk/internal/net/http/HttpClientFacade.send app/Main.main": "jdk.internal.net.http.HttpClientImpl.send",
		queue + " java/util/concurrent/SynchronousQueue$TransferStack.transfer app/Main.main":          "java.util.concurrent.SynchronousQueue$TransferStack.transfer",
		strings.ReplaceAll(queue+" java/util/concurrent/SynchronousQueue.put", "/", ".") + " app.Main": "java.util.concurrent.SynchronousQueue.put",
	} {
		stack := trace.Stack{}
		for call := range strings.FieldsSeq(calls) {
			at := strings.LastIndexByte(call, '.')
			stack.Frames = append(stack.Frames, trace.Frame{Method: &trace.ModelMethod{Class: call[:at], Name: call[at+1:]}})
		}
		stack.Site, stack.Inner, stack.Library = siteOf(stack.Frames, nil)
		if caller := stack.Caller(); caller.Inner == nil || caller.Inner.Title() != want {
			t.Errorf("%s: the method is %+v, want %s", calls, caller.Inner, want)
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
		park, forks = "java/util/concurrent/locks/LockSupport.park", "java/util/concurrent/ForkJoinPool.runWorker"
		await       = "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.await"
		signal      = "jrockit/vm/Threads.waitForSignalWithTimeout"
		processor   = "org/openide/util/RequestProcessor$Processor.run"
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
		{"a worker of JDK 11's ForkJoinPool", []string{"jdk/internal/misc/Unsafe.park", park, forks}, true},
		{"its task waits for a lock", []string{park, "java/util/concurrent/FutureTask.get", forks}, false},
		{"it starts to wait", []string{await, forks}, false},
		{"a timer of JRockit", []string{signal, "jrockit/vm/Locks.wait", mainLoop}, true},
		{"a thread of WebLogic on JRockit", []string{signal, "jrockit/vm/Locks.wait", "weblogic/kernel/ExecuteThread.waitForRequest"}, true},
		{"a thread of WebLogic", []string{wait, "weblogic/work/ExecuteThread.waitForRequest"}, true},
		{"a task of WebLogic", []string{wait, task, "weblogic/work/ExecuteThread.execute"}, false},
		{"a processor of NetBeans", []string{wait, processor}, true},
		{"its task waits in a queue of its own", []string{wait, take, "org/openide/util/RequestProcessor$Task.run", processor}, false},
		{"a worker of Eclipse", []string{wait, "org/eclipse/core/internal/jobs/WorkerPool.sleep"}, true},
		{"events of Eclipse", []string{wait, "org/eclipse/osgi/framework/eventmgr/EventManager$EventThread.getNextEvent"}, true},
		{"a timeout of JMX", []string{wait, "com/sun/jmx/remote/internal/ServerCommunicatorAdmin$Timeout.run"}, true},
		{"timers of Swing", []string{park, await, "java/util/concurrent/DelayQueue.take", "javax/swing/TimerQueue.run"}, true},
		{"connections of OkHttp 3", []string{wait, "okhttp3/ConnectionPool$1.run"}, true},
		{"connections of OkHttp 3.14", []string{wait, "okhttp3/internal/connection/RealConnectionPool.lambda$new$0"}, true},
		{"tasks of OkHttp 4", []string{wait, "okhttp3/internal/concurrent/TaskRunner$RealBackend.coordinatorWait"}, true},
		{"a request of OkHttp", []string{wait, "okhttp3/internal/http2/Http2Stream.waitForIo"}, false},
		{"timeouts of Okio", []string{wait, "okio/AsyncTimeout.awaitTimeout"}, true},
		{"timeouts of Okio 3", []string{park, await, "okio/AsyncTimeout$Companion.awaitTimeout"}, true},
	} {
		var frames []trace.Frame
		for _, frame := range c.frames {
			frames = append(frames, frameOf(frame))
		}
		if idleIn(frames) != c.want {
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
