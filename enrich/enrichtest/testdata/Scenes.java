import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * Scenes in which threads interact, and a log of what they did. README.md says how they are recorded.
 *
 * <p>A line of the log is written immediately before an operation (tryEnter, leaving, wait, notify, notifyAll, interrupt,
 * join) or after it (entered, woke, …Interrupted, joined, joinTimedOut). The log is kept in memory, without monitors, and
 * printed at the end. Interactions are well apart from each
 * other.
 */
public class Scenes {
    static final Queue<String> LOG = new ConcurrentLinkedQueue<>();

    static class Resource {}

    static class Gate {}

    static void log(String op, Object object, String more) {
        String name = object.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(object));
        Thread t = Thread.currentThread();
        LOG.add("TRUTH " + System.nanoTime() + " thread=" + t.getName() + " tid=" + t.getId() + " op=" + op + " obj=" + name
                + more);
    }

    static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            log("sleepInterrupted", Thread.currentThread(), "");
        }
    }

    static Thread named(String name, Runnable body) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        return t;
    }

    static void join(Thread t, long millis) {
        log("join", t, " target=" + t.getName());
        try {
            t.join(millis);
            log(t.isAlive() ? "joinTimedOut" : "joined", t, " target=" + t.getName());
        } catch (InterruptedException e) {
            log("joinInterrupted", t, " target=" + t.getName());
        }
    }

    static void interrupt(Thread t) {
        log("interrupt", t, " name=" + t.getName());
        t.interrupt();
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "handoff" -> handoff();
            case "notify" -> notifications();
            case "interrupt" -> interrupts();
            case "deadlock" -> deadlock();
            default -> throw new IllegalArgumentException(args[0]);
        }
        LOG.forEach(System.out::println);
    }

    static void use(Resource r, long millis) {
        log("tryEnter", r, "");
        synchronized (r) {
            log("entered", r, "");
            sleep(millis);
            log("leaving", r, "");
        }
    }

    /** Three threads need one resource; main joins each of them, and waits for each. */
    static void handoff() {
        Resource contended = new Resource();
        Resource free = new Resource();
        Thread first = named("first", () -> {
            use(contended, 90);
            sleep(60);
            use(contended, 1);
            sleep(100);
        });
        Thread second = named("second", () -> {
            use(contended, 90);
            use(free, 1);
            sleep(300);
        });
        Thread third = named("third", () -> {
            use(contended, 90);
            sleep(500);
        });
        for (Thread t : List.of(first, second, third)) {
            t.start();
            sleep(20);
        }
        join(first, 0);
        join(second, 0);
        join(third, 0);
    }

    static void await(Gate gate) {
        synchronized (gate) {
            log("wait", gate, " timeout=0");
            try {
                gate.wait();
                log("woke", gate, "");
            } catch (InterruptedException e) {
                log("waitInterrupted", gate, "");
            }
        }
    }

    /** Waits until each of the threads waits or has ended. */
    static void quiet(Thread... threads) {
        for (Thread t : threads) {
            while (t.getState() == Thread.State.RUNNABLE || t.getState() == Thread.State.BLOCKED) {
                sleep(5);
            }
        }
        sleep(20);
    }

    static void wake(Gate gate, boolean all, Thread... waiters) {
        quiet(waiters);
        synchronized (gate) {
            log(all ? "notifyAll" : "notify", gate, "");
            if (all) {
                gate.notifyAll();
            } else {
                gate.notify();
            }
        }
    }

    /** Three threads wait twice each; one notification finds nobody, one wait times out, and two gates do not meet. */
    static void notifications() throws Exception {
        Gate gate = new Gate();
        Gate other = new Gate();
        wake(gate, false);
        synchronized (gate) {
            gate.wait(20);
        }
        Thread[] waiters = new Thread[3];
        for (int i = 0; i < waiters.length; i++) {
            waiters[i] = named("waiter-" + (i + 1), () -> {
                await(gate);
                await(gate);
            });
            waiters[i].start();
            quiet(waiters[i]);
        }
        Thread stranger = named("stranger", () -> await(other));
        stranger.start();
        wake(gate, false, waiters);
        wake(gate, false, waiters);
        wake(other, true, stranger);
        wake(gate, true, waiters);
        wake(gate, true, waiters);
        for (Thread t : waiters) {
            t.join();
        }
    }

    static class StartsBySuper extends Thread {
        StartsBySuper() {
            super("viaSuper");
        }

        @Override
        public void start() {
            super.start();
        }

        @Override
        public void run() {
            Scenes.sleep(400);
        }
    }

    /** Interrupts end a sleep, a wait and a join; a join times out; threads are started in three unusual ways. */
    static void interrupts() throws Exception {
        Thread sleeper = named("sleeper", () -> sleep(60_000));
        Gate gate = new Gate();
        Thread waiter = named("waiter", () -> {
            await(gate);
            sleep(200);
        });
        Thread joiner = named("joiner", () -> {
            join(sleeper, 0);
            sleep(250);
        });
        for (Thread t : List.of(sleeper, waiter, joiner)) {
            t.start();
            quiet(t);
        }
        join(sleeper, 30);
        for (Thread t : List.of(joiner, waiter, sleeper)) {
            interrupt(t);
            sleep(40);
        }
        Thread viaMethodRef = named("viaMethodRef", () -> sleep(300));
        Consumer<Thread> start = Thread::start;
        start.accept(viaMethodRef);
        Thread viaReflection = named("viaReflection", () -> sleep(350));
        Thread.class.getMethod("start").invoke(viaReflection);
        Thread viaSuper = new StartsBySuper();
        viaSuper.start();
        for (Thread t : List.of(waiter, joiner, viaMethodRef, viaReflection, viaSuper)) {
            join(t, 0);
        }
    }

    static void both(Resource a, Resource b) {
        synchronized (a) {
            sleep(60);
            synchronized (b) {
                log("entered", b, "");
            }
        }
    }

    /** Two threads deadlock, and a third one is blocked by them. The JVM itself says which ones are deadlocked. */
    static void deadlock() {
        Resource one = new Resource();
        Resource two = new Resource();
        named("left", () -> both(one, two)).start();
        named("right", () -> both(two, one)).start();
        sleep(30);
        named("outsider", () -> use(one, 0)).start();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        while (threads.findDeadlockedThreads() == null) {
            sleep(20);
        }
        for (ThreadInfo info : threads.getThreadInfo(threads.findDeadlockedThreads())) {
            LOG.add("TRUTH " + System.nanoTime() + " thread=" + info.getThreadName() + " tid=" + info.getThreadId()
                    + " op=deadlocked waitsFor=" + info.getLockInfo() + " ownedBy=" + info.getLockOwnerName());
        }
    }
}
