import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Threads that are started in every possible way, by several threads at once. */
public class Starts {
    public static void main(String[] args) throws Exception {
        Truth.reports(args, "start");
        List<Thread> started = new ArrayList<>();
        ways(started);
        if (Truth.virtual()) {
            builders(started);
        } else {
            overriding(started);
            pools();
            timer();
        }
        crowd(started);
        chain(started);
        for (Thread thread : started) {
            thread.join();
        }
        System.out.println("started " + started.size());
        Truth.print();
    }

    /** Directly, by a method reference, and by reflection. */
    static void ways(List<Thread> started) throws Exception {
        started.add(Truth.start(Truth.thread("direct", () -> { })));
        Thread byReference = Truth.thread("byReference", () -> { });
        Runnable reference = byReference::start;
        started.add(Truth.start(byReference, reference));
        Thread byReflection = Truth.thread("byReflection", () -> { });
        Method start = Thread.class.getMethod("start");
        started.add(Truth.start(byReflection, () -> {
            try {
                start.invoke(byReflection);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }));
    }

    /** Subclasses that start themselves in their own way. */
    static class Eager extends Thread {
        Eager(String name) {
            super(Truth.logged(() -> { }), name);
        }

        @Override
        public synchronized void start() {
            setDaemon(false);
            super.start();
        }
    }

    static final class Refusing extends Thread {
        @Override
        public void start() {
            // it is never started
        }
    }

    static void overriding(List<Thread> started) {
        started.add(Truth.start(new Eager("overriding")));
        started.add(Truth.start(new Eager("overridingTwice") {
            @Override
            public synchronized void start() {
                super.start();
            }
        }));
        new Refusing().start();
        Thread once = started.get(0);
        try {
            once.start();
        } catch (IllegalThreadStateException e) {
            System.out.println("no thread starts twice");
        }
    }

    /** A pool's thread is started by the thread that creates it: the start begins with the creation and ends when the thread runs. */
    static ThreadFactory factory(String name) {
        return task -> {
            long begin = Truth.now();
            Thread thread = new Thread(Truth.logged(task::run), name);
            Truth.started(begin, thread);
            return thread;
        };
    }

    static final class Worker extends ForkJoinWorkerThread {
        Worker(ForkJoinPool pool) {
            super(pool);
        }

        @Override
        protected void onStart() {
            Truth.log().add(Truth.RUN, Truth.now(), null, 0, 0, 0);
        }
    }

    static ForkJoinWorkerThread worker(ForkJoinPool pool) {
        long begin = Truth.now();
        Worker worker = new Worker(pool);
        worker.setName("forkJoin");
        Truth.started(begin, worker);
        return worker;
    }

    static void pools() throws InterruptedException {
        ScheduledExecutorService scheduled = Executors.newScheduledThreadPool(3, factory("scheduled"));
        CountDownLatch rounds = new CountDownLatch(6);
        scheduled.scheduleAtFixedRate(rounds::countDown, 0, 3, TimeUnit.MILLISECONDS);
        scheduled.schedule(rounds::countDown, 5, TimeUnit.MILLISECONDS);
        rounds.await();
        drain(scheduled, 1);
        drain(Executors.newFixedThreadPool(4, factory("fixed")), 8);
        drain(Executors.newCachedThreadPool(factory("cached")), 8);
        drain(Executors.newSingleThreadExecutor(factory("single")), 2);
        drain(new ForkJoinPool(4, Starts::worker, null, true), 20);
    }

    static void drain(ExecutorService pool, int tasks) throws InterruptedException {
        for (int i = 0; i < tasks; i++) {
            pool.submit(() -> Truth.pause(300));
        }
        pool.shutdown();
        pool.awaitTermination(10, TimeUnit.SECONDS);
    }

    /** The thread of a Timer is started by the thread that creates the Timer. */
    static void timer() {
        AtomicReference<Thread> thread = new AtomicReference<>();
        long begin = Truth.now();
        Timer timer = new Timer("timer");
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                Truth.log().add(Truth.RUN, Truth.now(), null, 0, 0, 0);
                thread.set(Thread.currentThread());
            }
        }, 1);
        Truth.until(() -> thread.get() != null);
        Truth.started(begin, thread.get());
        timer.cancel();
    }

    /** The ways that virtual threads add: Thread.startVirtualThread, and an executor with a thread for each task. */
    static void builders(List<Thread> started) throws ReflectiveOperationException, InterruptedException {
        AtomicReference<Thread> thread = new AtomicReference<>();
        Runnable task = Truth.logged(() -> thread.set(Thread.currentThread()));
        Method startVirtual = Thread.class.getMethod("startVirtualThread", Runnable.class);
        long begin = Truth.now();
        startVirtual.invoke(null, task);
        Truth.until(() -> thread.get() != null);
        Truth.started(begin, thread.get());
        started.add(thread.get());

        ThreadFactory factory = runnable -> {
            long made = Truth.now();
            Thread virtual = Truth.thread("perTask", runnable::run);
            Truth.started(made, virtual);
            return virtual;
        };
        Method perTask = Executors.class.getMethod("newThreadPerTaskExecutor", ThreadFactory.class);
        drain((ExecutorService) perTask.invoke(null, factory), 10);
    }

    /** Four threads that start many at the same time. */
    static void crowd(List<Thread> started) {
        CountDownLatch ready = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
            int starter = i;
            Thread thread = Truth.thread("starter-" + i, () -> {
                ready.countDown();
                ready.await();
                List<Thread> children = new ArrayList<>();
                for (int n = 0; n < 25; n++) {
                    children.add(Truth.start(Truth.thread("child-" + starter + "-" + n, () -> { })));
                }
                for (Thread child : children) {
                    child.join();
                }
            });
            started.add(Truth.start(thread));
        }
    }

    /** Each is started by the one before, and by no other: children that outlive their parents. */
    static void chain(List<Thread> started) throws InterruptedException {
        CountDownLatch end = new CountDownLatch(30);
        started.add(Truth.start(link(end)));
        end.await();
    }

    static Thread link(CountDownLatch end) {
        return Truth.thread("link-" + end.getCount(), () -> {
            end.countDown();
            if (end.getCount() > 0) {
                Truth.start(link(end));
            }
        });
    }
}
