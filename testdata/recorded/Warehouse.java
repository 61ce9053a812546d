import java.time.Instant;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A warehouse that stalls. Three pickers wait for orders; every order needs the one shelf. A stocktake locks the
 * shelf and sleeps while it holds it, so the pickers queue behind it and everything stands still for 0.3 seconds.
 *
 * The program prints what it did as TRUTH lines, so that a trace of it can be compared with what really happened.
 */
public class Warehouse {
    /** The lock everybody needs. */
    static final class Shelf {
        int items = 30;
    }

    /** Orders, handed out with wait and notify. */
    static final class OrderQueue {
        private final ArrayDeque<Integer> orders = new ArrayDeque<>();
        private boolean closed;

        /** Returns the next order, or null once the queue is closed. A patience of 0 ms waits for ever. */
        synchronized Integer take(long patience) throws InterruptedException {
            while (orders.isEmpty() && !closed) {
                log("wait", this, "timeout=" + patience);
                wait(patience);
                log("woke", this, "");
            }
            return orders.poll();
        }

        synchronized void put(int order) {
            orders.add(order);
            log("notify", this, "order=" + order);
            notify();
        }

        synchronized void close() {
            closed = true;
            log("notifyAll", this, "");
            notifyAll();
        }
    }

    static final Shelf shelf = new Shelf();
    static final OrderQueue queue = new OrderQueue();

    /** Takes orders and picks them from the shelf; tidies the shelf at closing time. */
    static final class Picker implements Runnable {
        @Override
        public void run() {
            try {
                long patience = 0; // for the first order as long as it takes, after that two seconds
                while (queue.take(patience) != null) {
                    atShelf("pick", 12);
                    patience = 2000;
                }
                atShelf("tidy", 25);
            } catch (InterruptedException e) {
                log("waitInterrupted", queue, "");
            }
        }

        private static void atShelf(String task, long millis) {
            log("wants", shelf, "for=" + task);
            synchronized (shelf) {
                log("holds", shelf, "for=" + task);
                shelf.items--;
                work(millis);
                log("releases", shelf, "");
            }
        }
    }

    /** The mistake: sleeps while it holds the lock. */
    static final class Stocktake implements Runnable {
        @Override
        public void run() {
            try {
                synchronized (shelf) {
                    log("holds", shelf, "for=stocktake");
                    log("sleep", null, "millis=300");
                    Thread.sleep(300);
                    log("slept", null, "");
                    log("releases", shelf, "");
                }
            } catch (InterruptedException e) {
                log("sleepInterrupted", null, "");
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        log("begin", shelf, ""); // also loads what the log needs before the first thread runs
        Thread[] pickers = new Thread[3];
        for (int i = 0; i < 3; i++) {
            pickers[i] = start(new Picker(), "picker-" + (i + 1));
            await(pickers[i], Thread.State.WAITING);
        }
        Thread stocktake = start(new Stocktake(), "stocktake");
        await(stocktake, Thread.State.TIMED_WAITING); // now it sleeps and holds the shelf

        for (int order = 1; order <= 3; order++) { // each order wakes one picker, who then queues for the shelf
            pause(20);
            queue.put(order);
            await(pickers[order - 1], Thread.State.BLOCKED);
        }
        join(stocktake);
        for (Thread p : pickers) {
            await(p, Thread.State.TIMED_WAITING); // all three wait for the next order
        }

        pause(30);
        log("interrupt", pickers[1], "name=" + pickers[1].getName());
        pickers[1].interrupt(); // picker-2 may go home
        await(pickers[1], Thread.State.TERMINATED);
        pause(30);
        queue.close(); // the others tidy the shelf, one after the other
        for (Thread p : pickers) {
            join(p);
        }
        log("end", shelf, "items=" + shelf.items);
        print();
    }

    static Thread start(Runnable task, String name) {
        Thread t = new Thread(task, name);
        log("start", t, "name=" + name);
        t.start();
        return t;
    }

    static void join(Thread t) throws InterruptedException {
        log("join", t, "name=" + t.getName() + " alive=" + t.isAlive());
        t.join();
        log("joined", t, "name=" + t.getName());
    }

    /** Is busy for so long. */
    static void work(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Lets time pass in a way that a trace of monitors does not show. */
    static void pause(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    static void await(Thread t, Thread.State state) {
        while (t.getState() != state) {
            pause(1);
        }
    }

    // The log: kept in memory without locks while the program runs, printed at the end.

    static final ConcurrentLinkedQueue<Truth> truths = new ConcurrentLinkedQueue<>();

    static final class Truth implements Comparable<Truth> {
        final Instant time = Instant.now();
        final String text;

        Truth(String text) {
            this.text = text;
        }

        @Override
        public int compareTo(Truth o) {
            return time.compareTo(o.time);
        }
    }

    @SuppressWarnings("deprecation") // getId: threadId does not exist in Java 17
    static void log(String op, Object obj, String more) {
        StringBuilder b = new StringBuilder("thread=").append(Thread.currentThread().getName());
        b.append(" tid=").append(Thread.currentThread().getId()).append(" op=").append(op);
        if (obj != null) {
            b.append(" obj=").append(obj.getClass().getName());
            b.append('@').append(Integer.toHexString(System.identityHashCode(obj)));
        }
        truths.add(new Truth(more.isEmpty() ? b.toString() : b.append(' ').append(more).toString()));
    }

    static void print() {
        Truth[] all = truths.toArray(new Truth[0]);
        java.util.Arrays.sort(all); // stable: by time, then in the order in which they were added
        for (Truth t : all) {
            System.out.println("TRUTH " + t.time.getEpochSecond() + "."
                    + String.valueOf(1_000_000_000L + t.time.getNano()).substring(1) + " " + t.text);
        }
    }
}
