package enrich

import (
	"strings"

	"github.com/trcx/trcx/trace"
)

// libraries are the packages of the classes of the JDK, also of JRockit, and of the libraries of Kotlin and Scala.
var libraries = [...]string{"java", "javax", "jdk", "sun", "com/sun", "com.sun", "kotlin", "scala", "jrockit",
	"COM/jrockit", "COM.jrockit"}

// IsLibrary reports whether a class, with / or . in its name, is not the program's own: it belongs to the JDK or to the
// libraries of Kotlin or Scala, or the JDK has made it for a lambda.
func IsLibrary(class string) bool {
	for _, name := range libraries {
		if len(class) > len(name) && class[:len(name)] == name && (class[len(name)] == '/' || class[len(name)] == '.') {
			return true
		}
	}
	return isLambda(class)
}

// isLambda reports whether the JDK has made the class for a lambda or a method reference. Its method only calls the
// code.
func isLambda(class string) bool { return strings.Contains(class, "$$Lambda") }

// isWayToWait reports whether a class, with / or . in its name, is one by which the JDK lets threads wait and wake each
// other. People ask for the caller of such a class.
func isWayToWait(class string) bool {
	switch class {
	case "java/lang/Object", "java/lang/Thread", "java/lang/VirtualThread", "java/util/concurrent/TimeUnit",
		"java.lang.Object", "java.lang.Thread", "java.lang.VirtualThread", "java.util.concurrent.TimeUnit":
		return true
	}
	class = strings.ReplaceAll(class, ".", "/")
	return isLambda(class) || isWayToPark(class) || isOfJRockit(class)
}

// isTermination reports whether the method waits for its ForkJoinPool to terminate. Other methods of that class let
// threads wait for anything.
func isTermination(m *trace.ModelMethod) bool {
	return (m.Name == "awaitTermination" || m.Name == "close") &&
		strings.ReplaceAll(m.Class, ".", "/") == "java/util/concurrent/ForkJoinPool"
}

// isOfJRockit reports whether the class is one by which JRockit lets threads wait for monitors and notifications.
func isOfJRockit(class string) bool {
	return strings.HasPrefix(strings.TrimPrefix(class, "COM/"), "jrockit/vm/")
}

// isWayToPark reports whether the locks and queues of java.util.concurrent park threads through the class.
func isWayToPark(class string) bool {
	switch class {
	case "jdk/internal/misc/Unsafe", "sun/misc/Unsafe", "jdk/internal/misc/VirtualThreads", "java/lang/System$1",
		"java/lang/System$2", "java/util/concurrent/ForkJoinPool":
		return true
	}
	return strings.HasPrefix(class, "java/util/concurrent/locks/")
}

// waitsThrough reports whether a class of the JDK lets threads wait in the method m through another one that programs
// use, too, and that has the method through. People ask for the former: the program has no such latch or queue.
func waitsThrough(m, through *trace.ModelMethod) bool {
	class := strings.ReplaceAll(m.Class, ".", "/")
	switch outer, _, _ := strings.Cut(strings.ReplaceAll(through.Class, ".", "/"), "$"); outer {
	case "java/util/concurrent/CountDownLatch":
		return class == "java/lang/VirtualThread" && m.Name == "joinNanos" ||
			class == "java/util/concurrent/ThreadPerTaskExecutor" && m.Name == "awaitTermination" || isTermination(m) ||
			class == "sun/nio/ch/PendingFuture" && m.Name == "get" // of an asynchronous channel
	case "java/util/concurrent/LinkedBlockingQueue":
		return class == "java/util/concurrent/ExecutorCompletionService"
	case "java/util/concurrent/CompletableFuture":
		return class == "jdk/internal/net/http/HttpClientImpl" && m.Name == "send"
	case "java/util/concurrent/LinkedTransferQueue":
		outer, _, _ = strings.Cut(class, "$")
		return outer == "java/util/concurrent/SynchronousQueue"
	}
	return false
}

// siteOf returns the indexes of two frames: the program's own call, which is the innermost one of a class that is
// neither a library's nor skipped, and the library's call in which it waits: the innermost one that is no way to wait,
// or the one that waits through it. If all frames are of libraries, both are the latter; if all are ways to wait, 0.
// The function skips reports whether a method is not the program's own; nil skips nothing.
func siteOf(frames []trace.Frame, skips func(*trace.ModelMethod) bool) (site, inner int, library bool) {
	inner = -1
	for i := range frames {
		m := frames[i].Method
		if inner < 0 {
			if isWayToWait(m.Class) && !isTermination(m) {
				continue
			}
			inner = i
		}
		if waitsThrough(m, frames[inner].Method) {
			inner = i
		}
		if !IsLibrary(m.Class) && (skips == nil || !skips(m)) {
			return i, outermostOf(frames[:i], inner), false
		}
	}
	return max(inner, 0), max(inner, 0), true
}

// outermostOf returns the index of the outermost call of the class of java.util.concurrent to which the call at inner
// belongs. Threads that wait in CompletableFuture$Signaller.block called CompletableFuture.get, and whether a thread
// puts or takes is seen only there.
func outermostOf(frames []trace.Frame, inner int) int {
	class := func(at int) string {
		outer, _, _ := strings.Cut(strings.ReplaceAll(frames[at].Method.Class, ".", "/"), "$")
		return outer
	}
	if inner >= len(frames) || !strings.HasPrefix(class(inner), "java/util/concurrent/") {
		return inner
	}
	for of, at := class(inner), inner+1; at < len(frames); at++ {
		if class(at) == of {
			inner = at
		}
	}
	return inner
}
