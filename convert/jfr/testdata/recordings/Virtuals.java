import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads sleep, wait, are blocked and park, also where they cannot leave their carrier. It is for any JDK since 21. */
public class Virtuals {
    static class Desk {}

    static final Desk desk = new Desk();
    static final ReentrantLock lock = new ReentrantLock();

    static void work() {
        try {
            for (int i = 0; i < 5; i++) {
                synchronized (desk) {
                    Thread.sleep(3);
                }
                lock.lock();
                try {
                    Thread.sleep(2);
                } finally {
                    lock.unlock();
                }
                synchronized (desk) {
                    desk.wait(4);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] arguments) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Thread.Builder builder = i < 3 ? Thread.ofVirtual().name("worker-" + i) : Thread.ofVirtual();
            threads.add(builder.start(Virtuals::work));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
