import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A program's log of its calls that can block, and samples of what all its platform threads do, by the JVM's management interface. Times are in nanoseconds
 * since the Unix epoch. The file has lines "call KIND THREAD BEGIN END BLOCKED", with true if the thread has waited or was blocked in the call, and
 * "sample THREAD BEGIN END STATE CLASS": at a moment between the two times, the thread was in a Thread.State, because of an object of the class, or of "-".
 * The JVM counts no waits for input and output, and none of virtual threads; of these calls the log has true for those that have taken long.
 */
final class Calls {
    private static final int PAUSE = 5;
    private static final long LONG = 30_000_000;
    private static final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private static final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private static final Set<String> transfers = Set.of("read", "write", "accept", "connect", "select", "request");
    private static final Set<String> threadsOfTheJVM = Set.of("Finalizer", "Reference Handler", "Signal Dispatcher", "Common-Cleaner", "Notification Thread",
        "Attach Listener", "sampler");
    private static volatile boolean sampling = true;

    private Calls() { }

    /** A call. */
    interface Task {
        void run() throws Exception;
    }

    static void log(String kind, Task task) throws Exception {
        get(kind, () -> {
            task.run();
            return null;
        });
    }

    static <T> T get(String kind, Callable<T> task) throws Exception {
        long waits = waits(), begin = Truth.now();
        try {
            return task.call();
        } finally {
            add(kind, begin, waits);
        }
    }

    /** How often the thread has waited or was blocked; -1 of a virtual thread. */
    static long waits() {
        ThreadInfo info = threads.getThreadInfo(id());
        return info == null ? -1 : info.getBlockedCount() + info.getWaitedCount();
    }

    /** Adds a call of the current thread that ends now. */
    static void add(String kind, long begin, long waits) {
        long end = Truth.now();
        boolean blocked = transfers.contains(kind) || waits < 0 ? end - begin > LONG : waits() > waits;
        add(kind, begin, end, blocked);
    }

    private static void add(String kind, long begin, long end, boolean blocked) {
        lines.add("call " + kind + " " + id() + " " + begin + " " + end + " " + blocked);
    }

    /** Logs a transfer that may take long without a wait. */
    static <T> T transfer(String kind, Callable<T> task) throws Exception {
        long begin = Truth.now();
        try {
            return task.call();
        } finally {
            add(kind, begin, Truth.now(), false);
        }
    }

    @SuppressWarnings("deprecation") // threadId is newer than JDK 17
    private static long id() {
        return Thread.currentThread().getId();
    }

    /** Begins to sample. */
    static void sample() {
        Thread sampler = new Thread(Calls::sampleAll, "sampler");
        sampler.setDaemon(true);
        sampler.start();
    }

    private static void sampleAll() {
        while (sampling) {
            long[] ids = threads.getAllThreadIds();
            long begin = Truth.now();
            ThreadInfo[] infos = threads.getThreadInfo(ids);
            long end = Truth.now();
            for (ThreadInfo info : infos) {
                LockInfo lock = info == null ? null : info.getLockInfo();
                boolean carries = lock != null && lock.getClassName().equals("java.lang.VirtualThread");
                if (info != null && !carries && !threadsOfTheJVM.contains(info.getThreadName()) && !info.getThreadName().startsWith("JFR ")) {
                    lines.add("sample " + info.getThreadId() + " " + begin + " " + end + " " + info.getThreadState() + " "
                        + (lock == null ? "-" : lock.getClassName()));
                }
            }
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Ends sampling, and writes the file. */
    static void print(String file) throws IOException {
        sampling = false;
        try (PrintStream out = new PrintStream(file, "UTF-8")) {
            lines.forEach(out::println);
        }
        System.out.println("done");
    }
}
