import java.util.concurrent.CountDownLatch;

/**
 * Takes two monitors in different orders, but never at the same time ("inversion"), or one after the other in many threads ("sequence"), in which there is no
 * lock order at all.
 */
public class Inversion {
    static final Object ledger = new Object();
    static final Object vault = new Object();
    static int work;

    public static void main(String[] args) throws InterruptedException {
        if (args[0].equals("inversion")) {
            inOrder("payer", ledger, vault);
            inOrder("auditor", vault, ledger);
        } else {
            oneAfterTheOther(8, 30);
        }
    }

    /** A thread takes both while another one holds the second, and a third one finds the first taken. */
    static void inOrder(String name, Object first, Object second) throws InterruptedException {
        CountDownLatch secondHeld = new CountDownLatch(1);
        CountDownLatch firstHeld = new CountDownLatch(1);
        CountDownLatch bothBlocked = new CountDownLatch(1);
        Thread holder = start(name + "-holder", () -> {
            synchronized (second) {
                secondHeld.countDown();
                await(bothBlocked);
            }
        });
        secondHeld.await();
        Thread thread = start(name, () -> {
            synchronized (first) {
                firstHeld.countDown();
                enter(second);
            }
        });
        firstHeld.await();
        awaitBlocked(thread);
        Thread witness = start(name + "-witness", () -> enter(first));
        awaitBlocked(witness);
        bothBlocked.countDown();
        witness.join();
        thread.join();
        holder.join();
    }

    static void enter(Object monitor) {
        synchronized (monitor) {
            work++;
        }
    }

    /** Threads let go of the one monitor before they want the other, half of them in the other order. */
    static void oneAfterTheOther(int number, int rounds) throws InterruptedException {
        Thread[] threads = new Thread[number];
        for (int i = 0; i < number; i++) {
            Object first = i % 2 == 0 ? ledger : vault;
            Object second = i % 2 == 0 ? vault : ledger;
            threads[i] = start("clerk-" + i, () -> {
                for (int round = 0; round < rounds; round++) {
                    use(first);
                    use(second);
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static void use(Object monitor) {
        synchronized (monitor) {
            pause(1);
        }
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void awaitBlocked(Thread thread) throws InterruptedException {
        while (thread.getState() != Thread.State.BLOCKED) {
            Thread.sleep(1);
        }
        Thread.sleep(20); // the thread is BLOCKED a little before it says so
    }

    static Thread start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.start();
        return thread;
    }

    static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
