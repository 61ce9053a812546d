import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Threads that do anything at any time: hold, wait, notify, sleep, interrupt, start and join. Its argument is the random seed. */
public class Mix {
    private static final Monitor[] monitors = Monitor.all();
    private static Thread[] threads;

    public static void main(String[] args) throws InterruptedException {
        Truth.reports(args, "start", "callStart", "notify", "notifyAll", "join", "interrupt", "timeout", "sleep", "barging", "deadlock", "callNotify",
            "callInterrupt", "thread");
        long seed = Long.parseLong(args[2]);
        threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            Random random = new Random(seed * 100 + i);
            threads[i] = Truth.thread("mixer-" + i, () -> mix(random));
        }
        for (Thread thread : threads) {
            Truth.start(thread);
        }
        for (Thread thread : threads) {
            Truth.until(() -> !thread.isAlive());
        }
        for (Thread thread : threads) {
            Truth.join(thread);
        }
        System.out.println("done");
        Truth.print();
    }

    static void mix(Random random) {
        Truth.until(() -> threads[threads.length - 1].isAlive());
        for (int n = 0; n < 400; n++) {
            try {
                step(random);
            } catch (InterruptedException e) {
                Truth.pause(random.nextInt(200));
            }
        }
    }

    static void step(Random random) throws InterruptedException {
        Monitor monitor = monitors[random.nextInt(monitors.length)];
        switch (random.nextInt(24)) {
            case 0 -> Truth.sleep(random.nextInt(3));
            case 1 -> Truth.interrupt(threads[random.nextInt(threads.length)]);
            case 2 -> Truth.clear();
            case 3 -> child(random);
            case 4, 5, 6, 7, 8 -> wait(monitor, random);
            case 9, 10, 11 -> wake(monitor, true, random);
            case 12, 13, 14, 15, 16 -> wake(monitor, false, random);
            default -> hold(monitor, random);
        }
        Truth.pause(random.nextInt(200));
    }

    /** Starts a thread, and joins it sooner or later. */
    static void child(Random random) throws InterruptedException {
        int life = random.nextInt(2000);
        Thread child = Truth.start(Truth.thread("child", () -> Truth.pause(life)));
        Truth.pause(random.nextInt(1000));
        if (random.nextBoolean()) {
            Truth.join(child);
        } else {
            Truth.join(child, 1);
        }
    }

    static void hold(Monitor monitor, Random random) {
        long wanted = monitor.wanted();
        synchronized (monitor) {
            monitor.entered(wanted);
            Truth.pause(random.nextInt(300));
            monitor.look();
        }
    }

    /** All waits have timeouts, since the other threads may have ended. */
    static void wait(Monitor monitor, Random random) throws InterruptedException {
        long wanted = monitor.wanted();
        synchronized (monitor) {
            monitor.entered(wanted);
            monitor.await(1 + random.nextInt(20));
        }
    }

    static void wake(Monitor monitor, boolean all, Random random) {
        long wanted = monitor.wanted();
        synchronized (monitor) {
            monitor.entered(wanted);
            for (int times = random.nextInt(3); times >= 0; times--) {
                monitor.wake(all);
            }
            Truth.pause(random.nextInt(100));
        }
    }
}
