/** Four threads that fight for locks and pass turns to each other: what a program is like that is worth recording. It prints how often each thing happened. */
public class Contended {
    private static final int THREADS = 4, LOCKED = 600_000, TURNS = 60_000;
    private static final Object[] LOCKS = {new Object(), new Object(), new Object()};
    private static final long[] COUNTS = new long[LOCKS.length];
    private static volatile long sink;

    public static void main(String[] args) throws InterruptedException {
        lock();
        int turns = pass();
        System.out.println((COUNTS[0] + COUNTS[1] + COUNTS[2]) + " " + turns);
    }

    /** Each thread takes one lock after the other, and works in it and outside of it. */
    private static void lock() throws InterruptedException {
        Thread[] threads = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int first = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < LOCKED; i++) {
                    int which = (first + i) % LOCKS.length;
                    synchronized (LOCKS[which]) {
                        COUNTS[which]++;
                        work(100);
                    }
                    work(400);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Two pairs of threads wait for each other, by wait and notify. */
    private static int pass() throws InterruptedException {
        int[] turns = new int[THREADS / 2];
        Thread[] threads = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int pair = t / 2, mine = t % 2;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < TURNS; i++) {
                    synchronized (turns) {
                        while (turns[pair] % 2 != mine) {
                            try {
                                turns.wait();
                            } catch (InterruptedException e) {
                                return;
                            }
                        }
                        turns[pair]++;
                        turns.notifyAll();
                    }
                }
            });
            threads[t].start();
        }
        int sum = 0;
        for (Thread thread : threads) {
            thread.join();
        }
        for (int turn : turns) {
            sum += turn;
        }
        return sum;
    }

    private static void work(int times) {
        long x = sink;
        for (int i = 0; i < times; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
        }
        if (x == 42) {
            sink = x;
        }
    }
}
