/** Two threads that call notify without waiters as fast as they can, for the highest rate of events. It prints their number and time. */
public class Notify {
    private static final int THREADS = 2, TIMES = 20_000_000;

    public static void main(String[] args) throws InterruptedException {
        long begin = System.nanoTime();
        Thread[] threads = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            threads[t] = new Thread(() -> {
                Object mine = new Object();
                synchronized (mine) {
                    for (int i = 0; i < TIMES; i++) {
                        mine.notify();
                    }
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.printf("%.2f million a second%n", THREADS * (long) TIMES * 1e3 / (System.nanoTime() - begin));
    }
}
