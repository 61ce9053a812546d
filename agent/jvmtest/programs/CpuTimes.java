import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Threads compute and sleep in turn, and log to a file: "cpu ID NANOS", the thread's CPU time by the JVM's own measurement before its last sleep. Another one
 * only computes, until the JVM ends: "busy ID NANOS" is its CPU time before. Its argument: the file.
 */
public final class CpuTimes {
    private static final int THREADS = 3, TURNS = 3, MILLIS = 30;
    private static final ThreadMXBean THREAD_BEAN = ManagementFactory.getThreadMXBean();

    private CpuTimes() { }

    private static long used() {
        return THREAD_BEAN.getCurrentThreadCpuTime();
    }

    private static void work(long[] last) {
        try {
            for (int turn = 0; turn < TURNS; turn++) {
                long until = used() + MILLIS * 1_000_000L;
                while (used() < until) {
                    Thread.onSpinWait();
                }
                last[0] = used();
                Thread.sleep(MILLIS);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("deprecation") // threadId is newer than JDK 17
    public static void main(String[] args) throws Exception {
        used();
        Thread[] threads = new Thread[THREADS];
        long[][] last = new long[THREADS][1];
        for (int i = 0; i < THREADS; i++) {
            long[] mine = last[i];
            threads[i] = new Thread(() -> work(mine));
            threads[i].start();
        }
        Thread busy = new Thread(() -> {
            while (used() >= 0) {
                Thread.onSpinWait();
            }
        });
        busy.setDaemon(true);
        busy.start();
        for (Thread thread : threads) {
            thread.join();
        }
        try (PrintStream out = new PrintStream(args[0])) {
            for (int i = 0; i < THREADS; i++) {
                out.println("cpu " + threads[i].getId() + " " + last[i][0]);
            }
            out.println("busy " + busy.getId() + " " + THREAD_BEAN.getThreadCpuTime(busy.getId()));
        }
        System.out.println("done");
    }
}
