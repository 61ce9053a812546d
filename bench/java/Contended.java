import java.util.ArrayDeque;

/**
 * Four threads that need the same two locks for half of their time, and then pass tasks to each other through a queue that is often full or empty: a typical
 * program to record.
 */
public class Contended {
    private static final int THREADS = 4, LOCKED = 6_000, ITEMS = 20_000, CAPACITY = 8;
    private static final Object[] LOCKS = {new Object(), new Object()};
    private static final long[] COUNTS = new long[LOCKS.length];
    private static final ArrayDeque<Integer> QUEUE = new ArrayDeque<>();
    private static volatile long sink;

    public static void main(String[] args) throws InterruptedException {
        run(Contended::lock);
        run(thread -> {
            if (thread % 2 == 0) {
                produce();
            } else {
                consume();
            }
        });
        System.out.println(COUNTS[0] + COUNTS[1] + " " + QUEUE.size());
    }

    private interface Part {
        void play(int thread) throws InterruptedException;
    }

    private static void run(Part part) throws InterruptedException {
        Thread[] threads = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int number = t;
            threads[t] = new Thread(() -> {
                try {
                    part.play(number);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void lock(int thread) {
        for (int i = 0; i < LOCKED; i++) {
            int which = (thread + i) % LOCKS.length;
            synchronized (LOCKS[which]) {
                COUNTS[which]++;
                work(40);
            }
            work(40);
        }
    }

    private static void produce() throws InterruptedException {
        for (int i = 0; i < ITEMS; i++) {
            work(20);
            synchronized (QUEUE) {
                while (QUEUE.size() == CAPACITY) {
                    QUEUE.wait();
                }
                QUEUE.add(i);
                QUEUE.notifyAll();
            }
        }
    }

    private static void consume() throws InterruptedException {
        for (int i = 0; i < ITEMS; i++) {
            synchronized (QUEUE) {
                while (QUEUE.isEmpty()) {
                    QUEUE.wait();
                }
                QUEUE.remove();
                QUEUE.notifyAll();
            }
            work(20);
        }
    }

    /** Computes for about this number of microseconds. */
    private static void work(int micros) {
        long x = sink + 88172645463325252L;
        for (int i = 0; i < micros * 400; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        if (x == 42) {
            sink = x;
        }
    }
}
