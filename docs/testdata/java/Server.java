/** Answers requests as long as its argument says, in seconds, or for one; the answers stall while the backup holds the journal's lock. */
public class Server {
    private static final Object journal = new Object();

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 1;
        for (int i = 1; i <= 2; i++) {
            runForEver("handler-" + i, Server::answer);
        }
        runForEver("backup", Server::back);
        System.out.println("serving");
        Thread.sleep(1000 * seconds);
    }

    private static void runForEver(String name, Runnable work) {
        Thread thread = new Thread(() -> {
            while (true) {
                work.run();
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void answer() {
        synchronized (journal) {
            Thread.yield();
        }
        sleep(2);
    }

    private static void back() {
        synchronized (journal) {
            sleep(20);
        }
        sleep(5);
    }

    private static void sleep(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
