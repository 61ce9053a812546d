package trace

import "strings"

// workFrames are the methods in which the thread of a pool waits for its next task, by their classes.
var workFrames = map[string][]string{
	"java/util/concurrent/ThreadPoolExecutor":            {"getTask"},
	"java/util/concurrent/ForkJoinPool":                  {"awaitWork", "deactivate"},
	"java/util/TimerThread":                              {"mainLoop"},
	"java/lang/ref/ReferenceQueue":                       {"remove", "await"},
	"org/apache/tomcat/util/threads/ThreadPoolExecutor":  {"getTask"},
	"org/apache/tomcat/util/threads/TaskQueue":           {"take", "poll"},
	"org/eclipse/jetty/util/thread/QueuedThreadPool":     {"idleJobPoll"},
	"org/eclipse/jetty/util/BlockingArrayQueue":          {"take", "poll"},
	"org/apache/derby/impl/services/daemon/BasicDaemon":  {"rest"},
	"org/h2/mvstore/MVStore$BackgroundWriterThread":      {"run"},
	"io/netty/util/concurrent/SingleThreadEventExecutor": {"takeTask"},
}

// jdkPackages are the packages of the JDK, as classDefs name them.
var jdkPackages = []string{"java/", "jdk/", "sun/"}

// IdleIn reports whether a thread with the stack waits for its next task: between its innermost frame and one in which
// pools and timers wait for work, all frames are the JDK's.
func IdleIn(frames []Frame) bool {
	for i := range frames {
		class := strings.ReplaceAll(frames[i].Method.Class, ".", "/")
		for _, name := range workFrames[class] {
			if frames[i].Method.Name == name {
				return true
			}
		}
		if !hasAnyPrefix(class, jdkPackages) {
			return false
		}
	}
	return false
}

// IsIdle reports whether the event begins a wait of a thread for its next task, as its stack trace shows, or for
// connections.
func (e *ModelEvent) IsIdle() bool {
	return e.Type == WaitingForObject && (e.Stack != nil && e.Stack.Idle || e.IO == IOAccept || e.IO == IOSelect)
}

func hasAnyPrefix(text string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}
