import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that hold monitors while they sleep, park or wait for a lock, some of them platform threads. Each round has new monitors, whose first
 * holder has entered them without contention. The file of the truth has a line for each time that a
 * thread held a monitor: "CLASS ID ASKED FROM TO GONE", as the lines of Barging. Its arguments: the file, then "virtual" for virtual threads, then the rounds of each thread.
 */
public final class MonitorHolders {
    private static final int THREADS = 30, PLATFORM = 5, LONGEST = 200;

    private volatile Monitor[] monitors;
    private final CyclicBarrier round = new CyclicBarrier(THREADS, () -> monitors = Monitor.all());
    private final ReentrantLock lock = new ReentrantLock();
    private final List<List<String>> logs = new ArrayList<>();

    private MonitorHolders() { }

    @SuppressWarnings("deprecation") // threadId is newer than JDK 17
    private static long id() {
        return Thread.currentThread().getId();
    }

    /** Passes up to the milliseconds in one of the ways. */
    private void pass(int way, int millis) throws InterruptedException {
        switch (way) {
            case 0 -> Thread.sleep(millis);
            case 1 -> LockSupport.parkNanos(millis * 1_000_000L);
            case 2 -> {
                lock.lock();
                try {
                    Thread.sleep(millis / 10);
                } finally {
                    lock.unlock();
                }
            }
            default -> {
                for (long end = System.nanoTime() + millis * 10_000L; System.nanoTime() < end;) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private void await() {
        try {
            round.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    private void hold(int me, int rounds) {
        Random random = new Random(me);
        for (int i = 0; i < rounds; i++) {
            await();
            Monitor monitor = monitors[random.nextInt(monitors.length)];
            long asked = Truth.now(), from, to;
            synchronized (monitor) {
                from = Truth.now();
                try {
                    pass(random.nextInt(4), random.nextInt(LONGEST));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                to = Truth.now();
            }
            logs.get(me).add(monitor.getClass().getName() + " " + id() + " " + asked + " " + from + " " + to + " " + Truth.now());
        }
    }

    private void run(boolean virtual, int rounds) throws Exception {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int me = i;
            logs.add(new ArrayList<>());
            Runnable run = () -> hold(me, rounds);
            threads[i] = virtual && i >= PLATFORM ? Truth.virtual("holder-" + me, run) : new Thread(run, "holder-" + me);
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    public static void main(String[] args) throws Exception {
        MonitorHolders program = new MonitorHolders();
        program.run(args[1].equals("virtual"), Integer.parseInt(args[2]));
        try (PrintStream out = new PrintStream(args[0], "UTF-8")) {
            program.logs.forEach(log -> log.forEach(out::println));
        }
        System.out.println("done");
    }
}
