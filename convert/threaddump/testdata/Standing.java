import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Brings threads into every state in which they can stand still, three deadlocks among them, and prints what the JVM's management says of each of its threads:
 * "thread ID STATE LOCK OWNER WAY NAME", and "virtual ID STATE NAME" of virtual threads. "ready" comes last, after what logs and Spring Boot would have
 * of the threads was written into the folder that it is given. It ends when its standard input does.
 */
public class Standing {
    static final Object ONE = new Object(), TWO = new Object(), THREE = new Object(), QUEUE = new Object(), AGAIN = new Object();
    static final StringBuilder HELD = new StringBuilder();
    static final ReentrantLock FAIR = new ReentrantLock(true), UNFAIR = new ReentrantLock(), MIXED = new ReentrantLock(), KEPT = new ReentrantLock();
    static final ReentrantReadWriteLock BOTH = new ReentrantReadWriteLock();
    static final Object MIXED_MONITOR = new Object();
    static final List<Thread> VIRTUAL = new ArrayList<>();

    interface Deed { void run() throws Exception; }

    static Runnable quietly(Deed deed) {
        return () -> {
            try {
                deed.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }

    /** Starts a thread, and waits until it stands still. */
    static Thread stand(String name, Thread.State state, Deed deed) throws Exception {
        Thread thread = new Thread(quietly(deed), name);
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != state) {
            Thread.sleep(1);
        }
        return thread;
    }

    /** Starts threads each of which takes one of the locks and then the next one. */
    static void deadlock(String name, Deed... pairs) throws Exception {
        for (int i = 0; i < pairs.length; i++) {
            Thread thread = new Thread(quietly(pairs[i]), name + "-" + (i + 1));
            thread.setDaemon(true);
            thread.start();
        }
    }

    static void meet(CountDownLatch latch) throws Exception {
        latch.countDown();
        latch.await();
    }

    static void nested(Object outer, Object inner, CountDownLatch latch) throws Exception {
        synchronized (outer) {
            meet(latch);
            synchronized (inner) {
                throw new IllegalStateException();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch three = new CountDownLatch(3), two = new CountDownLatch(2), mixed = new CountDownLatch(2);
        deadlock("monitors", () -> nested(ONE, TWO, three), () -> nested(TWO, THREE, three), () -> nested(THREE, ONE, three));
        deadlock("locks", () -> { FAIR.lock(); meet(two); UNFAIR.lock(); }, () -> { UNFAIR.lock(); meet(two); FAIR.lock(); });
        deadlock("mixed", () -> { MIXED.lock(); meet(mixed); synchronized (MIXED_MONITOR) { throw new IllegalStateException(); } },
                () -> { synchronized (MIXED_MONITOR) { meet(mixed); MIXED.lock(); } });
        Thread holder = stand("holder \"of\"\n#7 things", Thread.State.TIMED_WAITING, () -> { synchronized (HELD) { KEPT.lock(); BOTH.writeLock().lock(); Thread.sleep(600_000); } });
        stand("waiter", Thread.State.WAITING, () -> { synchronized (QUEUE) { QUEUE.wait(); } });
        stand("timed waiter", Thread.State.TIMED_WAITING, () -> { synchronized (QUEUE) { QUEUE.wait(600_000); } });
        stand("sleeper", Thread.State.TIMED_WAITING, () -> Thread.sleep(600_000));
        stand("joiner", Thread.State.WAITING, () -> holder.join());
        stand("blocked", Thread.State.BLOCKED, () -> { synchronized (HELD) { throw new IllegalStateException(); } });
        stand("nested", Thread.State.BLOCKED, () -> { synchronized (AGAIN) { synchronized (HELD) { throw new IllegalStateException(); } } });
        stand("parked", Thread.State.WAITING, () -> LockSupport.park());
        stand("parked for a while", Thread.State.TIMED_WAITING, () -> LockSupport.parkNanos(600_000_000_000L));
        stand("latch", Thread.State.WAITING, () -> new CountDownLatch(1).await());
        stand("semaphore", Thread.State.WAITING, () -> new Semaphore(0).acquire());
        stand("condition", Thread.State.WAITING, () -> { ReentrantLock own = new ReentrantLock(); own.lock(); own.newCondition().await(); });
        stand("queue", Thread.State.TIMED_WAITING, () -> new ArrayBlockingQueue<String>(1).poll(600, TimeUnit.SECONDS));
        stand("locker", Thread.State.WAITING, () -> KEPT.lock());
        stand("trying locker", Thread.State.TIMED_WAITING, () -> KEPT.tryLock(600, TimeUnit.SECONDS));
        stand("reader", Thread.State.WAITING, () -> BOTH.readLock().lock());
        stand("spinner", Thread.State.RUNNABLE, () -> { while (true) { Math.sin(3); } });
        again();
        if (Runtime.version().feature() >= 21) {
            virtual("virtual sleeper", Thread.State.TIMED_WAITING, () -> Thread.sleep(600_000));
            virtual("virtual parked", Thread.State.WAITING, () -> LockSupport.park());
            virtual("virtual locker", Thread.State.WAITING, () -> KEPT.lock());
        }
        if (Runtime.version().feature() >= 24) { // before, these stand on the carrier
            virtual("virtual blocked", Thread.State.BLOCKED, () -> { synchronized (HELD) { throw new IllegalStateException(); } });
            virtual("virtual waiter", Thread.State.WAITING, () -> { synchronized (QUEUE) { QUEUE.wait(); } });
        }
        tell();
        Path folder = Path.of(args[0]);
        Files.writeString(folder.resolve("info.txt"), infos());
        Files.writeString(folder.resolve("actuator.json"), json());
        System.out.println("ready");
        while (System.in.read() >= 0) {
            Thread.onSpinWait();
        }
    }

    /** A thread that has to lock again what it waited on. */
    static void again() throws Exception {
        Object lock = new Object();
        stand("again", Thread.State.TIMED_WAITING, () -> { synchronized (lock) { lock.wait(300); } });
        stand("keeper", Thread.State.TIMED_WAITING, () -> { synchronized (lock) { Thread.sleep(600_000); } });
        Thread.sleep(400);
    }

    static void virtual(String name, Thread.State state, Deed deed) throws Exception {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Class<?> type = Class.forName("java.lang.Thread$Builder$OfVirtual");
        builder = type.getMethod("name", String.class).invoke(builder, name);
        Thread thread = (Thread) type.getMethod("start", Runnable.class).invoke(builder, quietly(deed));
        VIRTUAL.add(thread);
        while (thread.getState() != state) {
            Thread.sleep(1);
        }
    }

    /** How a thread waits, by its innermost calls. */
    static String way(StackTraceElement[] stack) {
        for (int i = 0; i < Math.min(3, stack.length); i++) {
            if (stack[i].getMethodName().startsWith("sleep")) {
                return "sleep";
            }
        }
        return stack.length > 0 && stack[0].getMethodName().startsWith("park") ? "park" : "-";
    }

    static void tell() throws Exception {
        Thread.sleep(200);
        for (ThreadInfo info : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
            LockInfo lock = info.getLockInfo();
            System.out.println("thread " + info.getThreadId() + " " + info.getThreadState() + " " + (lock == null ? "-" : lock.getClassName()) + " " + info.getLockOwnerId()
                    + " " + way(info.getStackTrace()) + " " + info.getThreadName().replace('\n', '|'));
        }
        for (Thread thread : VIRTUAL) {
            System.out.println("virtual " + thread.getId() + " " + thread.getState() + " - -1 - " + thread.getName());
        }
        StringBuilder deadlocked = new StringBuilder("deadlocked");
        for (long id : ManagementFactory.getThreadMXBean().findDeadlockedThreads()) {
            deadlocked.append(' ').append(id);
        }
        System.out.println(deadlocked);
    }

    /** What programs log of all threads. */
    static String infos() {
        StringBuilder text = new StringBuilder();
        for (ThreadInfo info : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
            text.append(info);
        }
        return text.toString();
    }

    /** What the actuator of Spring Boot answers, without what nobody reads. */
    static String json() {
        List<String> threads = new ArrayList<>();
        for (ThreadInfo info : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
            List<String> calls = new ArrayList<>(), monitors = new ArrayList<>(), locks = new ArrayList<>();
            for (StackTraceElement call : info.getStackTrace()) {
                calls.add("{\"methodName\":\"" + call.getMethodName() + "\",\"lineNumber\":" + call.getLineNumber() + ",\"nativeMethod\":" + call.isNativeMethod()
                        + ",\"className\":\"" + call.getClassName() + "\"}");
            }
            for (LockInfo lock : info.getLockedMonitors()) {
                monitors.add(json(lock));
            }
            for (LockInfo lock : info.getLockedSynchronizers()) {
                locks.add(json(lock));
            }
            String name = info.getThreadName().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
            threads.add("{\"threadName\":\"" + name + "\",\"threadId\":" + info.getThreadId() + ",\"lockOwnerId\":" + info.getLockOwnerId() + ",\"threadState\":\""
                    + info.getThreadState() + "\",\"stackTrace\":" + calls + ",\"lockedMonitors\":" + monitors + ",\"lockedSynchronizers\":" + locks + ",\"lockInfo\":"
                    + json(info.getLockInfo()) + "}");
        }
        return "{\"threads\":" + threads + "}";
    }

    static String json(LockInfo lock) {
        return lock == null ? "null" : "{\"className\":\"" + lock.getClassName() + "\",\"identityHashCode\":" + lock.getIdentityHashCode() + "}";
    }
}
