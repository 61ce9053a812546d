import java.util.concurrent.CountDownLatch;

/** A program that ends in the given way, while daemon threads go on. */
public class Endings {
    static final Object lock = new Object();

    public static void main(String[] args) throws InterruptedException {
        Truth.reports(args, "start", "thread");
        CountDownLatch ready = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            Thread daemon = Truth.thread("daemon-" + i, () -> spin(ready));
            if (!Truth.virtual()) {
                daemon.setDaemon(true);
            }
            Truth.start(daemon);
        }
        ready.await();
        Truth.pause(50_000);
        System.out.println("ending by " + args[2]);
        System.out.flush();
        Truth.print();
        switch (args[2]) {
            case "return" -> { }
            case "exit" -> System.exit(7);
            case "hook" -> exitWithHook();
            case "halt" -> Runtime.getRuntime().halt(9);
            case "uncaught" -> throw new IllegalStateException("nobody catches this");
            case "other" -> new Thread(() -> System.exit(11), "other").start();
            default -> throw new IllegalArgumentException(args[2]);
        }
    }

    /** Never ends; fights for a monitor all the time. */
    static void spin(CountDownLatch ready) {
        for (long n = 0;; n++) {
            synchronized (lock) {
                lock.notify();
            }
            if (n == 1000) {
                ready.countDown();
            }
        }
    }

    static void exitWithHook() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("the hook ran"), "hook"));
        System.exit(3);
    }
}
