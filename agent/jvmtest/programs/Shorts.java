import java.io.PrintStream;

/**
 * Calls a short method for two seconds, and logs to a file how often: "node main Shorts.add CALLS". With "threads" each of many
 * threads, one after the other, does so 5,000 times and ends.
 */
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
        while (System.nanoTime() - begin < 2_000_000_000L) {
            if (args.length == 1) {
                shorts.round();
                rounds++;
                continue;
            }
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 5; i++) {
                    shorts.round();
                }
            });
            thread.start();
            thread.join();
            rounds += 5;
        }
        try (PrintStream out = new PrintStream(args[0])) {
            out.println("node main Shorts.add " + 1000 * rounds);
        }
        System.out.println("done");
    }
}
