import java.time.Instant;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A bank in which two transfers run in opposite directions: each locks the account it takes the money from, then the
 * account it brings the money to, and so both wait for ever. An auditor then blocks behind them.
 *
 * The threads are daemons, so the JVM ends although they do not. The program prints what it did as TRUTH lines, so
 * that a trace of it can be compared with what really happened.
 */
public class Deadlock {
    static final class Account {
        final String name;
        long balance = 100;

        Account(String name) {
            this.name = name;
        }
    }

    static final CountDownLatch bothHold = new CountDownLatch(2); // not a monitor: a trace of monitors does not show it

    /** Moves money; the order of the locks is the order of the arguments, and that is the mistake. */
    static final class Transfer implements Runnable {
        final Account from;
        final Account to;
        final long thinkMillis;

        Transfer(Account from, Account to, long thinkMillis) {
            this.from = from;
            this.to = to;
            this.thinkMillis = thinkMillis;
        }

        @Override
        public void run() {
            try {
                synchronized (from) {
                    log("holds", from, "account=" + from.name);
                    log("sleep", null, "millis=" + thinkMillis);
                    Thread.sleep(thinkMillis);
                    log("slept", null, "");
                    bothHold.countDown();
                    bothHold.await();
                    pause(thinkMillis); // the transfers do not reach for the other account at the same moment
                    log("wants", to, "account=" + to.name);
                    synchronized (to) {
                        log("holds", to, "account=" + to.name); // never
                        from.balance--;
                        to.balance++;
                    }
                }
            } catch (InterruptedException e) {
                log("interrupted", null, ""); // never
            }
        }
    }

    /** Only wants to read one balance. */
    static final class Audit implements Runnable {
        final Account account;

        Audit(Account account) {
            this.account = account;
        }

        @Override
        public void run() {
            log("wants", account, "account=" + account.name);
            synchronized (account) {
                log("holds", account, "account=" + account.name); // never
            }
        }
    }

    public static void main(String[] args) {
        Account checking = new Account("checking");
        Account savings = new Account("savings");
        log("begin", checking, ""); // also loads what the log needs before the first thread runs

        Thread first = start(new Transfer(checking, savings, 40), "transfer-1");
        pause(10);
        Thread second = start(new Transfer(savings, checking, 80), "transfer-2");
        await(first, Thread.State.BLOCKED);
        await(second, Thread.State.BLOCKED); // the circle is closed
        pause(30);
        Thread auditor = start(new Audit(checking), "auditor");
        await(auditor, Thread.State.BLOCKED);
        pause(50);
        log("end", null, first.getName() + "=" + first.getState() + " " + second.getName() + "=" + second.getState()
                + " " + auditor.getName() + "=" + auditor.getState());
        print();
    }

    static Thread start(Runnable task, String name) {
        Thread t = new Thread(task, name);
        t.setDaemon(true);
        log("start", t, "name=" + name);
        t.start();
        return t;
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
