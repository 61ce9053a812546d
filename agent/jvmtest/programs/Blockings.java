import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Each class of java.util.concurrent, and each way to wait with it. A kind is a thread that waits once, and one that
 * lets it wait and wakes it. The file of the truth has a line for each: the kind, whether it is a lock or a wait, the
 * waiter's id, the class of the blocker as the JVM shows it, how the wait ends, and the ids of who wakes the waiter,
 * who signals it and who owns the lock; - for nobody.
 */
public class Blockings {
    /** The time until a thread waits, in milliseconds: with -Xcomp the methods that it calls are compiled in that time. */
    static final long UNTIL = 1_000;
    static boolean virtual;
    static final List<String> truth = new ArrayList<>();

    interface Task {
        void run() throws Exception;
    }

    /** A kind. The waker runs before, then starts the waiter, and runs wake when that is parked. */
    static final class Kind {
        final String name, form, end;
        boolean wakes, signals, owns;
        Task before = () -> { }, wake = () -> { };
        Thread waiter;

        Kind(String name, String form, String end) {
            this.name = name;
            this.form = form;
            this.end = end;
        }

        Kind before(Task task) {
            before = task;
            return this;
        }

        /** The waker owns the lock while the waiter blocks. */
        Kind owned(Task lock) {
            owns = true;
            return before(lock);
        }

        Kind wakes(Task task) {
            wakes = true;
            wake = task;
            return this;
        }

        Kind signals(Task task) {
            signals = true;
            wake = task;
            return this;
        }

        /** The waiter ends by itself, or the task interrupts it. */
        Kind then(Task task) {
            wake = task;
            return this;
        }

        void waits(Task task) throws Exception {
            String[] line = {null};
            Thread waker = thread(name + "-waker", () -> {
                before.run();
                waiter = thread(name + "-waiter", task);
                waiter.start();
                String blocker = parked(waiter);
                wake.run();
                waiter.join();
                String me = String.valueOf(id(Thread.currentThread()));
                line[0] = name + " " + form + " " + id(waiter) + " " + blocker + " " + end + " " + (wakes ? me : "-") + " "
                        + (signals ? me : "-") + " " + (owns ? me : "-");
            });
            waker.start();
            waker.join();
            truth.add(line[0]);
        }
    }

    @SuppressWarnings("deprecation") // threadId does not exist in Java 17
    static long id(Thread thread) {
        return thread.getId();
    }

    static Thread thread(String name, Task task) {
        Runnable run = () -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new IllegalStateException(name, e);
            }
        };
        if (!virtual) {
            return new Thread(run, name);
        }
        return Truth.virtual(name, run);
    }

    /** Waits until the thread is parked, for a while, and returns the class of its blocker. */
    static String parked(Thread thread) throws InterruptedException {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            if (!thread.isAlive()) {
                return "?";
            }
            Thread.sleep(1);
        }
        Thread.sleep(3);
        Object blocker = LockSupport.getBlocker(thread);
        return blocker == null ? "java.util.concurrent.locks.LockSupport" : blocker.getClass().getName();
    }

    static Kind lock(String name, String end) {
        return new Kind(name, "lock", end);
    }

    static Kind wait(String name, String end) {
        return new Kind(name, "wait", end);
    }

    static void interrupted(Task task) throws Exception {
        try {
            task.run();
        } catch (InterruptedException e) {
            return;
        }
        throw new IllegalStateException("was not interrupted");
    }

    static void check(boolean expected) {
        if (!expected) {
            throw new IllegalStateException("not as expected");
        }
    }

    /** Its arguments: the file, then "virtual" for virtual threads, then "again" to run once more for each line of input. */
    public static void main(String[] args) throws Exception {
        virtual = args.length > 1 && args[1].equals("virtual");
        if (args.length <= 2) {
            all(args[0]);
            return;
        }
        all(args[0]);
        if (!virtual) { // a virtual thread is recorded from its first event on
            existing();
        }
        System.out.println("ready");
        while (System.in.read() >= 0) {
            all(args[0]);
        }
        System.exit(0);
    }

    static void all(String file) throws Exception {
        truth.clear();
        truth.addAll(existed);
        locks();
        readWriteLocks();
        conditions();
        counters();
        queues();
        futures();
        plain();
        several();
        strays();
        early();
        pinned();
        pools();
        try (PrintStream out = new PrintStream(file, "UTF-8")) {
            truth.forEach(out::println);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        System.out.println("done");
    }

    static final List<String> existed = new ArrayList<>();

    /** Threads that wait until the program ends. */
    static void existing() throws Exception {
        ReentrantLock held = new ReentrantLock(), lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        Object blocker = new StringBuilder();
        String owner = String.valueOf(id(parkedThread("existing-owner", () -> locked(held, LockSupport::park))));
        exists("existing-lock", "lock", owner, held::lock);
        exists("existing-condition", "wait", "-", () -> locked(lock, condition::await));
        exists("existing-semaphore", "wait", "-", () -> new Semaphore(0).acquire());
        exists("existing-park", "wait", "-", () -> LockSupport.park(blocker));
        exists("existing-timed", "wait", "-", () -> LockSupport.parkNanos(blocker, 3_600_000_000_000L));
    }

    static void exists(String name, String form, String owner, Task task) throws InterruptedException {
        Thread thread = thread(name, task);
        thread.setDaemon(true);
        thread.start();
        existed.add(name + " " + form + " " + id(thread) + " " + parked(thread) + " open - - " + owner);
    }

    static void locks() throws Exception {
        for (boolean fair : new boolean[] {false, true}) {
            String is = fair ? "fair-" : "";
            ReentrantLock lock = new ReentrantLock(fair);
            Task unlock = lock::unlock;
            lock(is + "lock", "got").owned(lock::lock).wakes(unlock).waits(() -> {
                lock.lock();
                lock.unlock();
            });
            lock(is + "tryLock", "got").owned(lock::lock).wakes(unlock).waits(() -> {
                check(lock.tryLock(1, TimeUnit.MINUTES));
                lock.unlock();
            });
        }
        ReentrantLock lock = new ReentrantLock();
        Kind late = lock("tryLock-timeout", "timeout").owned(lock::lock);
        late.then(() -> {
            late.waiter.join();
            lock.unlock();
        }).waits(() -> check(!lock.tryLock(150, TimeUnit.MILLISECONDS)));
        Kind stopped = lock("lockInterruptibly", "interrupt").owned(lock::lock);
        stopped.then(() -> {
            stopped.waiter.interrupt();
            stopped.waiter.join();
            lock.unlock();
        }).waits(() -> interrupted(lock::lockInterruptibly));
        Kind stubborn = lock("lock-interrupted", "got").owned(lock::lock);
        stubborn.wakes(() -> {
            stubborn.waiter.interrupt();
            Thread.sleep(10);
            parked(stubborn.waiter);
            lock.unlock();
        }).waits(() -> {
            lock.lock();
            lock.unlock();
            check(Thread.interrupted());
        });
        Mutex mutex = new Mutex();
        lock("home-made", "got").owned(() -> mutex.acquire(1)).wakes(() -> mutex.release(1)).waits(() -> {
            mutex.acquire(1);
            mutex.release(1);
        });
        StampedLock stamped = new StampedLock();
        long[] stamp = {0};
        wait("stamped-write", "unparked").before(() -> stamp[0] = stamped.writeLock())
                .wakes(() -> stamped.unlockWrite(stamp[0])).waits(() -> stamped.unlockWrite(stamped.writeLock()));
        wait("stamped-read", "unparked").before(() -> stamp[0] = stamped.writeLock())
                .wakes(() -> stamped.unlockWrite(stamp[0])).waits(() -> stamped.unlockRead(stamped.readLock()));
    }

    /** A lock of the program's own. */
    static class Mutex extends AbstractQueuedSynchronizer {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean tryAcquire(int ignored) {
            if (!compareAndSetState(0, 1)) {
                return false;
            }
            setExclusiveOwnerThread(Thread.currentThread());
            return true;
        }

        @Override
        protected boolean tryRelease(int ignored) {
            setExclusiveOwnerThread(null);
            setState(0);
            return true;
        }
    }

    static void readWriteLocks() throws Exception {
        ReentrantReadWriteLock both = new ReentrantReadWriteLock();
        Task read = () -> {
            both.readLock().lock();
            both.readLock().unlock();
        };
        Task write = () -> {
            both.writeLock().lock();
            both.writeLock().unlock();
        };
        lock("write-after-write", "got").owned(both.writeLock()::lock).wakes(both.writeLock()::unlock).waits(write);
        lock("read-after-write", "got").owned(both.writeLock()::lock).wakes(both.writeLock()::unlock).waits(read);
        lock("write-after-read", "got").before(both.readLock()::lock).wakes(both.readLock()::unlock).waits(write);
        Kind late = lock("read-timeout", "timeout").owned(both.writeLock()::lock);
        late.then(() -> {
            late.waiter.join();
            both.writeLock().unlock();
        }).waits(() -> check(!both.readLock().tryLock(150, TimeUnit.MILLISECONDS)));
    }

    static void conditions() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        Task signal = () -> locked(lock, condition::signal), signalAll = () -> locked(lock, condition::signalAll);
        wait("await", "signal").signals(signal).waits(() -> locked(lock, condition::await));
        wait("await-all", "signal").signals(signalAll).waits(() -> locked(lock, condition::await));
        wait("await-uninterruptibly", "signal").signals(signal).waits(() -> locked(lock, condition::awaitUninterruptibly));
        wait("await-time", "signal").signals(signal).waits(() -> locked(lock, () -> check(condition.await(1, TimeUnit.MINUTES))));
        wait("await-timeout", "timeout").waits(() -> locked(lock, () -> check(condition.awaitNanos(150_000_000) <= 0)));
        wait("await-until", "timeout").waits(() -> locked(lock,
                () -> check(!condition.awaitUntil(new Date(System.currentTimeMillis() + UNTIL)))));
        Kind stopped = wait("await-interrupt", "interrupt");
        stopped.then(() -> stopped.waiter.interrupt()).waits(() -> locked(lock, () -> interrupted(condition::await)));
        CyclicBarrier barrier = new CyclicBarrier(2);
        wait("barrier", "signal").signals(barrier::await).waits(barrier::await);
    }

    static void locked(ReentrantLock lock, Task task) throws Exception {
        lock.lock();
        try {
            task.run();
        } finally {
            lock.unlock();
        }
    }

    static void counters() throws Exception {
        Semaphore semaphore = new Semaphore(0);
        wait("semaphore", "unparked").wakes(semaphore::release).waits(semaphore::acquire);
        wait("semaphore-timeout", "timeout").waits(() -> check(!semaphore.tryAcquire(150, TimeUnit.MILLISECONDS)));
        Kind stopped = wait("semaphore-interrupt", "interrupt");
        stopped.then(() -> stopped.waiter.interrupt()).waits(() -> interrupted(semaphore::acquire));
        Semaphore fair = new Semaphore(0, true);
        wait("semaphore-fair", "unparked").wakes(() -> fair.release(2)).waits(() -> fair.acquire(2));
        CountDownLatch latch = new CountDownLatch(1);
        wait("latch", "unparked").wakes(latch::countDown).waits(latch::await);
        CountDownLatch closed = new CountDownLatch(1);
        wait("latch-timeout", "timeout").waits(() -> check(!closed.await(150, TimeUnit.MILLISECONDS)));
        Phaser phaser = new Phaser(1);
        wait("phaser", "unparked").wakes(phaser::arrive).waits(() -> phaser.awaitAdvance(0));
        Exchanger<String> exchanger = new Exchanger<>();
        wait("exchanger", "unparked").wakes(() -> exchanger.exchange("a")).waits(() -> exchanger.exchange("b"));
    }

    static void queues() throws Exception {
        LinkedBlockingQueue<String> linked = new LinkedBlockingQueue<>();
        wait("linked-queue", "signal").signals(() -> linked.put("a")).waits(linked::take);
        ArrayBlockingQueue<String> array = new ArrayBlockingQueue<>(1);
        wait("array-queue-empty", "signal").signals(() -> array.put("a")).waits(array::take);
        wait("array-queue-full", "signal").before(() -> array.put("a")).signals(array::take).waits(() -> array.put("b"));
        LinkedBlockingDeque<String> deque = new LinkedBlockingDeque<>();
        wait("deque", "signal").signals(() -> deque.putFirst("a")).waits(deque::takeLast);
        PriorityBlockingQueue<String> priorities = new PriorityBlockingQueue<>();
        wait("priority-queue", "signal").signals(() -> priorities.put("a")).waits(priorities::take);
        wait("poll-timeout", "timeout").waits(() -> check(linked.poll(150, TimeUnit.MILLISECONDS) == null));
        DelayQueue<Later> delayed = new DelayQueue<>();
        wait("delay-queue", "timeout").waits(() -> {
            delayed.put(new Later(500_000_000)); // from now on
            delayed.take();
        });
        SynchronousQueue<String> handOver = new SynchronousQueue<>();
        wait("synchronous-take", "unparked").wakes(() -> handOver.put("a")).waits(handOver::take);
        wait("synchronous-put", "unparked").wakes(handOver::take).waits(() -> handOver.put("a"));
        SynchronousQueue<String> inOrder = new SynchronousQueue<>(true);
        wait("synchronous-fair", "unparked").wakes(() -> inOrder.put("a")).waits(inOrder::take);
        LinkedTransferQueue<String> transfers = new LinkedTransferQueue<>();
        wait("transfer-queue", "unparked").wakes(transfers::take).waits(() -> transfers.transfer("a"));
    }

    static final class Later implements Delayed {
        final long end;

        Later(long nanos) {
            end = System.nanoTime() + nanos;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    static void futures() throws Exception {
        FutureTask<String> task = new FutureTask<>(() -> "a");
        wait("future-task", "unparked").wakes(task::run).waits(task::get);
        CompletableFuture<String> future = new CompletableFuture<>();
        wait("future-get", "unparked").wakes(() -> future.complete("a")).waits(future::get);
        CompletableFuture<String> second = new CompletableFuture<>();
        wait("future-join", "unparked").wakes(() -> second.complete("a")).waits(second::join);
        CompletableFuture<String> never = new CompletableFuture<>();
        wait("future-timeout", "timeout").waits(() -> {
            try {
                never.get(150, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                return;
            }
            throw new IllegalStateException("in time");
        });
    }

    static void plain() throws Exception {
        Kind bare = wait("park", "unparked");
        bare.wakes(() -> LockSupport.unpark(bare.waiter)).waits(LockSupport::park);
        Object blocker = new StringBuilder();
        Kind blocked = wait("park-blocker", "unparked");
        blocked.wakes(() -> LockSupport.unpark(blocked.waiter)).waits(() -> LockSupport.park(blocker));
        Kind twice = wait("unpark-twice", "unparked");
        twice.wakes(() -> {
            LockSupport.unpark(twice.waiter);
            LockSupport.unpark(twice.waiter);
        }).waits(() -> LockSupport.park(blocker));
        wait("parkNanos", "timeout").waits(() -> LockSupport.parkNanos(blocker, 150_000_000));
        wait("parkUntil", "timeout").waits(() -> LockSupport.parkUntil(blocker, System.currentTimeMillis() + UNTIL));
        Kind stopped = wait("park-interrupt", "interrupt");
        stopped.then(() -> stopped.waiter.interrupt()).waits(() -> LockSupport.park(blocker));
        wait("permit", "none").waits(() -> {
            LockSupport.unpark(Thread.currentThread());
            LockSupport.park(blocker);
        });
        wait("flag", "none").waits(() -> {
            Thread.currentThread().interrupt();
            LockSupport.park(blocker);
        });
    }

    /** Adds a line of the truth. */
    static void add(String name, String form, Thread waiter, String blocker, String end, Object waker, Object signaller) {
        truth.add(name + " " + form + " " + id(waiter) + " " + blocker + " " + end + " " + waker + " " + signaller + " -");
    }

    /** Starts a thread and waits until it is parked. */
    static Thread parkedThread(String name, Task task) throws InterruptedException {
        Thread thread = thread(name, task);
        thread.start();
        parked(thread);
        return thread;
    }

    /** Runs the task in a thread of its own, to its end, and returns that. */
    static Thread inThread(String name, Task task) throws InterruptedException {
        Thread thread = thread(name, task);
        thread.start();
        thread.join();
        return thread;
    }

    /** Waiters that pass on what wakes them: all of a latch, all of a condition, and one after another thread. */
    static void several() throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Thread[] waiters = new Thread[3];
        for (int i = 0; i < waiters.length; i++) {
            waiters[i] = parkedThread("chain-" + i, latch::await);
        }
        String blocker = LockSupport.getBlocker(waiters[0]).getClass().getName();
        Object before = id(inThread("chain-waker", latch::countDown));
        for (Thread waiter : waiters) {
            waiter.join();
            add("latch-chain", "wait", waiter, blocker, "unparked", before, "-");
            before = id(waiter);
        }
        ReentrantLock lock = new ReentrantLock(true);
        Condition condition = lock.newCondition();
        for (int i = 0; i < waiters.length; i++) {
            waiters[i] = parkedThread("all-" + i, () -> locked(lock, condition::await));
        }
        blocker = condition.getClass().getName();
        Object signaller = id(inThread("all-waker", () -> locked(lock, condition::signalAll)));
        before = signaller;
        for (Thread waiter : waiters) {
            waiter.join();
            add("signal-all", "wait", waiter, blocker, "signal", before, signaller);
            before = id(waiter);
        }
        Thread waiter = parkedThread("third-waiter", () -> locked(lock, condition::await));
        Thread[] third = {null};
        signaller = id(inThread("third-waker", () -> locked(lock, () -> {
            third[0] = parkedThread("third-thread", () -> locked(lock, () -> { }));
            condition.signal();
        })));
        waiter.join();
        third[0].join();
        add("await-third", "wait", waiter, blocker, "signal", id(third[0]), signaller);
    }

    /** Waiters that another thread unparks too early, some times, so that they park again; and one that others join. */
    static void strays() throws Exception {
        ReentrantLock lock = new ReentrantLock(), free = new ReentrantLock();
        Condition condition = free.newCondition();
        CountDownLatch latch = new CountDownLatch(1);
        Kind blocked = lock("stray-lock", "got").owned(lock::lock);
        blocked.wakes(() -> {
            stray(blocked.waiter);
            lock.unlock();
        }).waits(() -> locked(lock, () -> { }));
        Kind waits = wait("stray-latch", "unparked");
        waits.wakes(() -> {
            stray(waits.waiter);
            latch.countDown();
        }).waits(latch::await);
        Kind awaits = wait("stray-await", "signal");
        awaits.signals(() -> {
            stray(awaits.waiter);
            locked(free, condition::signal);
        }).waits(() -> locked(free, condition::await));
        Kind joined = wait("park-joined", "unparked");
        joined.wakes(() -> {
            Thread[] joiners = {parkedThread("joiner-1", joined.waiter::join), parkedThread("joiner-2", joined.waiter::join)};
            LockSupport.unpark(joined.waiter);
            for (Thread joiner : joiners) {
                joiner.join();
            }
        }).waits(LockSupport::park);
    }

    /** Another thread unparks the waiter, which parks again each time. */
    static void stray(Thread waiter) throws InterruptedException {
        inThread("stray", () -> {
            for (int i = 0; i < 3; i++) {
                LockSupport.unpark(waiter);
                Thread.sleep(i < 2 ? 30 : 300); // on a busy machine it may still be in the park that ends
                parked(waiter);
            }
        });
    }

    /** A lock that lets another thread act, and waits for that, when a thread begins to wait for its condition. */
    static final class Meanwhile extends Mutex {
        private static final long serialVersionUID = 1;
        private transient volatile Thread other;

        final Condition condition = new ConditionObject();

        /** Another thread gets the lock after this one has released it and before this one parks. */
        void then(Thread thread) {
            other = thread;
        }

        @Override
        protected boolean isHeldExclusively() {
            return getExclusiveOwnerThread() == Thread.currentThread();
        }

        @Override
        protected boolean tryRelease(int ignored) {
            Thread thread = other;
            other = null;
            super.tryRelease(ignored);
            if (thread != null) {
                thread.start();
                while (thread.isAlive()) {
                    Thread.onSpinWait();
                }
            }
            return true;
        }
    }

    /** A signal to a thread that has not parked yet. Then it does not park, and the signal does not count for its next wait. */
    static void early() throws Exception {
        Meanwhile lock = new Meanwhile();
        long[] signalled = {0};
        Thread waiter = thread("early-waiter", () -> {
            lock.acquire(1);
            lock.then(thread("early-signaller", () -> {
                lock.acquire(1);
                lock.condition.signal();
                lock.release(1);
            }));
            lock.condition.await();
            signalled[0] = System.nanoTime();
            check(lock.condition.awaitNanos(150_000_000) <= 0);
            lock.release(1);
        });
        waiter.start();
        waiter.join();
        check(signalled[0] != 0);
        add("signal-before-park", "wait", waiter, lock.condition.getClass().getName(), "timeout", "-", "-");
    }

    /** A thread parks while it initializes this class. */
    static final class Initialized {
        static {
            LockSupport.park(Initialized.class);
        }

        private Initialized() { }
    }

    /** Parks of threads that a virtual thread cannot leave: in a synchronized block, in the initializer of a class. */
    static void pinned() throws Exception {
        Object monitor = new Object(), blocker = new StringBuilder();
        Kind owner = wait("park-synchronized", "unparked");
        owner.wakes(() -> LockSupport.unpark(owner.waiter)).waits(() -> {
            synchronized (monitor) {
                LockSupport.park(blocker);
            }
        });
        ReentrantLock lock = new ReentrantLock();
        lock("lock-synchronized", "got").owned(lock::lock).wakes(lock::unlock).waits(() -> {
            synchronized (monitor) {
                locked(lock, () -> { });
            }
        });
        Kind initializes = wait("park-initializer", "unparked");
        initializes.wakes(() -> LockSupport.unpark(initializes.waiter)).waits(() -> {
            URL folder = Blockings.class.getProtectionDomain().getCodeSource().getLocation();
            try (URLClassLoader anew = new URLClassLoader(new URL[] {folder}, null)) {
                Class.forName(Initialized.class.getName(), true, anew);
            }
        });
    }

    /** Workers of a pool, which wait for work, and are interrupted by its shutdown; and a task of another pool. */
    static void pools() throws Exception {
        Thread[] worker = {null};
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), run -> {
            worker[0] = thread("pool-worker", run::run);
            return worker[0];
        });
        pool.submit(() -> { }).get();
        String blocker = parked(worker[0]);
        inThread("pool-waker", () -> pool.submit(() -> { }).get());
        parked(worker[0]);
        inThread("pool-shutdown", pool::shutdownNow);
        worker[0].join();
        add("pool-shutdown", "wait", worker[0], blocker, "interrupt", "-", "-");
        long[] id = {0};
        CountDownLatch latch = new CountDownLatch(1);
        ForkJoinTask<?> task = ForkJoinPool.commonPool().submit(() -> {
            id[0] = id(Thread.currentThread());
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Thread joiner = thread("fork-join-waiter", task::get);
        joiner.start();
        blocker = parked(joiner);
        latch.countDown();
        joiner.join();
        add("fork-join", "wait", joiner, blocker, "unparked", id[0], "-");
    }
}
