import java.io.IOException;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A program's log of its own actions. Each thread writes into memory of its own, without locks; print writes it all to a file at the end. A record is
 * an event, with the times immediately before and after it. truth_test.go reads the file.
 */
final class Truth {
    // Kinds of records, in the order of WORDS.
    static final int RUN = 0, END = 1, START = 2, NOTIFY = 3, WAIT = 4, JOIN = 5, INTERRUPT = 6, SLEEP = 7, ENTER = 8, CLEAR = 9, PARK = 10;
    private static final String[] WORDS = {"run", "end", "start", "notify", "wait", "join", "interrupt", "sleep", "enter", "clear", "park"};

    // How a wait, a join or a sleep ended.
    static final int ENDED = 0, TIMEOUT = 1, INTERRUPTED = 2, NOTIFIED = 3, NOTIFIED_ALL = 4, UNSURE = 5, DEAD_BEFORE = 6;
    private static final String[] HOW = {"ended", "timeout", "interrupted", "notified", "notifiedAll", "unsure", "deadBefore"};

    /** The offset from System.nanoTime to the Unix epoch: of some readings the one with the least time between both clocks. */
    private static final long OFFSET = offset();

    private static final ConcurrentLinkedQueue<Log> logs = new ConcurrentLinkedQueue<>();
    private static final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    private static final ThreadLocal<Log> mine = ThreadLocal.withInitial(Log::new);
    private static boolean virtual;
    private static String file;

    private Truth() { }

    /** Begins. The kinds are those that the program reports completely. Its arguments: the truth's file, then "virtual" for virtual threads. */
    static void reports(String[] args, String... kinds) {
        file = args[0];
        virtual = args.length > 1 && args[1].equals("virtual");
        for (String kind : kinds) {
            lines.add("reports " + kind);
        }
        log();
        now();
    }

    static boolean virtual() {
        return virtual;
    }

    /** The current time in nanoseconds since the Unix epoch. */
    static long now() {
        return System.nanoTime() + OFFSET;
    }

    private static long offset() {
        long offset = 0, shortest = Long.MAX_VALUE;
        for (int i = 0; i < 50; i++) {
            long before = System.nanoTime();
            Instant now = Instant.now();
            long passed = System.nanoTime() - before;
            if (passed < shortest) {
                shortest = passed;
                offset = now.getEpochSecond() * 1_000_000_000L + now.getNano() - before - passed / 2;
            }
        }
        return offset;
    }

    /** The current thread's log. */
    static Log log() {
        return mine.get();
    }

    /** The log of another thread, once it has one. */
    static Log log(Thread thread) {
        for (;;) {
            for (Log log : logs) {
                if (log.thread == thread) {
                    return log;
                }
            }
            pause(100);
        }
    }

    /** Calls the function with the logs of all threads. */
    static void forAll(Consumer<Log> look) {
        logs.forEach(look);
    }

    /** Reports whether the thread waits for the end of the target, which the caller knows to be alive. */
    static boolean waitsFor(Thread joiner, Thread target) {
        return log(joiner).isAt(target, Thread.State.WAITING, Thread.State.TIMED_WAITING);
    }

    /** A thread's records, and the records of other threads about it. */
    static final class Log {
        final Thread thread = Thread.currentThread();
        @SuppressWarnings("deprecation") // threadId does not exist in Java 17
        final long id = thread.getId();
        private long[] numbers = new long[256 * 6];
        private Class<?>[] objects = new Class<?>[256];
        private int size;

        // While it waits: the thread that has notified it, and the time. Written under the monitor it waits on.
        long notifier, notifiedFrom;
        boolean notifiedAll, doubtful;
        Thread.State before;

        /** The monitor, or the thread, that it is about to wait for. */
        volatile Object wants;
        /** Another thread has seen it wait there. */
        volatile boolean seen;

        Log() {
            logs.add(this);
        }

        /** Adds a record that ends now. */
        void add(int what, long begin, Class<?> object, long peer, int how, long value) {
            add(what, begin, now(), object, peer, how, value);
        }

        void add(int what, long begin, long end, Class<?> object, long peer, int how, long value) {
            if (size == objects.length) {
                objects = Arrays.copyOf(objects, size * 2);
                numbers = Arrays.copyOf(numbers, size * 2 * 6);
            }
            objects[size] = object;
            int i = size++ * 6;
            numbers[i] = what;
            numbers[i + 1] = begin;
            numbers[i + 2] = end;
            numbers[i + 3] = peer;
            numbers[i + 4] = how;
            numbers[i + 5] = value;
        }

        /** Reports whether it waits for the monitor, by its state. The caller ensures that it cannot enter meanwhile. */
        boolean isAt(Object monitor, Thread.State... states) {
            if (wants != monitor || !Arrays.asList(states).contains(thread.getState())) {
                return false;
            }
            seen = true;
            return true;
        }
    }

    /** A thread, not started, that runs the task and logs when it begins and ends. */
    static Thread thread(String name, Task task) {
        Runnable logged = logged(task);
        if (!virtual) {
            return new Thread(logged, name);
        }
        return virtual(name, logged);
    }

    /** A virtual thread, not started, that logs nothing. */
    static Thread virtual(String name, Runnable task) {
        try {
            return Virtual.unstarted(name, task);
        } catch (Throwable e) {
            throw new IllegalStateException("no virtual threads in this JVM", e);
        }
    }

    /** A task that may be interrupted. */
    interface Task {
        void run() throws InterruptedException;
    }

    static Runnable logged(Task task) {
        return () -> {
            Log log = log();
            log.add(RUN, now(), null, 0, 0, 0);
            try {
                task.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody was to interrupt this", e);
            } finally {
                log.add(END, now(), null, 0, 0, 0);
            }
        };
    }

    /** Threads of Java 21 and later, found by name, so that this compiles for 17. */
    private static final class Virtual {
        static Thread unstarted(String name, Runnable task) throws Throwable {
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            MethodHandle of = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual));
            MethodHandle named = lookup.findVirtual(builder, "name", MethodType.methodType(builder, String.class));
            MethodHandle made = lookup.findVirtual(builder, "unstarted", MethodType.methodType(Thread.class, Runnable.class));
            return (Thread) made.invoke((Object) named.invoke((Object) of.invoke(), name), task);
        }
    }

    static Thread start(Thread thread) {
        return start(thread, thread::start);
    }

    /** Starts the thread in the given way. */
    @SuppressWarnings("deprecation")
    static Thread start(Thread thread, Runnable how) {
        long begin = now();
        how.run();
        log().add(START, begin, null, thread.getId(), 0, 0);
        return thread;
    }

    /** The thread that began then to create it starts it sooner or later. */
    @SuppressWarnings("deprecation")
    static void started(long begin, Thread thread) {
        log().add(START, begin, null, thread.getId(), 0, 1);
    }

    static void join(Thread thread) throws InterruptedException {
        join(thread, 0, thread::join);
    }

    static void join(Thread thread, long millis) throws InterruptedException {
        join(thread, millis, () -> thread.join(millis));
    }

    /** Joins the thread in the given way; its result depends on whether the thread is alive. */
    @SuppressWarnings("deprecation")
    static void join(Thread thread, long millis, Task how) throws InterruptedException {
        Log log = log();
        boolean alive = thread.isAlive();
        log.seen = false;
        log.wants = thread;
        long begin = now();
        int ended = INTERRUPTED;
        try {
            how.run();
            boolean late = millis > 0 && now() - begin >= millis * 1_000_000;
            ended = thread.isAlive() ? TIMEOUT : !alive ? DEAD_BEFORE : late ? UNSURE : ENDED;
        } finally {
            log.wants = null;
            log.add(JOIN, begin, null, thread.getId(), ended, log.seen ? 1 : 0);
        }
    }

    @SuppressWarnings("deprecation")
    static void interrupt(Thread thread) {
        long begin = now();
        thread.interrupt();
        log().add(INTERRUPT, begin, null, thread.getId(), 0, 0);
    }

    /** Clears the thread's own interrupt flag, and returns whether it was set. */
    static boolean clear() {
        long begin = now();
        boolean interrupted = Thread.interrupted();
        log().add(CLEAR, begin, null, 0, 0, interrupted ? 1 : 0);
        return interrupted;
    }

    static void sleep(long millis) throws InterruptedException {
        sleep(millis, () -> Thread.sleep(millis));
    }

    /** Sleeps in the given way. */
    static void sleep(long millis, Task how) throws InterruptedException {
        Log log = log();
        log.seen = false;
        log.wants = Thread.class;
        long begin = now();
        int ended = INTERRUPTED;
        try {
            how.run();
            ended = ENDED;
        } finally {
            log.wants = null;
            log.add(SLEEP, begin, null, 0, ended, millis);
        }
    }

    /** Waits without monitors until the condition is true. An interrupt stays pending. */
    static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            pause(100);
        }
    }

    static void pause(long micros) {
        for (long end = System.nanoTime() + micros * 1000, left = micros * 1000; left > 0; left = end - System.nanoTime()) {
            park(left);
        }
    }

    /** Parks, for ever with 0 nanoseconds. An interrupt that ends it stays pending, but a park is what it has ended. */
    static void park(long nanos) {
        Log log = log();
        boolean before = Thread.currentThread().isInterrupted();
        long begin = now();
        if (nanos == 0) {
            LockSupport.park();
        } else {
            LockSupport.parkNanos(nanos);
        }
        if (!before && Thread.currentThread().isInterrupted()) {
            boolean over = nanos > 0 && now() - begin >= nanos;
            log.add(PARK, begin, null, 0, over ? UNSURE : INTERRUPTED, nanos);
        }
    }

    /** These threads are blocked forever, each by the next one. */
    @SuppressWarnings("deprecation")
    static void deadlock(Thread... threads) {
        StringBuilder line = new StringBuilder("deadlock");
        for (Thread thread : threads) {
            line.append(' ').append(thread.getId());
        }
        lines.add(line.toString());
    }

    /** Writes the file. Threads that still run may lose their latest records. */
    static void print() {
        Log[] all = logs.toArray(new Log[0]);
        Arrays.sort(all, Comparator.comparingLong(log -> log.id));
        try (PrintStream out = new PrintStream(file, "UTF-8")) {
            lines.forEach(out::println);
            for (Log log : all) {
                boolean isVirtual = log.thread.getClass().getName().contains("Virtual");
                out.println("thread " + log.id + (isVirtual ? " virtual " : " platform ") + log.thread.getName());
                for (int n = 0; n < log.size; n++) {
                    long[] r = Arrays.copyOfRange(log.numbers, n * 6, n * 6 + 6);
                    Class<?> object = log.objects[n];
                    out.println(WORDS[(int) r[0]] + " " + log.id + " " + r[1] + " " + r[2] + " " + (object == null ? "-" : object.getName())
                            + " " + r[3] + " " + HOW[(int) r[4]] + " " + r[5]);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("the truth cannot be written", e);
        }
    }
}
