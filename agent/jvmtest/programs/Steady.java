import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that keep their states until standard input is closed: blocked, waiting, sleeping, joining, parked. */
public class Steady {
    static final Monitor RED = new Monitor.Red();
    static final Monitor GREEN = new Monitor.Green();
    static final Monitor BLUE = new Monitor.Blue();
    static final ReentrantLock LOCK = new ReentrantLock();

    public static void main(String[] args) throws Exception {
        Thread holder = start("holder", () -> {
            synchronized (RED) {
                Thread.sleep(600_000);
            }
        });
        await(holder, Thread.State.TIMED_WAITING);
        await(start("blocked", () -> {
            synchronized (RED) {
                System.out.println("never");
            }
        }), Thread.State.BLOCKED);
        await(start("waiter", () -> {
            synchronized (GREEN) {
                GREEN.wait();
            }
        }), Thread.State.WAITING);
        await(start("patient", () -> {
            synchronized (BLUE) {
                BLUE.wait(600_000);
            }
        }), Thread.State.TIMED_WAITING);
        await(start("joiner", holder::join), Thread.State.WAITING);
        await(start("parked", () -> LockSupport.park(GREEN)), Thread.State.WAITING);
        await(start("locker", () -> {
            LOCK.lock();
            Thread.sleep(600_000);
        }), Thread.State.TIMED_WAITING);
        await(start("queued", LOCK::lock), Thread.State.WAITING);
        System.out.println("steady");
        System.in.read();
        Runtime.getRuntime().halt(0);
    }

    static Thread start(String name, Truth.Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void await(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) {
            Thread.sleep(1);
        }
    }
}
