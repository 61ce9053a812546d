import java.io.PrintStream;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Threads that wait until another one has initialised a class, in each way that initialises one, beside threads that wait for other things. Its arguments: the
 * file of the truth, then "waits", or "deadlock": two threads wait for each other's class, and the program says "stuck" and ends when it may read a line. The
 * truth has a line for each wait: the waiting thread, the class, the initialising thread, and the times around the wait.
 */
public final class Initialisers {
    static final ConcurrentLinkedQueue<String> TRUTH = new ConcurrentLinkedQueue<>();
    static final Object NOTHING = new Object();
    static final CountDownLatch BOTH = new CountDownLatch(2);
    private static volatile CountDownLatch begun, wanted; // of the pair that is being started

    private Initialisers() { }

    static class Made { static { slowly(); } }

    static class Read { static int value; static { slowly(); } }

    static class Called { static { slowly(); } static void call() { } }

    static class Written { static int value; static { slowly(); } }

    static class Named { static { slowly(); } }

    static class One { static int value; static { meet(); value = Two.value; } }

    static class Two { static int value; static { meet(); value = One.value; } }

    static void meet() {
        BOTH.countDown();
        try {
            BOTH.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Initialises a class for longer than the agent may pause between two looks on a slow machine. */
    static void slowly() {
        CountDownLatch needed = wanted;
        begun.countDown();
        try {
            needed.await();
            Thread.sleep(3000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Has one thread initialise the class and another one wait for it. */
    static Thread[] pair(String name, Runnable use) throws InterruptedException {
        CountDownLatch wants = new CountDownLatch(1);
        begun = new CountDownLatch(1);
        wanted = wants;
        Thread first = new Thread(use, "first-" + name);
        first.start();
        begun.await();
        Thread second = new Thread(() -> {
            long from = Truth.now();
            wants.countDown();
            use.run();
            TRUTH.add("second-" + name + " Initialisers$" + name + " first-" + name + " " + from + " " + Truth.now());
        }, "second-" + name);
        second.start();
        return new Thread[] {first, second};
    }

    static void byName() {
        try {
            Class.forName("Initialisers$Named");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Threads that wait for something else. */
    static void bystanders() {
        start("waiter", () -> {
            synchronized (NOTHING) {
                NOTHING.wait();
            }
        });
        start("timed", () -> {
            for (;;) {
                synchronized (BOTH) {
                    BOTH.wait(30);
                }
            }
        });
        start("sleeper", () -> Thread.sleep(100_000));
        start("joiner", () -> Thread.currentThread().join());
        start("busy", () -> {
            for (;;) {
                Thread.onSpinWait();
            }
        });
    }

    interface Action {
        void run() throws InterruptedException;
    }

    static void start(String name, Action action) {
        Thread thread = new Thread(() -> {
            try {
                action.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws Exception {
        Truth.now();
        bystanders();
        if (args[1].equals("deadlock")) {
            start("payer", () -> One.value++);
            start("auditor", () -> Two.value++);
            System.out.println("stuck");
            System.in.read();
            System.out.println("done");
            return;
        }
        Thread[][] all = {pair("Made", Made::new), pair("Read", () -> Integer.toString(Read.value)), pair("Called", Called::call),
            pair("Written", () -> Written.value = 1)};
        for (Thread[] pair : all) {
            for (Thread thread : pair) {
                thread.join();
            }
        }
        for (Thread thread : pair("Named", Initialisers::byName)) { // alone: the instruction does not name the class
            thread.join();
        }
        try (PrintStream out = new PrintStream(args[0], "UTF-8")) {
            TRUTH.forEach(out::println);
        }
        System.out.println("done");
    }
}
