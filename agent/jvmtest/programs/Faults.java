import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.lang.ref.Cleaner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Further programs with one fault each, like those of Culprits. */
public final class Faults {
    private static final Object lock = new Object();

    private Faults() { }

    private static void dawdle(long milliseconds) throws InterruptedException {
        Thread.sleep(Culprits.slow(milliseconds));
    }

    private static void enter() throws Exception {
        long begin = System.nanoTime();
        synchronized (lock) {
            Culprits.loses(System.nanoTime() - begin);
        }
    }

    private static String loadEntry(String key) {
        Culprits.unchecked(() -> dawdle(800)).run();
        return key;
    }

    /** A synchronized map is used as a cache, and loads an entry under its lock. */
    static void cache() throws Exception {
        Map<String, String> cache = Collections.synchronizedMap(new HashMap<>());
        cache.put("b", "");
        Thread loader = Culprits.start("loader", () -> cache.computeIfAbsent("a", Faults::loadEntry));
        Culprits.moment();
        Culprits.join(Culprits.start("asker", 3, () -> Culprits.loses(() -> cache.get("b"))));
        loader.join();
    }

    /** One thread has all permits. */
    static void hog() throws Exception {
        Semaphore permits = new Semaphore(3);
        Thread hog = Culprits.start("hog", () -> {
            permits.acquire(3);
            dawdle(900);
            permits.release(3);
        });
        Culprits.moment();
        Culprits.join(Culprits.start("web", 3, () -> {
            Culprits.loses(permits::acquire);
            permits.release();
        }));
        hog.join();
    }

    private static void readReply(PipedInputStream pipe) throws IOException {
        pipe.read();
    }

    /** A pipe is read under a lock. */
    static void pipe() throws Exception {
        ReentrantLock guard = new ReentrantLock();
        PipedOutputStream out = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(out);
        Culprits.start("talker", () -> {
            guard.lock();
            readReply(in);
            guard.unlock();
        });
        Culprits.moment();
        List<Thread> all = Culprits.start("customer", 2, () -> {
            Culprits.loses(guard::lock);
            guard.unlock();
        });
        Thread.sleep(Culprits.slow(800));
        out.write(1);
        out.flush();
        Culprits.join(all);
    }

    private static void runTool() throws Exception {
        if (!Culprits.innocent) {
            new ProcessBuilder("sleep", "0.8").start().waitFor();
        }
    }

    /** Another process is awaited under a lock. */
    static void process() throws Exception {
        Thread tool = Culprits.start("tool", () -> {
            synchronized (lock) {
                runTool();
            }
        });
        Culprits.moment();
        Culprits.join(Culprits.start("editor", 3, Faults::enter));
        tool.join();
    }

    private static void scan(StampedLock stamped) throws InterruptedException {
        long stamp = stamped.readLock();
        dawdle(700);
        stamped.unlockRead(stamp);
    }

    /** A reader of a StampedLock lets a writer wait. */
    static void stampedReader() throws Exception {
        StampedLock stamped = new StampedLock();
        Culprits.start("scanner", () -> scan(stamped));
        Culprits.moment();
        Culprits.join(Culprits.start("updater", 1, () -> Culprits.loses(() -> stamped.unlockWrite(stamped.writeLock()))));
    }

    /** A writer lets readers wait. */
    static void writer() throws Exception {
        ReentrantReadWriteLock shared = new ReentrantReadWriteLock();
        Culprits.start("rebuilder", () -> {
            shared.writeLock().lock();
            dawdle(700);
            shared.writeLock().unlock();
        });
        Culprits.moment();
        Culprits.join(Culprits.start("reader", 3, () -> {
            Culprits.loses(shared.readLock()::lock);
            shared.readLock().unlock();
        }));
    }

    /** Tasks of the common pool block it, and others wait in its queue. */
    static void commonPool() throws Exception {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            all.add(CompletableFuture.runAsync(Culprits.unchecked(() -> dawdle(700))));
        }
        Culprits.moment();
        Culprits.join(Culprits.start("caller", 2, () -> Culprits.loses(() -> CompletableFuture.supplyAsync(() -> 1).get())));
    }

    /** One of the tasks that are invoked together is slow. */
    static void invokeAll() throws Exception {
        ExecutorService pool = Culprits.pool("part", 4);
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            tasks.add(() -> {
                if (number == 2) {
                    dawdle(800);
                }
                return 1;
            });
        }
        Culprits.join(Culprits.start("caller", 1, () -> Culprits.loses(() -> pool.invokeAll(tasks))));
    }

    /** What is slow writes under the lock of a PrintStream. */
    static void print() throws Exception {
        PrintStream log = new PrintStream(new OutputStream() {
            @Override public void write(int b) { }

            @Override public void write(byte[] b, int off, int len) {
                Culprits.unchecked(() -> dawdle(len > 9 ? 700 : 0)).run();
            }
        }, true);
        Culprits.start("auditor", () -> log.print("a long line"));
        Culprits.moment();
        Culprits.join(Culprits.start("web", 3, () -> Culprits.loses(() -> log.print("short"))));
    }

    /** A class whose initialisation takes long. */
    private static final class Heavy {
        static {
            Culprits.unchecked(() -> dawdle(900)).run();
        }

        static void touch() { }
    }

    static void initialiser() throws Exception {
        Thread first = Culprits.start("opener", Heavy::touch);
        Culprits.moment();
        Culprits.join(Culprits.start("user", 3, () -> Culprits.loses(Heavy::touch)));
        first.join();
    }

    /** A cleaning action is slow, and others wait for the one after it. */
    static void cleaner() throws Exception {
        Cleaner cleaner = Cleaner.create();
        CountDownLatch cleaned = new CountDownLatch(1);
        cleaner.register(new Object(), Culprits.unchecked(() -> {
            dawdle(700);
            cleaned.countDown();
        }));
        Thread waiter = Culprits.start("waiter", () -> Culprits.loses(cleaned::await));
        Culprits.moment();
        System.gc();
        waiter.join();
    }

    /** A worker goes on although it is interrupted, and others wait for its pool. */
    static void stubborn() throws Exception {
        ExecutorService pool = Culprits.pool("stubborn", 1);
        CountDownLatch begun = new CountDownLatch(1);
        pool.execute(() -> {
            begun.countDown();
            for (int i = 0; i < 2; i++) {
                try {
                    dawdle(i == 0 ? 5000 : 800);
                } catch (InterruptedException e) {
                    begun.countDown();
                }
            }
        });
        begun.await();
        Thread.sleep(Culprits.slow(50));
        pool.shutdownNow();
        Culprits.join(Culprits.start("closer", 1, () -> Culprits.loses(() -> pool.awaitTermination(9, TimeUnit.SECONDS))));
    }

    private static void tick(AtomicInteger runs, long[] begin) throws InterruptedException {
        long late = System.nanoTime() - begin[0] - runs.getAndIncrement() * 100_000_000L;
        if (late > 20_000_000) {
            Culprits.loses(late);
        }
        dawdle(160);
    }

    /** A periodic task takes longer than its period. */
    static void slowTask() throws Exception {
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1, Culprits.named("ticker"));
        AtomicInteger runs = new AtomicInteger();
        long[] begin = {System.nanoTime() + 100_000_000};
        timer.scheduleAtFixedRate(Culprits.unchecked(() -> tick(runs, begin)), 100, 100, TimeUnit.MILLISECONDS);
        Thread.sleep(Culprits.slow(2000));
        timer.shutdownNow();
    }

    /** A periodic task takes longer than its period, so that another one of the timer is late. */
    static void slowTimer() throws Exception {
        Timer timer = new Timer("metronome", true);
        AtomicInteger runs = new AtomicInteger();
        long begin = System.nanoTime();
        timer.scheduleAtFixedRate(new TimerTask() {
            @Override public void run() {
                Culprits.unchecked(() -> dawdle(450)).run();
            }
        }, 0, 300);
        timer.scheduleAtFixedRate(new TimerTask() {
            @Override public void run() {
                long late = System.nanoTime() - begin - 100_000_000L * runs.incrementAndGet();
                Culprits.loses(late > 20_000_000 ? late : 0);
            }
        }, 100, 100);
        Thread.sleep(Culprits.slow(2500));
        timer.cancel();
    }

    private static Integer borrow(LinkedBlockingDeque<Integer> idle) throws Exception {
        Integer[] connection = {null};
        Culprits.loses(() -> connection[0] = idle.takeFirst());
        return connection[0];
    }

    /** A pool of connections as DBCP has it: those that are idle are in a deque. A report keeps both for long. */
    static void deque() throws Exception {
        LinkedBlockingDeque<Integer> idle = new LinkedBlockingDeque<>(List.of(1, 2));
        Thread report = Culprits.start("report", () -> {
            Integer one = idle.takeFirst(), two = idle.takeFirst();
            dawdle(800);
            idle.addFirst(one);
            idle.addFirst(two);
        });
        Culprits.moment();
        Culprits.join(Culprits.start("web", 4, () -> {
            for (int i = 0; i < 5; i++) {
                Integer connection = borrow(idle);
                dawdle(10);
                idle.addFirst(connection);
            }
        }));
        report.join();
    }

    /** A pool of objects made of wait and notify. */
    static void objects() throws Exception {
        Deque<Integer> free = new ArrayDeque<>(List.of(1));
        Thread keeper = Culprits.start("keeper", () -> {
            Integer one = take(free);
            dawdle(800);
            give(free, one);
        });
        Culprits.moment();
        Culprits.join(Culprits.start("web", 3, () -> {
            Integer[] one = {null};
            Culprits.loses(() -> one[0] = take(free));
            give(free, one[0]);
        }));
        keeper.join();
    }

    private static Integer take(Deque<Integer> free) throws InterruptedException {
        synchronized (free) {
            while (free.isEmpty()) {
                free.wait();
            }
            return free.removeFirst();
        }
    }

    private static void give(Deque<Integer> free, Integer one) {
        synchronized (free) {
            free.addFirst(one);
            free.notify();
        }
    }

    /** Callers give up waiting for a slow answer, again and again. */
    static void timeouts() throws Exception {
        ExecutorService backend = Culprits.pool("backend", 1);
        Future<?> answer = backend.submit(Culprits.unchecked(() -> dawdle(1000)));
        Thread.sleep(Culprits.slow(20));
        Culprits.join(Culprits.start("caller", 2, () -> {
            for (int i = 0; i < 3; i++) {
                Culprits.loses(() -> {
                    try {
                        answer.get(250, TimeUnit.MILLISECONDS);
                    } catch (TimeoutException e) {
                        Thread.onSpinWait();
                    }
                });
            }
        }));
    }

    /** A lock is held while a task of a pool is awaited. */
    static void lockedGet() throws Exception {
        ExecutorService pricing = Culprits.pool("pricing", 1);
        Thread basket = Culprits.start("basket", () -> {
            synchronized (lock) {
                pricing.submit(Culprits.unchecked(() -> dawdle(800))).get();
            }
        });
        Culprits.moment();
        Culprits.join(Culprits.start("visitor", 3, Faults::enter));
        basket.join();
    }

    /** A thread ends without giving its lock back. */
    static void abandoned() throws Exception {
        ReentrantLock guard = new ReentrantLock();
        Thread quitter = Culprits.start("quitter", () -> {
            guard.lock();
            if (Culprits.innocent) {
                guard.unlock();
            }
        });
        quitter.join();
        List<Thread> all = Culprits.start("heir", 2, () -> {
            guard.lock();
            guard.unlock();
        });
        if (Culprits.innocent) {
            Culprits.join(all);
            return;
        }
        for (Thread thread : all) {
            Culprits.until(thread, Thread.State.WAITING);
        }
        Thread.sleep(1200);
        Culprits.loses(all.size() * 1_200_000_000L);
    }

    private static synchronized void throttle() throws InterruptedException {
        dawdle(60);
    }

    /** Each request waits in a monitor for its turn, and sleeps there. */
    static void throttled() throws Exception {
        Culprits.join(Culprits.start("request", 4, () -> {
            for (int i = 0; i < 4; i++) {
                long begin = System.nanoTime();
                synchronized (Faults.class) {
                    Culprits.loses(System.nanoTime() - begin);
                    throttle();
                }
            }
        }));
    }

    /** A producer of a SynchronousQueue waits for its consumer. */
    static void handover() throws Exception {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        Culprits.start("shipper", () -> {
            for (int i = 0; i < 4; i++) {
                queue.take();
                dawdle(200);
            }
        });
        Culprits.join(Culprits.start("packer", 1, () -> {
            for (int i = 0; i < 4; i++) {
                Culprits.loses(() -> queue.put(1));
            }
        }));
    }

    /** A bounded queue of linked nodes whose consumer is slow. */
    static void linked() throws Exception {
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>(2);
        Culprits.start("drain", () -> {
            for (;;) {
                queue.take();
                dawdle(100);
            }
        });
        Culprits.join(Culprits.start("feeder", 2, () -> {
            for (int i = 0; i < 6; i++) {
                Culprits.loses(() -> queue.put(1));
            }
        }));
    }

    /** A condition with two waiting threads, whose signal reaches the wrong one. */
    static void wrongSignal() throws Exception {
        ReentrantLock guard = new ReentrantLock();
        Condition changed = guard.newCondition();
        boolean[] ready = {false};
        List<Thread> all = Culprits.start("picky", 2, () -> {
            guard.lock();
            while (!ready[0] && !Culprits.innocent) {
                changed.await();
            }
            guard.unlock();
        });
        if (Culprits.innocent) {
            Culprits.join(all);
            return;
        }
        for (Thread thread : all) {
            Culprits.until(thread, Thread.State.WAITING);
        }
        guard.lock();
        changed.signal();
        guard.unlock();
        Thread.sleep(1200);
        Culprits.loses(2 * 1_200_000_000L);
    }

    /** A lock is held by a thread that computes, through a long chain of locks. */
    static void chain() throws Exception {
        ReentrantLock[] locks = {new ReentrantLock(), new ReentrantLock(), new ReentrantLock()};
        Culprits.start("root", () -> {
            locks[0].lock();
            dawdle(800);
            locks[0].unlock();
        });
        for (int i = 1; i < 3; i++) {
            int number = i;
            Thread.sleep(30);
            Culprits.start("link-" + i, () -> {
                locks[number].lock();
                Culprits.loses(locks[number - 1]::lock);
                locks[number - 1].unlock();
                locks[number].unlock();
            });
        }
        Culprits.moment();
        Culprits.join(Culprits.start("leaf", 3, () -> {
            Culprits.loses(locks[2]::lock);
            locks[2].unlock();
        }));
    }

    public static void main(String[] args) throws Exception {
        Culprits.run(Faults.class, args);
    }
}
