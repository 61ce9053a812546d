import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Two threads that compute: the first one mostly in often, the second one in seldom alone, and ends before. */
public class Spins {
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private static volatile long count;

    public static void main(String[] args) throws InterruptedException {
        Thread second = new Thread(() -> seldom(200), "second");
        second.start();
        Thread first = new Thread(() -> {
            for (int i = 0; i < 10; i++) {
                often(80);
                seldom(20);
            }
        }, "first");
        first.start();
        second.join();
        first.join();
        System.out.println("done");
    }

    /** Computes for so many milliseconds of a processor. */
    static void often(long millis) {
        long end = CLOCK.getCurrentThreadCpuTime() + millis * 1_000_000;
        while (CLOCK.getCurrentThreadCpuTime() < end) {
            add();
        }
    }

    static void seldom(long millis) {
        long end = CLOCK.getCurrentThreadCpuTime() + millis * 1_000_000;
        while (CLOCK.getCurrentThreadCpuTime() < end) {
            add();
        }
    }

    private static void add() {
        for (int i = 0; i < 10_000; i++) {
            count++;
        }
    }
}
