/** Threads call a method again and again, 3,000,003 calls in all, faster than they can be written. */
public final class Loops {
    private long sum;

    private Loops() { }

    private long add(int n) {
        sum += n ^ sum << 3;
        return sum;
    }

    private void run() {
        for (int i = 0; i < 1_000_000; i++) {
            add(i);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(new Loops()::run, "loop-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
