import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A pool's workers sleep for 50 ms; 450 ms later shutdownNow interrupts them, which wait for tasks then. */
public class Pool {
    static final int WORKERS = 4;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch slept = new CountDownLatch(WORKERS);
        ExecutorService pool = Executors.newFixedThreadPool(WORKERS);
        for (int i = 0; i < WORKERS; i++) {
            pool.execute(() -> {
                try {
                    Thread.sleep(50);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                slept.countDown();
            });
        }
        slept.await();
        Thread.sleep(450);
        pool.shutdownNow();
    }
}
