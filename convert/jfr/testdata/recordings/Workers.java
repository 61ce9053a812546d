import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Workers do all that a recording tells of threads: they are blocked, wait, are notified, run out of time, sleep, park, join and end. It is for any JDK since 8. */
public class Workers {
    static class Desk {}

    static final Desk desk = new Desk();
    static final ReentrantLock lock = new ReentrantLock();

    static void work() {
        try {
            for (int i = 0; i < 10; i++) {
                synchronized (desk) {
                    Thread.sleep(4);
                    desk.wait(3);
                }
                lock.lock();
                try {
                    Thread.sleep(2);
                } finally {
                    lock.unlock();
                }
            }
            synchronized (desk) {
                desk.notifyAll();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread[] workers = new Thread[4];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Thread(Workers::work, "wörker-" + i);
            workers[i].start();
        }
        Thread waiting = new Thread(() -> {
            synchronized (desk) {
                try {
                    desk.wait();
                } catch (InterruptedException e) {
                    LockSupport.parkNanos(desk, 1_000_000);
                }
            }
        }, "waiting </script>");
        waiting.start();
        for (Thread worker : workers) {
            worker.join();
        }
        System.gc();
        waiting.interrupt();
        waiting.join();
        LockSupport.parkNanos(desk, 2_000_000);
    }
}
