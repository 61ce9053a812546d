/**
 * Prints how many nanoseconds a call in a loop takes, and a reading of the clock: the least of many short
 * loops, which other load of the machine affects least.
 */
public final class Calls {
    private static final int CALLS = 10_000;
    private long sum;

    private Calls() { }

    private long call(int n) {
        sum += n ^ sum << 3;
        return sum;
    }

    private double calls() {
        long begin = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            call(i);
        }
        return (double) (System.nanoTime() - begin) / CALLS;
    }

    private double clocks() {
        long begin = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            sum += System.nanoTime();
        }
        return (double) (System.nanoTime() - begin) / CALLS;
    }

    public static void main(String[] args) {
        Calls calls = new Calls();
        double call = Double.MAX_VALUE, clock = Double.MAX_VALUE;
        for (int i = 0; i < 2000; i++) {
            call = Math.min(call, calls.calls());
            clock = Math.min(clock, calls.clocks());
        }
        System.out.println(call + " " + clock + (calls.sum == 42 ? " " : ""));
    }
}
