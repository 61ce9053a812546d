import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Threads that wait for one object of each kind, when the program ends. Its arguments: the file of the truth, then "platform" or "virtual", and a third one
 * if it is to say "ready" and to end when it may read a line. The truth has a line for each object: the name of a thread that waits for it, and its state.
 */
public final class States {
    private static final Map<String, String> TRUTH = new ConcurrentHashMap<>();
    private static boolean virtual;

    private States() { }

    interface Action {
        void run() throws Exception;
    }

    /** A synchronizer of the program's own, with a field that has the name of one of the JDK's. */
    static final class Own extends AbstractQueuedSynchronizer {
        private static final long serialVersionUID = 1;
        final long state = 77;
        final transient Thread exclusiveOwnerThread = null;
        final Condition condition = new ConditionObject();

        Own() { setState(5); }

        @Override protected int tryAcquireShared(int arg) { return -1; }

        @Override protected boolean tryAcquire(int arg) {
            setExclusiveOwnerThread(Thread.currentThread());
            return true;
        }

        @Override protected boolean tryRelease(int arg) { return true; }

        @Override protected boolean isHeldExclusively() { return true; }
    }

    /** A phaser of the program's own, likewise. */
    static final class OwnPhaser extends Phaser {
        final long state = 78;

        OwnPhaser(int parties) { super(parties); }
    }

    static Thread start(String name, Action action) {
        Runnable runs = () -> {
            try {
                action.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
        Thread thread = virtual ? Truth.virtual(name, runs) : new Thread(runs, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void waiters(String name, int count, String state, Action action) {
        TRUTH.put(name + "-0", state);
        for (int i = 0; i < count; i++) {
            start(name + "-" + i, action);
        }
    }

    @SuppressWarnings("deprecation") // threadId is newer than JDK 17
    static void locks() {
        long self = Thread.currentThread().getId();
        ReentrantLock lock = new ReentrantLock(true);
        lock.lock();
        lock.lock();
        waiters("lock", 2, "holds=2 queued=2 owner=" + self, lock::lock);
        ReentrantReadWriteLock both = new ReentrantReadWriteLock();
        both.readLock().lock();
        waiters("writer", 1, "owner=0 holds=0 readers=1 reader=" + self + " queued=1", () -> both.writeLock().lock());
        ReentrantReadWriteLock written = new ReentrantReadWriteLock();
        written.writeLock().lock();
        waiters("reader", 3, "owner=" + self + " holds=1 readers=0 queued=3", () -> written.readLock().lock());
        StampedLock stamped = new StampedLock();
        stamped.readLock();
        stamped.readLock();
        waiters("stamped", 1, "readers=2 writers=0", stamped::writeLock);
        StampedLock taken = new StampedLock();
        taken.writeLock();
        waiters("taken", 1, "readers=0 writers=1", taken::readLock);
        ReentrantLock free = new ReentrantLock();
        Condition other = free.newCondition();
        waiters("condition", 2, "waiters=2 owner=0", () -> {
            free.lock();
            other.await();
        });
    }

    static void others() throws InterruptedException {
        Semaphore semaphore = new Semaphore(2);
        semaphore.acquire();
        waiters("semaphore", 3, "permits=1 queued=3", () -> semaphore.acquire(2));
        CountDownLatch latch = new CountDownLatch(4);
        waiters("latch", 2, "count=4 queued=2", latch::await);
        Own own = new Own();
        waiters("own", 1, "state=5 queued=1", () -> own.acquireShared(1));
        Phaser phaser = new OwnPhaser(5);
        waiters("phaser", 2, "parties=5 arrived=2 phase=0", phaser::arriveAndAwaitAdvance);
        BlockingQueue<Object> queue = new ArrayBlockingQueue<>(1);
        waiters("taker", 2, "waiters=2 owner=0", queue::take);
    }

    @SuppressWarnings("deprecation") // threadId is newer than JDK 17
    static void monitors() throws InterruptedException {
        Object idle = new Object(), held = new Object();
        waiters("waiter", 2, "owner=0 waiters=2", () -> {
            synchronized (idle) {
                idle.wait();
            }
        });
        Thread sleeper = start("sleeper", () -> {
            synchronized (held) {
                Thread.sleep(100_000);
            }
        });
        while (sleeper.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        waiters("victim", 2, "owner=" + sleeper.getId() + " waiters=0", () -> {
            synchronized (held) {
                held.notifyAll();
            }
        });
    }

    /** An executor whose threads are daemons. */
    static ThreadPoolExecutor pool(int threads, int maximum, BlockingQueue<Runnable> queue) {
        return new ThreadPoolExecutor(threads, maximum, 1, TimeUnit.MINUTES, queue, runs -> {
            Thread thread = new Thread(runs, "worker");
            thread.setDaemon(true);
            return thread;
        });
    }

    @SuppressWarnings("deprecation") // threadId is newer than JDK 17
    static void tasks() throws InterruptedException {
        ThreadPoolExecutor self = pool(2, 2, new LinkedBlockingQueue<>());
        CountDownLatch both = new CountDownLatch(2), never = new CountDownLatch(1);
        for (int i = 0; i < 2; i++) {
            self.execute(() -> {
                both.countDown();
                nested(self, both);
            });
        }
        both.await();
        Thread.sleep(100);
        Future<?> last = self.submit(() -> 2);
        waiters("task", 1, "done=0 runner=0 inQueue=[workers=2 maximum=2 active=2 queued=3]", last::get);
        ThreadPoolExecutor one = pool(1, 4, new ArrayBlockingQueue<>(5));
        CountDownLatch started = new CountDownLatch(1);
        long[] id = new long[1];
        Future<?> running = one.submit(() -> {
            id[0] = Thread.currentThread().getId();
            started.countDown();
            never.await();
            return null;
        });
        started.await();
        waiters("running", 1, "done=0 runner=" + id[0], running::get);
        CompletableFuture<?> later = CompletableFuture.supplyAsync(() -> 1, one).thenApply(x -> x + 1);
        waiters("completable", 1, "dependents=0 inQueue=[workers=1 maximum=4 active=1 queued=1 capacity=5]", later::join);
        CompletableFuture<?> alone = new CompletableFuture<>();
        alone.thenRun(() -> { });
        waiters("alone", 1, "dependents=1", alone::join);
        ForkJoinPool fork = new ForkJoinPool(2);
        CountDownLatch busy = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            fork.execute(() -> {
                busy.countDown();
                Own own = new Own();
                own.acquireShared(1);
            });
        }
        busy.await();
        ForkJoinTask<?> forked = fork.submit(() -> 1);
        waiters("forked", 1, "done=0 inQueue=[parallelism=2 workers=2 active=2 queued=1]", forked::get);
    }

    static void nested(ThreadPoolExecutor pool, CountDownLatch both) {
        try {
            both.await();
            pool.submit(() -> 1).get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A thread waits for a permit for so long that its state is read, and gets it. */
    private static void stall() throws Exception {
        Semaphore semaphore = new Semaphore(0);
        Thread waiter = new Thread(semaphore::acquireUninterruptibly, "waiter");
        waiter.start();
        Thread.sleep(3500);
        semaphore.release();
        waiter.join();
        System.out.println("done");
    }

    public static void main(String[] args) throws Exception {
        if (args[1].equals("stall")) {
            stall();
            return;
        }
        virtual = args[1].equals("virtual");
        locks();
        others();
        tasks();
        if (!virtual) {
            monitors();
        }
        if (args.length > 2) {
            System.out.println("ready");
            System.in.read();
        } else {
            Thread.sleep(2500);
        }
        try (PrintStream out = new PrintStream(args[0], "UTF-8")) {
            TRUTH.forEach((name, state) -> out.println(name + " " + state));
        }
        System.out.println("done");
    }
}
