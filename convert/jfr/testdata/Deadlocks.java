import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** Runs deadlocks, each by its name, or the same programs without one, and exits when all of their threads stand. */
public class Deadlocks {
    static final Map<String, Runnable> PROGRAMS = new LinkedHashMap<>();
    static boolean healthy;
    static final CountDownLatch ENDS = new CountDownLatch(1);

    /** Takes the first and then the second; a healthy one in the same order everywhere. */
    interface Take { void in(Runnable inner); }

    static Take monitor(Object o) { return inner -> { synchronized (o) { inner.run(); } }; }

    static Take lock(Lock l) {
        return inner -> { l.lock(); try { inner.run(); } finally { l.unlock(); } };
    }

    static Take interruptibly(Lock l) {
        return inner -> {
            try { l.lockInterruptibly(); } catch (InterruptedException e) { return; }
            try { inner.run(); } finally { l.unlock(); }
        };
    }

    static Take timed(Lock l) {
        return inner -> {
            try { if (!l.tryLock(1, TimeUnit.HOURS)) return; } catch (InterruptedException e) { return; }
            try { inner.run(); } finally { l.unlock(); }
        };
    }

    static void ring(String name, Take... takes) {
        PROGRAMS.put(name, () -> ringOf(name, false, takes));
    }

    static void ringOf(String name, boolean pool, Take... takes) {
        int n = takes.length;
        CyclicBarrier all = new CyclicBarrier(n);
        ExecutorService workers = pool ? Executors.newFixedThreadPool(n) : null;
        for (int i = 0; i < n; i++) {
            int a = i, b = (i + 1) % n;
            Take first = takes[healthy ? Math.min(a, b) : a], second = takes[healthy ? Math.max(a, b) : b];
            Runnable run = () -> first.in(() -> {
                await(healthy ? null : all);
                second.in(() -> { });
            });
            if (pool) workers.execute(run); else start(name + "-" + i, run);
        }
        if (pool && healthy) workers.shutdown();
    }

    static void start(String name, Runnable run) {
        Thread t = new Thread(run, name);
        t.setDaemon(true);
        t.start();
    }

    static void await(CyclicBarrier b) {
        try { if (b != null) b.await(); else Thread.sleep(1); } catch (Exception e) { throw new IllegalStateException(e); }
    }

    static class Account {
        synchronized void to(Account other, CyclicBarrier both) { await(both); other.add(); }
        synchronized void add() { }
    }

    static class First {
        static synchronized void in(Runnable r) { r.run(); }
    }

    static class Second {
        static synchronized void in(Runnable r) { r.run(); }
    }

    static class Key {
        final Object lock;
        final Runnable then;
        Key(Object lock, Runnable then) { this.lock = lock; this.then = then; }
        @Override public int hashCode() { synchronized (lock) { then.run(); } return 1; }
    }

    static {
        ring("monitors", monitor(new Object()), monitor(new Object()));
        ring("three", monitor(new Object()), monitor(new Object()), monitor(new Object()));
        ring("philosophers", monitor(new int[1]), monitor(new int[2]), monitor(new int[3]), monitor(new int[4]), monitor(new int[5]));
        ring("locks", lock(new ReentrantLock()), lock(new ReentrantLock()));
        ring("fair", lock(new ReentrantLock(true)), lock(new ReentrantLock(true)));
        ring("mixed", monitor("mixed"), lock(new ReentrantLock()));
        ring("mixed-three", monitor("mixed-three"), lock(new ReentrantLock()), monitor(new ArrayList<String>()));
        ring("writers", lock(new ReentrantReadWriteLock().writeLock()), lock(new ReentrantReadWriteLock().writeLock()));
        ring("interruptibly", interruptibly(new ReentrantLock()), interruptibly(new ReentrantLock()));
        ring("timed", timed(new ReentrantLock()), timed(new ReentrantLock()));
        ring("classes", First::in, Second::in);
        ring("class-and-lock", monitor(Deadlocks.Account.class), lock(new ReentrantLock()));
        ring("odd \"name\":", monitor(new StringBuilder()), monitor(new StringBuilder()));
        PROGRAMS.put("pool", () -> ringOf("pool", true, monitor(new HashMap<>()), monitor(new TreeMap<>())));
        PROGRAMS.put("pool-locks", () -> ringOf("pool", true, lock(new ReentrantLock()), monitor(new Random(1)), lock(new ReentrantLock())));
        PROGRAMS.put("accounts", () -> {
            Account a = new Account(), b = new Account();
            CyclicBarrier both = healthy ? null : new CyclicBarrier(2);
            start("a-to-b", () -> a.to(b, both));
            start("b-to-a", () -> (healthy ? a : b).to(healthy ? b : a, both));
        });
        PROGRAMS.put("vectors", () -> collections(new Vector<>(), new Vector<>()));
        PROGRAMS.put("synchronized-sets", () -> collections(Collections.synchronizedSet(new HashSet<>()),
            Collections.synchronizedSet(new HashSet<>())));
        PROGRAMS.put("waiters-behind", () -> {
            Take a = monitor(new Object()), b = monitor(new Object());
            ringOf("front", false, a, b);
            if (!healthy) sleep(200);
            for (int i = 0; i < 3; i++) start("behind-" + i, () -> a.in(() -> { }));
        });
        PROGRAMS.put("timer", () -> {
            Take a = monitor(new Object()), b = lock(new ReentrantLock());
            CyclicBarrier both = healthy ? null : new CyclicBarrier(2);
            new java.util.Timer("timer", true).schedule(new TimerTask() {
                public void run() { a.in(() -> { await(both); b.in(() -> { }); }); }
            }, 1);
            start("against-timer", () -> (healthy ? a : b).in(() -> { await(both); (healthy ? b : a).in(() -> { }); }));
        });
    }

    static void collections(Collection<Object> a, Collection<Object> b) {
        CyclicBarrier both = healthy ? null : new CyclicBarrier(2);
        start("fills-a", () -> a.add(new Key(a, () -> { await(both); b.size(); }).hashCode()));
        start("fills-b", () -> {
            if (healthy) { a.add(new Key(a, () -> b.size()).hashCode()); return; }
            b.add(new Key(b, () -> { await(both); a.size(); }).hashCode());
        });
    }

    static void sleep(int ms) {
        try { Thread.sleep(ms); } catch (InterruptedException e) { throw new IllegalStateException(e); }
    }

    public static void main(String[] args) {
        healthy = args[0].equals("healthy");
        List<String> names = args.length > 1 ? List.of(args).subList(1, args.length) : List.copyOf(PROGRAMS.keySet());
        for (String name : names) PROGRAMS.get(name).run();
        start("waits-for-ever", () -> { try { ENDS.await(); } catch (InterruptedException e) { throw new IllegalStateException(e); } });
        sleep(1500);
        System.exit(0);
    }
}
