package enrich

import (
	"slices"
	"strings"

	"github.com/trcx/trcx/trace"
)

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

// idleIn reports whether a thread with the stack waits for its next task: between its innermost frame and one in which
// pools and timers wait for work, all frames are the JDK's.
func idleIn(frames []trace.Frame) bool {
	for i := range frames {
		class := strings.ReplaceAll(frames[i].Method.Class, ".", "/")
		if slices.Contains(workFrames[class], frames[i].Method.Name) {
			return true
		}
		if !slices.ContainsFunc(jdkPackages, func(name string) bool { return strings.HasPrefix(class, name) }) {
			return false
		}
	}
	return false
}
