/** 32 threads that all cause events for a second, for the memory of recording. */
public class Threads {
    private static final int THREADS = 32;
    private static final Object LOCK = new Object();
    private static long count;

    public static void main(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L;
        Thread[] threads = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            threads[t] = new Thread(() -> {
                while (System.nanoTime() < end) {
                    synchronized (LOCK) {
                        count++;
                        LOCK.notify();
                    }
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(count > 0);
    }
}
