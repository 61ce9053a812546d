import java.util.ArrayList;

/**
 * A monitor that knows its owner, its previous owner and its waiters; the methods are called by its owner. In a trace monitors are distinguished by their
 * classes, so each has a class of its own.
 */
class Monitor {
    static final class Red extends Monitor { }
    static final class Green extends Monitor { }
    static final class Blue extends Monitor { }
    static final class Black extends Monitor { }
    static final class White extends Monitor { }
    static final class Grey extends Monitor { }

    static Monitor[] all() {
        return new Monitor[] {new Red(), new Green(), new Blue(), new Black(), new White(), new Grey()};
    }

    /** The thread that was the last to enter or to return from a wait. */
    private long holder;
    private final ArrayList<Truth.Log> waiting = new ArrayList<>(64);

    /** Before the synchronized block: the thread wants to enter. Returns the time, which is for entered. */
    final long wanted() {
        Truth.Log log = Truth.log();
        log.seen = false;
        log.wants = this;
        return Truth.now();
    }

    /** At the beginning of the synchronized block. */
    final void entered(long wanted) {
        Truth.Log log = Truth.log();
        log.wants = null;
        held(log, wanted, log.seen);
    }

    private void held(Truth.Log log, long wanted, boolean blocked) {
        log.add(Truth.ENTER, wanted, getClass(), holder, 0, blocked ? 1 : 0);
        holder = log.id;
    }

    /** Reports whether the thread is blocked by the owner, which calls this. */
    final boolean blocks(Truth.Log log) {
        return log.isAt(this, Thread.State.BLOCKED);
    }

    /** The owner marks the threads that are blocked, which makes their hand-offs sure. */
    final void look() {
        Truth.forAll(this::blocks);
    }

    /** The number of waiters. */
    final int waiters() {
        return waiting.size();
    }

    final void await(long millis) throws InterruptedException {
        await(millis, () -> wait(millis));
    }

    /** Waits in the given way. */
    final void await(long millis, Truth.Task how) throws InterruptedException {
        Truth.Log log = Truth.log();
        log.notifier = 0;
        log.doubtful = false;
        waiting.add(log);
        boolean interrupted = true;
        long begin = Truth.now();
        try {
            how.run();
            interrupted = false;
        } finally {
            long end = Truth.now();
            waiting.remove(log);
            int ended = interrupted ? Truth.INTERRUPTED : ended(log, millis, end - begin);
            log.add(Truth.WAIT, begin, end, getClass(), log.notifier, ended, log.notifiedFrom);
            held(log, begin, false);
        }
    }

    /** How a wait ended. Only the thread itself can distinguish a timeout from a notification at the same moment. */
    private static int ended(Truth.Log log, long millis, long nanos) {
        boolean late = millis > 0 && nanos >= millis * 1_000_000;
        if (log.notifier == 0) {
            return late ? Truth.TIMEOUT : Truth.UNSURE;
        }
        return late || log.doubtful ? Truth.UNSURE : log.notifiedAll ? Truth.NOTIFIED_ALL : Truth.NOTIFIED;
    }

    /** Notifies one or all. The notified threads are seen at once: they no longer wait, and are blocked by this thread. */
    final void wake(boolean all) {
        Truth.Log log = Truth.log();
        for (Truth.Log waiter : waiting) {
            waiter.before = waiter.notifier == 0 ? waiter.thread.getState() : Thread.State.BLOCKED;
        }
        long begin = Truth.now();
        if (all) {
            notifyAll();
        } else {
            notify();
        }
        log.add(Truth.NOTIFY, begin, getClass(), 0, all ? Truth.NOTIFIED_ALL : Truth.NOTIFIED, 0);
        int expected = all ? unmarked() : Math.min(1, unmarked());
        long patience = System.nanoTime() + 5_000_000; // virtual threads can be on their way into the wait
        while (mark(log, all, begin) < expected && System.nanoTime() < patience) {
            Thread.onSpinWait();
        }
    }

    private int unmarked() {
        int unmarked = 0;
        for (Truth.Log waiter : waiting) {
            unmarked += waiter.before == Thread.State.BLOCKED ? 0 : 1;
        }
        return unmarked;
    }

    /** Marks those that are blocked and were not before. If one was notified and several are blocked, another one has timed out. */
    private int mark(Truth.Log notifier, boolean all, long begin) {
        int marked = 0;
        for (Truth.Log waiter : waiting) {
            if (waiter.before == Thread.State.BLOCKED || waiter.thread.getState() != Thread.State.BLOCKED) {
                continue;
            }
            marked++;
            waiter.notifier = notifier.id;
            waiter.notifiedFrom = begin;
            waiter.notifiedAll = all;
        }
        for (Truth.Log waiter : waiting) {
            waiter.doubtful |= !all && marked > 1 && waiter.notifiedFrom == begin;
        }
        return marked;
    }
}
