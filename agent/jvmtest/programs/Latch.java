import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;

/**
 * Very many threads wait for one latch, which opens when all of them do. The file of the truth has their number. Its arguments: the file, then "virtual" for virtual
 * threads, then how many there are.
 */
public final class Latch {
    private Latch() { }

    public static void main(String[] args) throws Exception {
        boolean virtual = args[1].equals("virtual");
        Thread[] threads = new Thread[Integer.parseInt(args[2])];
        CountDownLatch latch = new CountDownLatch(1);
        Runnable wait = () -> {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        for (int i = 0; i < threads.length; i++) {
            threads[i] = virtual ? Truth.virtual("waiter-" + i, wait) : new Thread(wait, "waiter-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
        latch.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        try (PrintStream out = new PrintStream(args[0], "UTF-8")) {
            out.println(threads.length);
        }
        System.out.println("done");
    }
}
