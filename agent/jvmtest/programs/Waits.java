import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Threads that wait and are notified: one and several, all, none; waits that time out. */
public class Waits {
    public static void main(String[] args) throws InterruptedException {
        Truth.reports(args, "notify", "notifyAll", "timeout", "barging", "callNotify");
        for (int round = 0; round < 20; round++) {
            inTurn(new Monitor.Red(), 4);
            beforeReleasing(new Monitor.Green(), 5);
            all(new Monitor.Blue(), 5);
        }
        nobody(new Monitor.Black());
        times(new Monitor.White());
        crowdedTimes(new Monitor.Grey());
        queue(new Monitor.Red());
        System.out.println("done");
        Truth.print();
    }

    /** Threads that wait one after the other, some with long timeouts. */
    static List<Thread> waiters(Monitor monitor, int number) {
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            long millis = i % 2 * 60_000L;
            waiters.add(Truth.start(Truth.thread("waiter-" + i, () -> {
                long wanted = monitor.wanted();
                synchronized (monitor) {
                    monitor.entered(wanted);
                    monitor.await(millis);
                }
            })));
            int now = i + 1;
            Truth.until(() -> waiting(monitor) == now);
        }
        return waiters;
    }

    static int waiting(Monitor monitor) {
        long wanted = monitor.wanted();
        synchronized (monitor) {
            monitor.entered(wanted);
            return monitor.waiters();
        }
    }

    static void wake(Monitor monitor, int times, boolean all) {
        long wanted = monitor.wanted();
        synchronized (monitor) {
            monitor.entered(wanted);
            for (int i = 0; i < times; i++) {
                monitor.wake(all);
            }
        }
    }

    static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Each notification is over before the next. */
    static void inTurn(Monitor monitor, int number) throws InterruptedException {
        List<Thread> waiters = waiters(monitor, number);
        for (int left = number; left > 0; left--) {
            int now = left - 1;
            wake(monitor, 1, false);
            Truth.until(() -> waiting(monitor) == now);
        }
        join(waiters);
    }

    /** Several notifications, and one without a waiter, before the monitor is free. */
    static void beforeReleasing(Monitor monitor, int number) throws InterruptedException {
        List<Thread> waiters = waiters(monitor, number);
        wake(monitor, number - 1, false);
        Truth.until(() -> waiting(monitor) == 1);
        wake(monitor, 2, false);
        join(waiters);
    }

    static void all(Monitor monitor, int number) throws InterruptedException {
        List<Thread> waiters = waiters(monitor, number);
        wake(monitor, 2, true);
        join(waiters);
    }

    static void nobody(Monitor monitor) {
        for (int i = 0; i < 20; i++) {
            wake(monitor, 1, i % 2 == 0);
        }
    }

    /** Waits that time out: with short timeouts, some below a millisecond. */
    static void times(Monitor monitor) throws InterruptedException {
        long wanted = monitor.wanted();
        synchronized (monitor) {
            monitor.entered(wanted);
            for (int millis = 1; millis <= 20; millis++) {
                monitor.await(millis);
            }
            for (int nanos = 1; nanos < 1_000_000; nanos += 200_000) {
                int few = nanos;
                monitor.await(1, () -> monitor.wait(0, few)); // it is rounded up to a millisecond
            }
        }
    }

    /** The same by several threads at once, which then block on the monitor. */
    static void crowdedTimes(Monitor monitor) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            threads.add(Truth.start(Truth.thread("impatient-" + i, () -> {
                for (int n = 0; n < 10; n++) {
                    long wanted = monitor.wanted();
                    synchronized (monitor) {
                        monitor.entered(wanted);
                        monitor.await(5);
                    }
                }
            })));
        }
        join(threads);
    }

    /** Producers and consumers. */
    static void queue(Monitor monitor) throws InterruptedException {
        ArrayDeque<Integer> items = new ArrayDeque<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            threads.add(Truth.start(Truth.thread("consumer-" + i, () -> consume(monitor, items))));
        }
        for (int i = 0; i < 2; i++) {
            threads.add(Truth.start(Truth.thread("producer-" + i, () -> produce(monitor, items))));
        }
        join(threads);
    }

    static void produce(Monitor monitor, ArrayDeque<Integer> items) {
        for (int i = 0; i < 150; i++) {
            long wanted = monitor.wanted();
            synchronized (monitor) {
                monitor.entered(wanted);
                items.add(i);
                monitor.wake(i % 10 == 0);
            }
            Truth.pause(i % 3 * 300);
        }
    }

    static void consume(Monitor monitor, ArrayDeque<Integer> items) throws InterruptedException {
        for (int taken = 0; taken < 100; taken++) {
            long wanted = monitor.wanted();
            synchronized (monitor) {
                monitor.entered(wanted);
                while (items.isEmpty()) {
                    monitor.await(0);
                }
                items.remove();
            }
        }
    }
}
