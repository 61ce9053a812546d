import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Workers that hold one lock in turn, for 10 ms each. */
public class Convoy {
    static final int WORKERS = 20;
    static final Object lock = new Object();
    static final AtomicInteger alive = new AtomicInteger(WORKERS);
    static volatile int entered;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(WORKERS);
        Thread[] workers = new Thread[WORKERS];
        for (int i = 0; i < WORKERS; i++) {
            workers[i] = new Thread(() -> work(ready), "worker-" + i);
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }

    static void work(CountDownLatch ready) {
        try {
            ready.countDown();
            ready.await();
            for (int round = 0; round < 10; round++) {
                hold();
            }
            alive.decrementAndGet();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns once another worker has entered, or no other is left: none can enter twice while others wait. */
    static void hold() throws InterruptedException {
        int number;
        synchronized (lock) {
            number = entered + 1;
            entered = number;
            Thread.sleep(10);
        }
        while (entered == number && alive.get() > 1) {
            Thread.sleep(1);
        }
    }
}
