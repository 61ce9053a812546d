import java.lang.management.ManagementFactory;

/**
 * Allocates arrays in one thread, at a depth of 16 calls, and prints the thread's CPU time of each in nanoseconds.
 * Arguments: how many thousands, their length in bytes, and how many rounds of computing there are for each.
 */
public class Allocating {
    static byte[] last;
    static long sum;

    static void deep(int frames, long count, int length, int computing) {
        if (frames > 1) {
            deep(frames - 1, count, length, computing);
            return;
        }
        long mixed = 1;
        for (long i = 0; i < count; i++) {
            last = new byte[length];
            for (int j = 0; j < computing; j++) {
                mixed ^= mixed << 13;
                mixed ^= mixed >>> 7;
                mixed ^= mixed << 17;
            }
        }
        sum += mixed;
    }

    public static void main(String[] args) {
        long thousands = Long.parseLong(args[0]);
        int length = Integer.parseInt(args[1]), computing = Integer.parseInt(args[2]);
        for (int i = 0; i < 100; i++) {
            deep(15, 20_000, length, computing); // compiled by now; main is a frame, too
        }
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        deep(15, thousands * 1000, length, computing);
        long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin;
        System.out.printf("%.1f%n", took / 1e3 / thousands);
        if (sum == 42) System.out.println(last);
    }
}
