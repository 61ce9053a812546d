import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Threads that fight for two monitors as fast as they can, and others that hold one of six for a while. The previous owner is known exactly. A running thread
 * may enter a monitor before those that are blocked.
 */
public class Hot {
    private static long count;

    public static void main(String[] args) throws InterruptedException {
        Truth.reports(args, "barging");
        Monitor[] monitors = {new Monitor.Red(), new Monitor.Green()};
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Truth.start(Truth.thread("hot-" + i, () -> {
                for (int n = 0; n < 50_000; n++) {
                    Monitor monitor = monitors[n % 64 / 63];
                    long wanted = monitor.wanted();
                    synchronized (monitor) {
                        monitor.entered(wanted);
                        count++;
                    }
                }
            })));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        busy(150);
        System.out.println("done " + (count > 150_000));
        Truth.print();
    }

    /** Many threads that hold a monitor for a while, at random. */
    static void busy(int times) throws InterruptedException {
        Monitor[] monitors = Monitor.all();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Random random = new Random(i);
            threads.add(Truth.start(Truth.thread("busy-" + i, () -> {
                for (int n = 0; n < times; n++) {
                    Monitor monitor = monitors[random.nextInt(monitors.length)];
                    long wanted = monitor.wanted();
                    synchronized (monitor) {
                        monitor.entered(wanted);
                        Truth.pause(100 + random.nextInt(500));
                        monitor.look();
                    }
                    Truth.pause(random.nextInt(300));
                }
            })));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
