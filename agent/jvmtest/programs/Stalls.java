import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.IntStream;

/** Further programs with one fault each, as Culprits has them. */
public final class Stalls {
    private static final Object first = new Object(), second = new Object();
    private static final Map<String, String> names = new ConcurrentHashMap<>();

    private Stalls() { }

    private static void store(Integer item) throws InterruptedException {
        Thread.sleep(Culprits.slow(100 * item));
    }

    /** A producer waits for a slow consumer: the queue is full. */
    static void consumer() throws Exception {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
        Culprits.start("consumer", () -> {
            for (;;) {
                store(queue.take());
            }
        });
        Culprits.join(Culprits.start("producer", 1, () -> {
            for (int i = 0; i < 10; i++) {
                Culprits.loses(() -> queue.put(1));
            }
        }));
    }

    private static void await(Object monitor) throws InterruptedException {
        synchronized (monitor) {
            if (!Culprits.innocent) {
                monitor.wait();
            }
        }
    }

    /** Waits until the threads do so, and lets them stay for a time that is lost for each. */
    private static void stay(List<Thread> threads, Thread.State state) throws Exception {
        if (Culprits.innocent) {
            Culprits.join(threads);
            return;
        }
        for (Thread thread : threads) {
            Culprits.until(thread, state);
        }
        Thread.sleep(800);
        Culprits.loses(threads.size() * 800_000_000L);
    }

    /** The notification came before the wait. */
    static void lostNotify() throws Exception {
        synchronized (first) {
            first.notifyAll();
        }
        stay(Culprits.start("waiter", 2, () -> await(first)), Thread.State.WAITING);
    }

    private static String load() {
        LockSupport.parkNanos(Culprits.slow(700) * 1_000_000);
        return "";
    }

    /** A chain of futures whose first supplier is slow. */
    static void chain() throws Exception {
        ExecutorService supply = Culprits.pool("supply", 2);
        CompletableFuture<Integer> chain = CompletableFuture.supplyAsync(Stalls::load, supply).thenApply(String::length)
                .thenCombine(CompletableFuture.supplyAsync(() -> 1, supply), Integer::sum);
        Culprits.loses(chain::join);
    }

    private static void straggle() throws InterruptedException {
        Thread.sleep(Culprits.slow(600));
    }

    /** One thread comes late to a barrier. */
    static void barrier() throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(4);
        List<Thread> all = Culprits.start("racer", 3, () -> Culprits.loses(barrier::await));
        all.add(Culprits.start("straggler", () -> {
            straggle();
            barrier.await();
        }));
        Culprits.join(all);
    }

    static void phaser() throws Exception {
        Phaser phaser = new Phaser(4);
        List<Thread> all = Culprits.start("racer", 3, () -> Culprits.loses(phaser::arriveAndAwaitAdvance));
        all.add(Culprits.start("straggler", () -> {
            straggle();
            phaser.arriveAndAwaitAdvance();
        }));
        Culprits.join(all);
    }

    static void exchanger() throws Exception {
        Exchanger<Integer> exchanger = new Exchanger<>();
        List<Thread> all = Culprits.start("giver", 1, () -> Culprits.loses(() -> exchanger.exchange(1)));
        all.add(Culprits.start("straggler", () -> {
            straggle();
            exchanger.exchange(2);
        }));
        Culprits.join(all);
    }

    /** Another thread waits for a parallel stream that is partly slow in the common pool. */
    static void commonPool() throws Exception {
        Culprits.join(Culprits.start("caller", 1, () -> Culprits.loses(() -> IntStream.range(0, 2).parallel().forEach(i -> {
            if (Thread.currentThread().getName().startsWith("ForkJoin")) {
                load();
            }
        }))));
    }

    private static void holdStamp(StampedLock stamped, long milliseconds) throws InterruptedException {
        long stamp = stamped.writeLock();
        try {
            Culprits.upload(milliseconds);
        } finally {
            stamped.unlockWrite(stamp);
        }
    }

    static void stamped() throws Exception {
        StampedLock stamped = new StampedLock();
        Culprits.start("stamper", () -> holdStamp(stamped, 600));
        Thread.sleep(30);
        Culprits.join(Culprits.start("reader", 2, () -> Culprits.loses(() -> stamped.unlockRead(stamped.readLock()))));
    }

    private static synchronized void configure(long milliseconds) throws InterruptedException {
        Thread.sleep(Culprits.slow(milliseconds));
    }

    static void staticMethod() throws Exception {
        Culprits.start("configurer", () -> configure(700));
        Thread.sleep(30);
        Culprits.join(Culprits.start("user", 3, () -> Culprits.loses(() -> configure(0))));
    }

    static void computeIfAbsent() throws Exception {
        Culprits.start("computer", () -> names.computeIfAbsent("a", key -> load()));
        Thread.sleep(30);
        Culprits.join(Culprits.start("asker", 2, () -> Culprits.loses(() -> names.computeIfAbsent("a", key -> ""))));
    }

    /** A logger that writes slowly under a lock. */
    private static final class Logger {
        private final ReentrantLock lock = new ReentrantLock();

        void log(String line) throws Exception {
            Culprits.loses(lock::lock);
            try {
                write(line);
            } finally {
                lock.unlock();
            }
        }

        private void write(String line) throws InterruptedException {
            Thread.sleep(Culprits.slow(line.length()));
        }
    }

    static void logging() throws Exception {
        Logger logger = new Logger();
        Culprits.join(Culprits.start("handler", 4, () -> {
            for (int i = 0; i < 6; i++) {
                logger.log("the log of a handler is slow to write, as each character takes a millisecond");
            }
        }));
    }

    /** Virtual threads compute on all carriers, and further ones start late. */
    static void carriers() throws Exception {
        List<Thread> all = Culprits.start("cruncher", Runtime.getRuntime().availableProcessors(), () -> Culprits.spin(600));
        Thread.sleep(Culprits.slow(50));
        for (int i = 0; i < 5; i++) {
            long begin = System.nanoTime();
            all.add(Culprits.start("late-" + i, () -> Culprits.loses(System.nanoTime() - begin)));
        }
        Culprits.join(all);
    }

    private static void downstream() throws Exception {
        synchronized (second) {
            Culprits.upload(700);
        }
    }

    private static void upstream() throws Exception {
        synchronized (first) {
            synchronized (second) {
                first.hashCode();
            }
        }
    }

    /** middle holds one lock and waits for another, whose holder sleeps. */
    static void nested() throws Exception {
        Culprits.start("sleeper", Stalls::downstream);
        Thread.sleep(30);
        Culprits.start("middle", Stalls::upstream);
        Thread.sleep(30);
        Culprits.join(Culprits.start("victim", 3, () -> Culprits.loses(() -> {
            synchronized (first) {
                first.hashCode();
            }
        })));
    }

    /** Permits that are never given back. */
    static void semaphoreLeak() throws Exception {
        Semaphore permits = new Semaphore(2);
        Culprits.join(Culprits.start("forgetful", 2, () -> {
            permits.acquire();
            permits.release(Culprits.innocent ? 1 : 0);
        }));
        stay(Culprits.start("waiter", 2, permits::acquire), Thread.State.WAITING);
    }

    // Each thread computes for a moment, so that those that follow wait for a processor on an idle machine, too.
    static void storm() throws Exception {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < Culprits.slow(5); i++) {
            all.addAll(Culprits.start("brief", 100, () -> Culprits.spin(2)));
            Thread.sleep(50);
        }
        Culprits.join(all);
    }

    private static void compute() {
        synchronized (first) {
            long end = System.nanoTime() + Culprits.slow(700) * 1_000_000;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }
    }

    static void busyHolder() throws Exception {
        Culprits.start("computer", Stalls::compute);
        Thread.sleep(30);
        Culprits.join(Culprits.start("waiter", 3, () -> Culprits.loses(() -> {
            synchronized (first) {
                first.hashCode();
            }
        })));
    }

    private static void poll(boolean[] done) throws InterruptedException {
        synchronized (done) {
            while (!done[0]) {
                done.wait(20);
            }
        }
    }

    /** A thread looks again and again whether something is done, and nobody notifies it. */
    static void polling() throws Exception {
        boolean[] done = {Culprits.innocent};
        Thread poller = Culprits.start("poller", () -> Culprits.loses(() -> poll(done)));
        Thread.sleep(Culprits.slow(800));
        synchronized (done) {
            done[0] = true;
        }
        poller.join();
    }

    /** A condition that is signalled late. */
    static void condition() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition ready = lock.newCondition();
        List<Thread> waiter = Culprits.start("waiter", 1, () -> {
            lock.lock();
            if (!Culprits.innocent) {
                Culprits.loses(ready::await);
            }
            lock.unlock();
        });
        Culprits.start("signaller", () -> {
            straggle();
            lock.lock();
            ready.signalAll();
            lock.unlock();
        });
        Culprits.join(waiter);
    }

    /** main joins a thread that joins another one, which sleeps. */
    static void joins() throws Exception {
        Thread last = Culprits.start("last", Stalls::straggle);
        List<Thread> middle = Culprits.start("middle", 1, last::join);
        Culprits.loses(middle.get(0)::join);
    }

    /** A lock is wanted with a timeout, in vain. */
    static void tryLock() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Culprits.start("holder", () -> {
            lock.lock();
            Culprits.upload(900);
            lock.unlock();
        });
        Thread.sleep(30);
        Culprits.join(Culprits.start("trier", 3, () -> {
            boolean[] got = {false};
            Culprits.loses(() -> got[0] = lock.tryLock(500, TimeUnit.MILLISECONDS));
            if (got[0]) {
                lock.unlock();
            }
        }));
    }

    /** A thread waits in a monitor, within another one, so that nobody can get in to notify it. */
    static void nestedWait() throws Exception {
        Thread holder = Culprits.start("holder", () -> {
            synchronized (first) {
                await(second);
            }
        });
        if (!Culprits.innocent) {
            Culprits.until(holder, Thread.State.WAITING);
        }
        stay(Culprits.start("victim", 2, () -> {
            synchronized (first) {
                synchronized (second) {
                    second.notifyAll();
                }
            }
        }), Thread.State.BLOCKED);
    }

    private static void write(ReentrantReadWriteLock lock) {
        lock.writeLock().lock();
    }

    /** A thread that reads under a lock wants to write, and waits for itself. */
    static void upgrade() throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        List<Thread> all = Culprits.start("upgrader", 1, () -> {
            lock.readLock().lock();
            if (Culprits.innocent) {
                lock.readLock().unlock();
            }
            write(lock);
        });
        stay(all, Thread.State.WAITING);
        Thread.sleep(Culprits.slow(500));
    }

    private static void ask(ExecutorService other) throws Exception {
        if (!Culprits.innocent) {
            Thread.sleep(200);
            other.submit(() -> 1).get();
        }
    }

    /** Two pools whose tasks wait for each other's queue. */
    static void pools() throws Exception {
        ExecutorService orders = Culprits.pool("orders", 1), stock = Culprits.pool("stock", 1);
        Future<?> one = orders.submit(() -> {
            ask(stock);
            return null;
        });
        stock.submit(() -> {
            ask(orders);
            return null;
        });
        if (Culprits.innocent) {
            one.get();
        }
        Thread.sleep(Culprits.slow(1800));
    }

    private static void sum(Map<Integer, Integer> map, int key) {
        long end = System.nanoTime() + Culprits.slow(50) * 1_000_000;
        while (System.nanoTime() < end) {
            map.merge(key, 1, Integer::sum);
        }
    }

    /** Threads take turns with a map, which one monitor guards, and compute while they have it. */
    static void hotMap() throws Exception {
        Map<Integer, Integer> map = new HashMap<>();
        Culprits.join(Culprits.start("user", 3, () -> {
            for (int i = 0; i < 6; i++) {
                long begin = System.nanoTime();
                synchronized (map) {
                    Culprits.loses(System.nanoTime() - begin);
                    sum(map, i);
                }
            }
        }));
    }

    public static void main(String[] args) throws Exception {
        Culprits.run(Stalls.class, args);
    }
}
