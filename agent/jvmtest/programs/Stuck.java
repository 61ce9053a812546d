import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Programs that hang until they are killed, each in a way of its own: the only argument is its name, which is a method. It prints "stuck" when all of its
 * threads wait.
 */
public final class Stuck {
    private Stuck() { }

    private static Thread start(String name, Culprits.Body body) {
        return Culprits.start(name, body);
    }

    /** A thread ends by an exception, and does not give back its lock. */
    static void deadHolder() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        start("importer", lock::lock).join();
        for (int i = 0; i < 3; i++) {
            start("worker-" + i, lock::lock);
        }
    }

    private static int report() throws Exception {
        Thread.sleep(Long.MAX_VALUE);
        return 1;
    }

    /** A task waits in the queue of a pool whose workers are asleep. */
    static void saturated() {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.submit(Stuck::report);
        pool.submit(Stuck::report);
        Future<Integer> last = pool.submit(() -> 1);
        start("asker", last::get);
    }

    /** The workers of a ForkJoinPool wait for a latch that tasks of its queue count down. */
    static void forks() {
        ForkJoinPool pool = new ForkJoinPool(2);
        CountDownLatch latch = new CountDownLatch(2);
        CountDownLatch both = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            pool.execute(Culprits.unchecked(() -> {
                both.countDown();
                both.await();
                pool.execute(latch::countDown);
                latch.await();
            }));
        }
    }

    /** A task asks its own pool, which has no other worker. */
    static void ownQueue() {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        CompletableFuture.supplyAsync(() -> CompletableFuture.supplyAsync(() -> 1, pool).join(), pool);
    }

    /** A pool drops a task for whose result a thread waits. */
    static void discarded() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.DAYS, new ArrayBlockingQueue<>(1),
            new ThreadPoolExecutor.DiscardPolicy());
        pool.submit(Stuck::report);
        pool.submit(Stuck::report);
        Future<Integer> lost = pool.submit(Stuck::report);
        start("asker", lost::get);
    }

    /** Results are asked for again and again with a time limit that is too short. */
    static void timeouts() {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        start("client", () -> {
            for (;;) {
                try {
                    pool.submit(Stuck::report).get(400, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    continue;
                }
            }
        });
    }

    /** Two threads join each other. */
    static void joins() throws Exception {
        Thread[] both = new Thread[2];
        CountDownLatch made = new CountDownLatch(1);
        for (int i = 0; i < 2; i++) {
            int other = 1 - i;
            both[i] = start("joiner-" + i, () -> {
                made.await();
                both[other].join();
            });
        }
        made.countDown();
    }

    /** A thread waits for its own end, and another one for a notification of its own Thread object. */
    static void ownEnd() {
        start("service", () -> Thread.currentThread().join());
        start("patient", () -> {
            synchronized (Thread.currentThread()) {
                Thread.currentThread().wait();
            }
        });
    }

    /** Threads wait for each other's ends and locks until a timeout, which ends that. */
    static void untilTimeout() throws Exception {
        Thread[] both = new Thread[2];
        ReentrantLock[] locks = {new ReentrantLock(), new ReentrantLock()};
        CountDownLatch made = new CountDownLatch(1), held = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            int own = i, other = 1 - i;
            both[i] = start("joiner-" + i, () -> {
                made.await();
                both[other].join(TimeUnit.DAYS.toMillis(1));
            });
            start("mover-" + i, () -> {
                locks[own].lock();
                held.countDown();
                held.await();
                locks[other].tryLock(1, TimeUnit.DAYS);
            });
        }
        made.countDown();
    }

    /** Another process is awaited that waits itself. */
    static void process() {
        start("runner", () -> new ProcessBuilder("sleep", "60").start().waitFor());
    }

    /** A pool is shut down, whose task goes on. */
    static void termination() {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.submit(Stuck::report);
        pool.shutdown();
        start("stopper", () -> pool.awaitTermination(1, TimeUnit.DAYS));
    }

    /** A ForkJoinPool is shut down, whose task waits for an element of a queue. */
    static void forkTermination() {
        ForkJoinPool pool = new ForkJoinPool(1);
        BlockingQueue<Integer> empty = new LinkedBlockingQueue<>();
        pool.execute(Culprits.unchecked(() -> empty.take()));
        pool.shutdown();
        start("stopper", () -> pool.awaitTermination(1, TimeUnit.DAYS));
    }

    /** The action of a barrier does not end. */
    static void barrierAction() throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(3, Culprits.unchecked(Stuck::report));
        for (int i = 0; i < 2; i++) {
            start("party-" + i, () -> { barrier.await(); });
        }
        while (barrier.getNumberWaiting() < 2) {
            Thread.sleep(1);
        }
        start("party-2", () -> { barrier.await(); });
    }

    private static void upload() throws Exception {
        for (;;) {
            Thread.sleep(20);
        }
    }

    /** Threads wait for one that tries something again and again. */
    static void retries() {
        CountDownLatch done = new CountDownLatch(1);
        start("uploader", () -> {
            upload();
            done.countDown();
        });
        start("reader-0", done::await);
        start("reader-1", done::await);
    }

    private static int readCommand() throws Exception {
        return System.in.read();
    }

    /** The standard input is read, which does not come. */
    static void input() throws Exception {
        Thread console = start("console", Stuck::readCommand);
        while (console.getStackTrace().length == 0 || !console.getStackTrace()[0].isNativeMethod()) {
            Thread.sleep(1);
        }
    }

    private static int ask(ServerSocket server) throws Exception {
        try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
            asked.countDown();
            return socket.getInputStream().read();
        }
    }

    private static final CountDownLatch asked = new CountDownLatch(1);

    /** A server does not answer. */
    static void answer() throws Exception {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        Thread client = start("client", () -> ask(server));
        asked.await();
        while (!client.getStackTrace()[0].isNativeMethod()) {
            Thread.sleep(1);
        }
    }

    /** Each request leaves a pool behind. */
    static void pools() {
        for (int i = 0; i < 110; i++) {
            Executors.newFixedThreadPool(1).submit(() -> 1);
        }
    }

    /** Two threads take one lock each, try to get the other one's, and begin again. */
    static void livelock() {
        ReentrantLock left = new ReentrantLock();
        ReentrantLock right = new ReentrantLock();
        start("teller-1", () -> transfer(left, right));
        start("teller-2", () -> transfer(right, left));
    }

    private static void transfer(ReentrantLock mine, ReentrantLock other) throws Exception {
        for (;;) {
            if (mine.tryLock()) {
                Thread.sleep(10);
                boolean both = other.tryLock() && other.getHoldCount() > 2;
                if (other.isHeldByCurrentThread()) {
                    other.unlock();
                }
                mine.unlock();
                if (both) {
                    return;
                }
            }
        }
    }

    private static boolean ready;

    private static void spin() {
        while (!ready) {
            Thread.onSpinWait();
        }
    }

    /** A thread spins until a variable changes, which no thread has to write to the memory. */
    static void spins() {
        start("poller", Stuck::spin);
    }

    /** Clients give up waiting for permits, again and again, which others keep. */
    static void permits() throws Exception {
        Semaphore connections = new Semaphore(1);
        Thread report = start("report", () -> {
            connections.acquire();
            report();
        });
        Culprits.until(report, Thread.State.TIMED_WAITING);
        for (int i = 0; i < 3; i++) {
            start("web-" + i, () -> {
                while (!connections.tryAcquire(100, TimeUnit.MILLISECONDS)) {
                    continue;
                }
            });
        }
    }

    private static int sent;
    private static boolean full;

    private static void send(Object gateway, Semaphore window) throws Exception {
        synchronized (gateway) {
            deliver(window);
        }
    }

    private static void deliver(Semaphore window) throws Exception {
        sent++;
        if (full) {
            Retry.retry(window);
        }
    }

    /** Is loaded late, so that the compiled code of its callers is given up while they run. */
    private static final class Retry {
        static void retry(Semaphore window) throws Exception {
            while (!window.tryAcquire(100, TimeUnit.MILLISECONDS)) {
                continue;
            }
        }
    }

    /** A thread with a monitor tries to get permits again and again, below calls that were compiled before. */
    static void compiled() throws Exception {
        Object gateway = new Object();
        Semaphore window = new Semaphore(0);
        Thread sender = start("sender", () -> {
            for (int i = 0; i < 3_000; i++) {
                send(gateway, window);
            }
            Thread.sleep(300); // meanwhile they are compiled
            full = true;
            send(gateway, window);
        });
        Thread.sleep(400);
        Culprits.until(sender, Thread.State.TIMED_WAITING);
        start("clerk", () -> send(gateway, window));
    }

    /** Two virtual threads take two locks in different orders. */
    static void virtualDeadlock() {
        ReentrantLock first = new ReentrantLock();
        ReentrantLock second = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2);
        Truth.virtual("mover-0", Culprits.unchecked(() -> takeBoth(first, second, both))).start();
        Truth.virtual("mover-1", Culprits.unchecked(() -> takeBoth(second, first, both))).start();
    }

    private static void takeBoth(ReentrantLock first, ReentrantLock second, CountDownLatch both) throws Exception {
        first.lock();
        both.countDown();
        both.await();
        second.lock();
    }

    private static void joined(Thread worker) throws Exception {
        worker.join();
    }

    /** A thread joins a virtual thread that sleeps. */
    static void virtualJoin() {
        Thread worker = Truth.virtual("worker", Culprits.unchecked(Stuck::report));
        worker.start();
        start("boss", () -> joined(worker));
    }

    /** A virtual thread keeps a lock while it waits for an element, as thousands of others do. */
    static void virtualHolder() throws Exception {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch locked = new CountDownLatch(1);
        for (int i = 0; i < 3000; i++) {
            Truth.virtual("idle-" + i, Culprits.unchecked(queue::take)).start();
        }
        Truth.virtual("greedy", Culprits.unchecked(() -> {
            lock.lock();
            locked.countDown();
            queue.take();
        })).start();
        locked.await();
        for (int i = 0; i < 3; i++) {
            Truth.virtual("worker-" + i, Culprits.unchecked(lock::lock)).start();
        }
    }

    public static void main(String[] args) throws Exception {
        Stuck.class.getDeclaredMethod(args[0]).invoke(null);
        Thread.sleep(500);
        System.out.println("stuck");
        Thread.sleep(Long.MAX_VALUE);
    }
}
