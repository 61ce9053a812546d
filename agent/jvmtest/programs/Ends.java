import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A run whose end has a known cause: main's return, a shutdown hook, System.exit or a signal. */
public class Ends {
    static final Object lock = new Object();

    public static void main(String[] args) throws InterruptedException {
        switch (args[1]) {
            case "return" -> leaveLate();
            case "hook" -> {
                addHook();
                waitForHolder();
            }
            case "exit" -> {
                addHook();
                Thread.sleep(300);
                System.exit(7);
            }
            case "signal" -> blockWorkers();
            default -> throw new IllegalArgumentException(args[1]);
        }
    }

    /** A pool's thread sleeps for 400 ms while main returns. */
    static void leaveLate() {
        ExecutorService pool = Executors.newSingleThreadExecutor(task -> new Thread(task, "late"));
        pool.execute(() -> sleep(400));
        pool.shutdown();
    }

    static void addHook() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> sleep(50), "hook"));
    }

    /** The holder sleeps for 990 ms once main is blocked. */
    static void waitForHolder() throws InterruptedException {
        Thread main = Thread.currentThread();
        hold(() -> {
            awaitBlocked(main);
            sleep(990);
        });
        synchronized (lock) {
            lock.notify();
        }
    }

    /** Never ends: worker threads are blocked by a holder that sleeps. */
    static void blockWorkers() throws InterruptedException {
        hold(() -> sleep(600_000));
        for (int i = 0; i < 4; i++) {
            Thread worker = new Thread(() -> {
                synchronized (lock) {
                    lock.notify();
                }
            }, "worker-" + i);
            worker.start();
            awaitBlocked(worker);
        }
        System.out.println("blocked");
    }

    /** Returns once a new thread owns the lock, in which it runs the task. */
    static void hold(Runnable task) throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        new Thread(() -> {
            synchronized (lock) {
                held.countDown();
                task.run();
            }
        }, "holder").start();
        held.await();
    }

    static void awaitBlocked(Thread thread) {
        while (thread.getState() != Thread.State.BLOCKED) {
            sleep(1);
        }
    }

    static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
