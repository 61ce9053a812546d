import java.util.ArrayList;
import java.util.List;

/** Threads that block on the monitors of others: queues in which each is seen to be blocked, and nested monitors. There is no barging. */
public class Handoffs {
    public static void main(String[] args) throws InterruptedException {
        Truth.reports(args, "handoff");
        Monitor[] monitors = Monitor.all();
        for (int round = 0; round < 12; round++) {
            queue(monitors[round % 3], 1);
            queue(monitors[round % 3], 5);
            nested(monitors[3], monitors[4]);
        }
        System.out.println("done");
        Truth.print();
    }

    /** Holds the monitor until the thread is blocked by it, and computes a little before it leaves it. */
    static void holdFor(Monitor monitor, Thread entrant) {
        Truth.until(() -> monitor.blocks(Truth.log(entrant)));
        Truth.pause(300);
    }

    static Thread entrant(Monitor monitor, int number) {
        return Truth.thread("entrant-" + number, () -> {
            long wanted = monitor.wanted();
            synchronized (monitor) {
                monitor.entered(wanted);
                Truth.pause(300);
            }
        });
    }

    /** A holder, and threads that block on its monitor, one after the other. */
    static void queue(Monitor monitor, int entrants) throws InterruptedException {
        List<Thread> started = new ArrayList<>();
        Thread holder = Truth.start(Truth.thread("holder", () -> {
            long wanted = monitor.wanted();
            synchronized (monitor) {
                monitor.entered(wanted);
                for (int i = 0; i < entrants; i++) {
                    started.add(Truth.start(entrant(monitor, i)));
                    holdFor(monitor, started.get(i));
                }
            }
        }));
        holder.join();
        for (Thread entrant : started) {
            entrant.join();
        }
    }

    /** Two monitors, entered in one order by all: the owner of the first blocks on the second. */
    static void nested(Monitor outer, Monitor inner) throws InterruptedException {
        Thread second = Truth.thread("second", () -> both(outer, inner));
        Thread third = Truth.thread("third", () -> both(outer, inner));
        long wanted = inner.wanted();
        synchronized (inner) {
            inner.entered(wanted);
            Truth.start(second);
            holdFor(inner, second);
            Truth.start(third);
            Truth.until(() -> third.getState() == Thread.State.BLOCKED);
        }
        second.join();
        third.join();
    }

    static void both(Monitor outer, Monitor inner) {
        long wanted = outer.wanted();
        synchronized (outer) {
            outer.entered(wanted);
            long wantedToo = inner.wanted();
            synchronized (inner) {
                inner.entered(wantedToo);
                Truth.pause(200);
            }
        }
    }
}
