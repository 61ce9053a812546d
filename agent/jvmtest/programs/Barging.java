import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads contend for one lock, which is not fair: a running thread can take it before the threads in its queue. Some sleep while they hold it, and some wait until
 * another one signals them. The file of the truth has a line for each time that a thread held the lock, "hold ID ASKED FROM TO GONE": it held it certainly between the
 * inner times, and not outside of the outer ones; and for each wait for a signal, "await ID FROM TO SIGNALLER". Times are nanoseconds since the Unix epoch. Its arguments: the file, then "virtual" for virtual threads, then the rounds of each thread.
 */
public final class Barging {
    private static final int THREADS = 8;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition[] signalled = new Condition[THREADS];
    private final boolean[] waits = new boolean[THREADS]; // guarded by lock, as signallers
    private final long[] signallers = new long[THREADS];
    private final List<List<String>> logs = new ArrayList<>();

    private Barging() {
        for (int i = 0; i < THREADS; i++) {
            signalled[i] = lock.newCondition();
        }
    }

    @SuppressWarnings("deprecation") // threadId is newer than JDK 17
    private static long id() {
        return Thread.currentThread().getId();
    }

    /** Keeps the processor busy for a time, in nanoseconds. */
    private static void spin(long nanos) {
        long until = System.nanoTime() + nanos;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }

    /** The holds and waits of a thread. */
    private void contend(int me, int rounds) {
        Random random = new Random(me);
        List<String> log = logs.get(me);
        for (int round = 0; round < rounds; round++) {
            spin(random.nextInt(100_000));
            long asked = Truth.now();
            lock.lock();
            long from = Truth.now();
            if (random.nextInt(4) == 0) {
                LockSupport.parkNanos(1_000_000);
            } else {
                spin(20_000 + random.nextInt(200_000));
            }
            if (random.nextInt(4) == 0) {
                signal(random.nextInt(THREADS));
            }
            if (random.nextInt(5) == 0) {
                long to = Truth.now(), again = await(me, log);
                log.add(hold(asked, from, to, again));
                asked = to;
                from = again;
            }
            long to = Truth.now();
            lock.unlock();
            log.add(hold(asked, from, to, Truth.now()));
        }
    }

    private static String hold(long asked, long from, long to, long gone) {
        return "hold " + id() + " " + asked + " " + from + " " + to + " " + gone;
    }

    /** Waits for a signal, with the lock, and returns the time from which it has the lock again. */
    private long await(int me, List<String> log) {
        long from = Truth.now();
        waits[me] = true;
        while (waits[me]) {
            signalled[me].awaitUninterruptibly();
        }
        long to = Truth.now();
        log.add("await " + id() + " " + from + " " + to + " " + signallers[me]);
        return to;
    }

    /** Signals one thread that waits, from this one on, with the lock. */
    private void signal(int first) {
        for (int i = 0; i < THREADS; i++) {
            int other = (first + i) % THREADS;
            if (waits[other]) {
                waits[other] = false;
                signallers[other] = id();
                signalled[other].signal();
                return;
            }
        }
    }

    private void run(boolean virtual, int rounds) throws Exception {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int me = i;
            logs.add(new ArrayList<>());
            Runnable run = () -> contend(me, rounds);
            threads[i] = virtual ? Truth.virtual("contender-" + me, run) : new Thread(run, "contender-" + me);
        }
        for (Thread thread : threads) {
            thread.start();
        }
        List<String> own = new ArrayList<>();
        for (Thread thread : threads) {
            for (thread.join(2); thread.isAlive(); thread.join(2)) {
                long asked = Truth.now();
                lock.lock();
                long from = Truth.now();
                signal(0);
                long to = Truth.now();
                lock.unlock();
                own.add(hold(asked, from, to, Truth.now()));
            }
        }
        logs.add(own);
    }

    public static void main(String[] args) throws Exception {
        Barging program = new Barging();
        program.run(args.length > 1 && args[1].equals("virtual"), args.length > 2 ? Integer.parseInt(args[2]) : 300);
        try (PrintStream out = new PrintStream(args[0], "UTF-8")) {
            program.logs.forEach(log -> log.forEach(out::println));
        }
        System.out.println("done");
    }
}
