package enrich

import (
	"slices"
	"strings"

	"github.com/trcx/trcx/trace"
)

// WayToWait is a call in which threads of a library wait for their next task, event or connection.
type WayToWait struct {
	// Library is the name of the library, as people know it.
	Library string
	// Class is written with slashes, as classDefs name it.
	Class   string
	Methods []string
	// Own is the prefix of the library's own class names. Between the thread's innermost frame and this method, only
	// classes of the library and of the JDK may occur; "" allows only classes of the JDK, "-" only Object.wait and
	// LockSupport.park, for a method that also calls tasks.
	Own string
	// Thread is the name of a thread that waits so.
	Thread string
	// Tested reports that the tests run this library, in a version that Debian has.
	Tested bool
}

// WaysToWait returns the table of all ways in which threads are known to wait for work.
func WaysToWait() []WayToWait { return waysToWait[:] }

const (
	executor  = "java/util/concurrent/ThreadPoolExecutor"
	scheduled = "java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue"
	netty     = "io/netty/"
	jetty     = "org/eclipse/jetty/"
	kafka     = "org/apache/kafka/"
	zookeeper = "org/apache/zookeeper/"

	bare = "-" // see WayToWait.Own
)

// waysToWait has no method that waits for an answer to the thread's own request, and none that calls tasks: waits of
// tasks would look the same.
var waysToWait = [...]WayToWait{
	{"java.util.concurrent", executor, []string{"getTask"}, "", "pool-1-thread-1", true},
	{"java.util.concurrent", scheduled, []string{"take", "poll"}, "", "pool-1-thread-1", true},
	{"java.util.concurrent", "java/util/concurrent/ForkJoinPool", []string{"awaitWork", "deactivate"}, "",
		"ForkJoinPool.commonPool-worker-1", true},
	{"java.util.concurrent of JDK 11", "java/util/concurrent/ForkJoinPool", []string{"runWorker"}, bare,
		"ForkJoinPool.commonPool-worker-1", false},
	{"java.util.concurrent of JDK 25", "java/util/concurrent/DelayScheduler", []string{"loop"}, "",
		"ForkJoinPool.commonPool-delayScheduler", false},
	{"java.util.Timer", "java/util/TimerThread", []string{"mainLoop"}, "", "Timer-0", true},
	{"java.lang.ref", "java/lang/ref/ReferenceQueue", []string{"remove", "await"}, "", "Common-Cleaner", true},
	{"java.net.http", "jdk/internal/net/http/HttpClientImpl$SelectorManager", []string{"run"}, "",
		"HttpClient-1-SelectorManager", false},
	{"com.sun.net.httpserver", "sun/net/httpserver/ServerImpl$Dispatcher", []string{"run"}, "", "HTTP-Dispatcher", false},
	{"AWT and Swing", "java/awt/EventQueue", []string{"getNextEvent"}, "", "AWT-EventQueue-0", false},
	{"AWT and Swing", "javax/swing/TimerQueue", []string{"run"}, "", "TimerQueue", false},
	{"JMX", "com/sun/jmx/remote/internal/ServerCommunicatorAdmin$Timeout", []string{"run"}, "",
		"JMX server connection timeout 42", false},
	{"Tomcat", "org/apache/tomcat/util/threads/ThreadPoolExecutor", []string{"getTask"}, "org/apache/tomcat/",
		"http-nio-8080-exec-1", true},
	{"Tomcat", "org/apache/tomcat/util/threads/TaskQueue", []string{"take", "poll"}, "", "http-nio-8080-exec-1", true},
	{"Tomcat", "org/apache/tomcat/util/net/NioEndpoint$Poller", []string{"run"}, "", "http-nio-8080-Poller", true},
	{"Jetty", jetty + "util/thread/QueuedThreadPool", []string{"idleJobPoll"}, jetty + "util/", "qtp1234-12", false},
	{"Jetty", jetty + "util/thread/QueuedThreadPool$Runner", []string{"idleJobPoll"}, jetty + "util/", "qtp1234-12", true},
	{"Jetty", jetty + "util/thread/ReservedThreadExecutor$ReservedThread", []string{"reservedWait"}, jetty + "util/",
		"qtp1234-13", true},
	{"Jetty", jetty + "io/ManagedSelector$SelectorProducer", []string{"select"}, jetty + "io/", "qtp1234-14", true},
	{"Netty", netty + "util/concurrent/SingleThreadEventExecutor", []string{"takeTask"}, netty, "defaultEventExecutorGroup-2-1", true},
	{"Netty", netty + "util/concurrent/GlobalEventExecutor", []string{"takeTask"}, netty, "globalEventExecutor-1-1", true},
	{"Netty", netty + "channel/nio/NioEventLoop", []string{"select"}, netty, "nioEventLoopGroup-2-1", true},
	{"Netty 4.2", netty + "channel/nio/NioIoHandler", []string{"select"}, netty, "multiThreadIoEventLoopGroup-2-1", false},
	{"gRPC", netty + "channel/nio/NioEventLoop", []string{"select"}, netty, "grpc-nio-worker-ELG-3-1", false},
	{"gRPC", executor, []string{"getTask"}, "", "grpc-default-executor-0", false},
	{"Vert.x", netty + "channel/nio/NioEventLoop", []string{"select"}, netty, "vert.x-eventloop-thread-0", false},
	{"Vert.x", executor, []string{"getTask"}, "", "vert.x-worker-thread-0", false},
	{"XNIO, Undertow", "org/xnio/nio/WorkerThread", []string{"run"}, "org/xnio/", "XNIO-1 I/O-1", true},
	{"XNIO, Undertow", "org/jboss/threads/EnhancedQueueExecutor$PoolThreadNode", []string{"park"}, "org/jboss/threads/",
		"XNIO-1 task-1", false},
	{"HikariCP", scheduled, []string{"take", "poll"}, "", "HikariPool-1 housekeeper", true},
	{"HikariCP", executor, []string{"getTask"}, "", "HikariPool-1 connection adder", true},
	{"Commons Pool, DBCP", scheduled, []string{"take", "poll"}, "", "commons-pool-evictor", true},
	{"c3p0", "com/mchange/v2/async/ThreadPoolAsynchronousRunner$PoolThread", []string{"run"}, "",
		"com.mchange.v2.async.ThreadPoolAsynchronousRunner$PoolThread-#0", true},
	{"Kafka", kafka + "clients/producer/internals/Sender", []string{"runOnce"}, kafka, "kafka-producer-network-thread", false},
	{"Kafka", kafka + "clients/consumer/KafkaConsumer", []string{"pollForFetches"}, kafka, "the consumer's own", false},
	{"Kafka", kafka + "clients/consumer/internals/ClassicKafkaConsumer", []string{"pollForFetches"}, kafka,
		"the consumer's own", false},
	{"Kafka", kafka + "clients/consumer/internals/AsyncKafkaConsumer", []string{"pollForFetches"}, kafka,
		"the consumer's own", false},
	{"Kafka", kafka + "clients/consumer/internals/ConsumerNetworkThread", []string{"runOnce"}, kafka,
		"consumer_background_thread", false},
	{"Kafka", kafka + "clients/consumer/internals/AbstractCoordinator$HeartbeatThread", []string{"run"}, "",
		"kafka-coordinator-heartbeat-thread", false},
	{"ZooKeeper", zookeeper + "ClientCnxnSocketNIO", []string{"doTransport"}, "", "main-SendThread(localhost:2181)", false},
	{"ZooKeeper", zookeeper + "ClientCnxn$EventThread", []string{"run"}, "", "main-EventThread", false},
	{"ZooKeeper", zookeeper + "server/NIOServerCnxnFactory$SelectorThread", []string{"select"}, "",
		"NIOServerCxnFactory.SelectorThread-0", false},
	{"Derby", "org/apache/derby/impl/services/daemon/BasicDaemon", []string{"rest"}, "", "derby.rawStoreDaemon", false},
	{"H2", "org/h2/mvstore/MVStore$BackgroundWriterThread", []string{"run"}, "", "MVStore background writer", false},
	{"Disruptor, Log4j", "com/lmax/disruptor/BlockingWaitStrategy", []string{"waitFor"}, "", "Log4j2-AsyncLogger-1", false},
	{"Logback", "ch/qos/logback/core/AsyncAppenderBase$Worker", []string{"run"}, "", "AsyncAppender-Worker-ASYNC", false},
	{"Kotlin coroutines", "kotlinx/coroutines/scheduling/CoroutineScheduler$Worker", []string{"park"}, "",
		"DefaultDispatcher-worker-1", false},
	{"OkHttp", "okhttp3/ConnectionPool$1", []string{"run"}, "", "OkHttp ConnectionPool", false},
	{"OkHttp", "okhttp3/internal/connection/RealConnectionPool", []string{"lambda$new$0"}, "", "OkHttp ConnectionPool",
		false},
	{"OkHttp", "okhttp3/internal/concurrent/TaskRunner$RealBackend", []string{"coordinatorWait"}, "", "OkHttp TaskRunner",
		false},
	{"Okio", "okio/AsyncTimeout", []string{"awaitTimeout"}, "", "Okio Watchdog", false},
	{"Okio", "okio/AsyncTimeout$Companion", []string{"awaitTimeout", "awaitTimeout$okio"}, "", "Okio Watchdog", false},
	{"WebLogic", "weblogic/kernel/ExecuteThread", []string{"waitForRequest"}, "",
		"ExecuteThread: '0' for queue: 'weblogic.kernel.Default'", false},
	{"WebLogic", "weblogic/work/ExecuteThread", []string{"waitForRequest"}, "",
		"[STANDBY] ExecuteThread: '1' for queue: 'weblogic.kernel.Default (self-tuning)'", false},
	{"NetBeans", "org/openide/util/RequestProcessor$Processor", []string{"run"}, bare, "Inactive RequestProcessor thread",
		false},
	{"Eclipse", "org/eclipse/core/internal/jobs/WorkerPool", []string{"sleep"}, "", "Worker-1", false},
	{"Eclipse", "org/eclipse/osgi/framework/eventmgr/EventManager$EventThread", []string{"getNextEvent"}, "",
		"Framework Event Dispatcher", false},
}

// workFrames finds the rows of waysToWait by class and method.
var workFrames = func() map[[2]string]*WayToWait {
	frames := map[[2]string]*WayToWait{}
	for i := range waysToWait {
		for _, method := range waysToWait[i].Methods {
			frames[[2]string{waysToWait[i].Class, method}] = &waysToWait[i]
		}
	}
	return frames
}()

// jdkPackages are the packages of the JDK, also of JRockit, as classDefs name them.
var jdkPackages = []string{"java/", "jdk/", "sun/", "jrockit/", "COM/jrockit/"}

// unshaded returns the class name, with slashes, without the prefix under which a library brings its own copy of Netty.
func unshaded(class string) string {
	class = strings.ReplaceAll(class, ".", "/")
	if at := strings.Index(class, "/"+netty); at >= 0 {
		return class[at+1:]
	}
	return class
}

// idleIn reports whether a thread with the stack waits for its next task: between its innermost frame and one in which
// pools, timers and event loops wait for work, all frames are the JDK's or that library's.
func idleIn(frames []trace.Frame) bool {
	for i := range frames {
		way := workFrames[[2]string{unshaded(frames[i].Method.Class), frames[i].Method.Name}]
		if way != nil && within(frames[:i], way.Own) {
			return true
		}
	}
	return false
}

// within reports whether all frames are of the JDK, or of classes with the prefix own, if that is not "". If it is
// bare, they only wait or park.
func within(frames []trace.Frame, own string) bool {
	for i := range frames {
		class := unshaded(frames[i].Method.Class)
		if own == bare && !isBareWait(class) {
			return false
		}
		if (own == "" || !strings.HasPrefix(class, own)) && !isOfJDK(class) {
			return false
		}
	}
	return true
}

// isBareWait reports whether the class has only calls that wait or park, without locks and queues.
func isBareWait(class string) bool {
	switch class {
	case "java/lang/Object", "java/util/concurrent/locks/LockSupport", "jdk/internal/misc/Unsafe", "sun/misc/Unsafe":
		return true
	}
	return isOfJRockit(class)
}

func isOfJDK(class string) bool {
	return slices.ContainsFunc(jdkPackages, func(name string) bool { return strings.HasPrefix(class, name) })
}
