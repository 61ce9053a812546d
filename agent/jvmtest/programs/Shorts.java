import java.io.PrintStream;

/** Calls a short method for two seconds, and logs to a file how often: "node main Shorts.add CALLS". */
public final class Shorts {
    private long sum;

    private Shorts() { }

    private long add(int n) {
        sum += n ^ sum << 3;
        return sum;
    }

    private void round() {
        for (int i = 0; i < 1000; i++) {
            add(i);
        }
    }

    public static void main(String[] args) throws Exception {
        Shorts shorts = new Shorts();
        long begin = System.nanoTime(), rounds = 0;
        for (; System.nanoTime() - begin < 2_000_000_000L; rounds++) {
            shorts.round();
        }
        try (PrintStream out = new PrintStream(args[0])) {
            out.println("node main Shorts.add " + 1000 * rounds);
        }
        System.out.println("done");
    }
}
