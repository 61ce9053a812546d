import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Programs with one fault each. It prints "total" and what the fault cost, in nanoseconds, as the program itself measures it. Its arguments: a file that
 * it does not use, the name of the program, which is a method, and "virtual" for virtual threads. The name "innocent" is for the siblings of all programs, one
 * after the other, in which what would be slow is not.
 */
public final class Culprits {
    static boolean virtual, innocent;
    private static final LongAdder lost = new LongAdder();
    private static final Object lock = new Object();
    private static final Semaphore connections = new Semaphore(2);
    private static volatile long released; // when a connection was given back last, by System.nanoTime

    private Culprits() { }

    /** Something that may throw. */
    interface Body {
        void run() throws Exception;
    }

    static Runnable unchecked(Body body) {
        return () -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }

    /** Starts a thread; the JVM does not wait for its end. */
    static Thread start(String name, Body body) {
        Thread thread = virtual ? Truth.virtual(name, unchecked(body)) : new Thread(unchecked(body), name);
        thread.setDaemon(true);
        thread.start();
        latest = thread;
        return thread;
    }

    private static volatile Thread latest;

    /** Lets the thread that was started last begin to wait, or run for some time. */
    static void moment() throws InterruptedException {
        Thread.sleep(20);
        for (int i = 0; i < 100 && latest != null && latest.getState() == Thread.State.RUNNABLE; i++) {
            Thread.sleep(1);
        }
    }

    static List<Thread> start(String name, int count, Body body) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(start(name + "-" + i, body));
        }
        return threads;
    }

    static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** The milliseconds for which a culprit does something; none for an innocent. */
    static long slow(long milliseconds) {
        return innocent ? 0 : milliseconds;
    }

    /** Waits until the thread does so. */
    static void until(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) {
            Thread.sleep(1);
        }
    }

    static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    static ExecutorService pool(String name, int threads) {
        return Executors.newFixedThreadPool(threads, named(name));
    }

    /** Counts the time that the body takes as lost. */
    static void loses(Body body) throws Exception {
        long begin = System.nanoTime();
        body.run();
        lost.add(System.nanoTime() - begin);
    }

    static void loses(long nanoseconds) {
        lost.add(nanoseconds);
    }

    static void spin(long milliseconds) {
        long end = System.nanoTime() + slow(milliseconds) * 1_000_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    static void upload(long milliseconds) throws InterruptedException {
        Thread.sleep(slow(milliseconds));
    }

    private static void enter() throws Exception {
        long begin = System.nanoTime();
        synchronized (lock) {
            lost.add(System.nanoTime() - begin);
        }
    }

    private static void enter(Lock wanted) throws Exception {
        loses(wanted::lock);
        wanted.unlock();
    }

    static void greedy() throws Exception {
        Thread greedy = start("greedy", () -> {
            for (int i = 0; i < 18; i++) {
                long begin = System.nanoTime();
                synchronized (lock) {
                    lost.add(System.nanoTime() - begin);
                    upload(50);
                }
            }
        });
        moment();
        join(start("polite", 3, Culprits::enter));
        greedy.join();
    }

    static void greedyLock() throws Exception {
        ReentrantLock barged = new ReentrantLock();
        Thread greedy = start("greedy", () -> {
            for (int i = 0; i < 18; i++) {
                loses(barged::lock);
                try {
                    upload(50);
                } finally {
                    barged.unlock();
                }
            }
        });
        moment();
        join(start("polite", 3, () -> enter(barged)));
        greedy.join();
    }

    private static void prepare() throws Exception {
        synchronized (lock) {
            Thread.sleep(slow(60));
            upload(800);
        }
    }

    /** The holder took the lock at one place and is longest at another. */
    static void moved() throws Exception {
        Thread holder = start("holder", Culprits::prepare);
        moment();
        join(start("web", 3, Culprits::enter));
        holder.join();
    }

    private static void pay(ServerSocket bank) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), bank.getLocalPort())) {
            socket.getInputStream().read();
        }
    }

    static void socket() throws Exception {
        ServerSocket bank = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread checkout = start("checkout", () -> {
            synchronized (lock) {
                pay(bank);
            }
        });
        try (Socket accepted = bank.accept()) {
            Thread.sleep(slow(50));
            List<Thread> carts = start("cart", 3, Culprits::enter);
            Thread.sleep(slow(800));
            accepted.getOutputStream().write(1);
            join(carts);
        }
        checkout.join();
    }

    /** Two classes whose initialisers need each other. */
    private static final class First {
        static {
            unchecked(() -> Thread.sleep(100)).run();
            if (!innocent) {
                Second.touch();
            }
        }

        static void touch() { }
    }

    private static final class Second {
        static {
            unchecked(() -> Thread.sleep(100)).run();
            if (!innocent) {
                First.touch();
            }
        }

        static void touch() { }
    }

    static void initialisers() throws Exception {
        start("init-a", First::touch);
        start("init-b", Second::touch);
        Thread.sleep(slow(1000));
    }

    static void collections() {
        List<byte[]> kept = new ArrayList<>();
        for (int i = 0; i < slow(40); i++) {
            for (int k = 0; k < 1000; k++) {
                kept.add(new byte[500]);
            }
            System.gc();
        }
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            loses(collector.getCollectionTime() * 1_000_000);
        }
    }

    /** Ten threads on the processors of the machine, which are fewer. */
    static void processors() throws Exception {
        ThreadMXBean times = ManagementFactory.getThreadMXBean();
        times.getCurrentThreadCpuTime();
        join(start("cruncher", innocent ? 1 : 10, () -> {
            long begin = System.nanoTime(), used = times.getCurrentThreadCpuTime();
            spin(900);
            loses(System.nanoTime() - begin - times.getCurrentThreadCpuTime() + used);
        }));
    }

    private static void export(Lock read) throws InterruptedException {
        read.lock();
        try {
            upload(500);
        } finally {
            read.unlock();
        }
    }

    /** Readers who take turns starve a writer. */
    static void readers() throws Exception {
        ReentrantReadWriteLock shared = new ReentrantReadWriteLock();
        start("exporter-0", () -> export(shared.readLock()));
        Thread.sleep(slow(150));
        start("exporter-1", () -> export(shared.readLock()));
        Thread.sleep(slow(20));
        join(start("indexer", 1, () -> enter(shared.writeLock())));
    }

    private static void query() throws InterruptedException {
        Thread.sleep(slow(200));
    }

    /** Handlers wait for a backend with one thread. */
    static void backend() throws Exception {
        ExecutorService web = pool("web", 4), back = pool("backend", 1);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(web.submit(unchecked(() -> loses(() -> back.submit(unchecked(Culprits::query)).get()))));
        }
        for (Future<?> future : all) {
            future.get();
        }
    }

    private static void deliver(CountDownLatch latch) throws InterruptedException {
        Thread.sleep(slow(300));
        latch.countDown();
    }

    static void latch() throws Exception {
        CountDownLatch latch = new CountDownLatch(3);
        start("EventThread", () -> {
            for (int i = 0; i < 3; i++) {
                deliver(latch);
            }
        });
        loses(latch::await);
    }

    private static void handle(int rounds) throws Exception {
        for (int i = 0; i < rounds; i++) {
            loses(connections::acquire);
            try {
                Thread.sleep(slow(20));
            } finally {
                connections.release();
                released = System.nanoTime();
            }
        }
    }

    /**
     * A release wakes nobody, and is not in the trace, just after another one: the first waiter has been woken, and does
     * not run yet.
     */
    private static void report(long milliseconds) throws Exception {
        connections.acquire();
        try {
            upload(milliseconds);
            while (System.nanoTime() - released < 5_000_000) {
                Thread.sleep(1);
            }
        } finally {
            connections.release();
        }
    }

    /** A report has one of two connections, and gives it back while others wait. */
    static void connections() throws Exception {
        Thread report = start("report-job", () -> report(800));
        moment();
        join(start("web", 4, () -> handle(20)));
        report.join();
    }

    /** A report has one of two connections, and gives it back when nobody waits. */
    static void lastConnection() throws Exception {
        Thread report = start("report-job", () -> report(2000));
        moment();
        join(start("web", 4, () -> handle(5)));
        report.join();
    }

    private static Integer nested(ExecutorService jobs) throws Exception {
        Thread.sleep(slow(20));
        return jobs.submit(() -> 1).get();
    }

    /** A pool whose tasks wait for its own queue. */
    static void self() throws Exception {
        ExecutorService jobs = pool("job", innocent ? 3 : 2);
        Callable<Integer> task = () -> nested(jobs);
        List<Future<Integer>> all = List.of(jobs.submit(task), jobs.submit(task));
        Thread.sleep(slow(1020));
        loses(all.stream().filter(f -> !f.isDone()).count() * 1_000_000_000);
    }

    private static void poll() throws InterruptedException {
        Thread.sleep(100_000);
    }

    static void leak() throws Exception {
        for (int i = 0; i < slow(120); i++) {
            Thread poller = new Thread(unchecked(Culprits::poll), "poller-" + i);
            poller.setDaemon(true);
            poller.start();
        }
        Thread.sleep(100);
    }

    private static void inner(Object wanted) {
        synchronized (wanted) {
            wanted.hashCode();
        }
    }

    static void deadlock() throws Exception {
        Object[] accounts = {new Object(), new Object()};
        for (int i = 0; i < 2; i++) {
            Object from = accounts[innocent ? 0 : i], to = accounts[innocent ? 1 : 1 - i];
            start("transfer-" + i, () -> {
                synchronized (from) {
                    Thread.sleep(slow(100));
                    inner(to);
                }
            });
        }
        Thread.sleep(slow(500));
    }

    /** Slow tasks occupy a pool while others wait in its queue. */
    static void exhausted() throws Exception {
        ExecutorService web = pool("web", 4);
        Callable<Integer> slow = () -> {
            upload(800);
            return 1;
        };
        for (int i = 0; i < 4; i++) {
            web.submit(slow);
        }
        moment();
        join(start("browser", 5, () -> loses(() -> web.submit(() -> 1).get())));
    }

    private static void fetch(BlockingQueue<Integer> queue) throws InterruptedException {
        Thread.sleep(slow(200));
        queue.add(1);
    }

    /** A consumer waits for a slow producer. */
    static void producer() throws Exception {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        start("producer", () -> {
            for (int i = 0; i < 5; i++) {
                fetch(queue);
            }
        });
        join(start("consumer", 1, () -> {
            for (int i = 0; i < 5; i++) {
                loses(queue::take);
            }
        }));
    }

    /** A task keeps the only thread of a timer, so that periodic tasks are late. */
    static void timer() throws Exception {
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1, named("timer"));
        AtomicInteger runs = new AtomicInteger();
        timer.schedule(() -> { }, 0, TimeUnit.MILLISECONDS).get();
        long[] begin = {0};
        Runnable tick = unchecked(() -> {
            long late = System.nanoTime() - begin[0] - runs.incrementAndGet() * 200_000_000L;
            if (late > 20_000_000) {
                loses(late);
            }
        });
        begin[0] = System.nanoTime();
        timer.scheduleAtFixedRate(tick, 200, 200, TimeUnit.MILLISECONDS);
        Callable<Integer> slow = () -> {
            upload(700);
            return 1;
        };
        timer.schedule(slow, 850, TimeUnit.MILLISECONDS);
        Thread.sleep(slow(1900));
        timer.shutdownNow();
    }

    static void run(Class<?> programs, String[] args) throws Exception {
        virtual = args.length > 2 && args[2].equals("virtual");
        innocent = args[1].equals("innocent");
        for (Method program : programs.getDeclaredMethods()) {
            boolean is = !Modifier.isPrivate(program.getModifiers()) && program.getParameterCount() == 0;
            if (is && (innocent || program.getName().equals(args[1]))) {
                program.invoke(null);
            }
        }
        System.out.println("total " + lost.sum());
    }

    public static void main(String[] args) throws Exception {
        run(Culprits.class, args);
    }
}
