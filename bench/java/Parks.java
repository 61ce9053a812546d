import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * With "platform" or "virtual", two threads that unpark each other in turn and do nothing else; with "lock", one thread that locks and unlocks a ReentrantLock
 * which nobody else wants. It prints the nanoseconds of one turn or lock.
 */
public class Parks {
    private static final int TURNS = 200_000, LOCKS = 50_000_000;
    private static volatile int turn;

    private static Thread start(boolean virtual, Runnable work) throws Exception {
        if (virtual) {
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
        }
        Thread thread = new Thread(work);
        thread.start();
        return thread;
    }

    private static void pass(Thread[] both, int mine) {
        for (int i = mine; i < TURNS; i += 2) {
            while (turn != i) {
                LockSupport.park();
            }
            turn = i + 1;
            LockSupport.unpark(both[1 - mine]);
        }
    }

    public static void main(String[] args) throws Exception {
        long begin;
        int rounds = TURNS;
        if (args[0].equals("lock")) {
            ReentrantLock lock = new ReentrantLock();
            rounds = LOCKS;
            begin = System.nanoTime();
            for (int i = 0; i < LOCKS; i++) {
                lock.lock();
                turn = i;
                lock.unlock();
            }
        } else {
            Thread[] both = new Thread[2];
            turn = -1;
            for (int i = 0; i < 2; i++) {
                int mine = i;
                both[i] = start(args[0].equals("virtual"), () -> pass(both, mine));
            }
            begin = System.nanoTime();
            turn = 0;
            LockSupport.unpark(both[0]);
            for (Thread thread : both) {
                thread.join();
            }
        }
        System.out.println((System.nanoTime() - begin) / rounds);
    }
}
