import java.io.PrintStream;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Parks in ways whose elements in the trace are known, and writes to a file: "parks ID COUNT" for a thread that has parked so often without a blocker, "lock
 * WAITER OWNER" for a thread that was blocked on a lock, and "signal SIGNALLER WAITER" for one that waited for a condition of it. Its arguments: the file, then
 * "virtual" for virtual threads, then how often each of two threads has the turn.
 */
public final class Parks {
    private static volatile int turn;
    private static boolean virtual;
    private static int turns = 2000;

    private Parks() { }

    private static Thread start(Runnable work) throws Exception {
        if (virtual) {
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
        }
        Thread thread = new Thread(work);
        thread.start();
        return thread;
    }

    @SuppressWarnings("deprecation") // threadId is newer than JDK 17
    private static long id(Thread thread) {
        return thread.getId();
    }

    /** Two threads pass the turn to each other. */
    private static void turns(PrintStream out) throws Exception {
        Thread[] threads = new Thread[2];
        int[] parks = new int[2];
        for (int i = 0; i < 2; i++) {
            int me = i;
            threads[i] = start(() -> {
                while (turn < 0) {
                    Thread.onSpinWait();
                }
                for (int n = 0; n < turns; n++) {
                    while (turn % 2 != me) {
                        parks[me]++;
                        LockSupport.park();
                    }
                    turn++;
                    LockSupport.unpark(threads[1 - me]);
                }
            });
        }
        turn = 0;
        for (int i = 0; i < 2; i++) {
            threads[i].join();
            out.println("parks " + id(threads[i]) + " " + parks[i]);
        }
    }

    /** A thread gets a lock from this one, waits for a condition and is signalled. */
    private static void locks(PrintStream out) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition ready = lock.newCondition();
        lock.lock();
        Thread waiter = start(() -> {
            lock.lock();
            try {
                ready.awaitUninterruptibly();
            } finally {
                lock.unlock();
            }
        });
        while (!lock.hasQueuedThread(waiter) || waiter.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        Thread.sleep(10);
        lock.unlock();
        for (boolean waits = false; !waits; Thread.sleep(1)) {
            lock.lock();
            waits = lock.hasWaiters(ready);
            lock.unlock();
        }
        Thread.sleep(10);
        lock.lock();
        ready.signal();
        lock.unlock();
        waiter.join();
        long self = id(Thread.currentThread());
        out.println("lock " + id(waiter) + " " + self);
        out.println("signal " + self + " " + id(waiter));
    }

    public static void main(String[] args) throws Exception {
        virtual = args.length > 1 && args[1].equals("virtual");
        turns = args.length > 2 ? Integer.parseInt(args[2]) : turns;
        turn = -1;
        try (PrintStream out = new PrintStream(args[0])) {
            turns(out);
            locks(out);
        }
    }
}
