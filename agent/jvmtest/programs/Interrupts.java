import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Threads that are interrupted: while they wait, sleep, join, park or run, before they do, and by several at once. */
public class Interrupts {
    public static void main(String[] args) throws InterruptedException {
        Truth.reports(args, "interrupt", "callInterrupt", "timeout", "notify", "sleep");
        CountDownLatch end = new CountDownLatch(1);
        Thread alive = Truth.start(Truth.thread("alive", end::await));
        for (int round = 0; round < 10; round++) {
            stopped(new Monitor.Red(), alive);
            pending(new Monitor.Green());
            running();
            several(new Monitor.Blue());
            oneOfSome(new Monitor.Black());
            chain();
        }
        end.countDown();
        alive.join();
        System.out.println("done");
        Truth.print();
    }

    /** An action that an interrupt ends. */
    static Thread victim(String name, Truth.Task task) {
        return Truth.start(Truth.thread(name, () -> {
            try {
                task.run();
                throw new IllegalStateException("an interrupt was to end this");
            } catch (InterruptedException e) {
                Truth.pause(100);
            }
        }));
    }

    static void await(Monitor monitor, long millis) throws InterruptedException {
        long wanted = monitor.wanted();
        synchronized (monitor) {
            monitor.entered(wanted);
            monitor.await(millis);
        }
    }

    /** Of threads in wait, sleep and join, with and without a timeout. */
    static void stopped(Monitor monitor, Thread alive) throws InterruptedException {
        List<Thread> victims = List.of(
            victim("waits", () -> await(monitor, 0)),
            victim("waitsLong", () -> await(monitor, 60_000)),
            victim("sleeps", () -> Truth.sleep(60_000)),
            victim("joins", () -> Truth.join(alive)),
            victim("joinsLong", () -> Truth.join(alive, 60_000)));
        for (Thread victim : victims) {
            Truth.until(() -> isStopped(victim));
            Truth.interrupt(victim);
        }
        for (Thread victim : victims) {
            victim.join();
        }
    }

    static boolean isStopped(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    /**
     * The flag is set before the wait, which then ends at once. The victim waits for the return of the call, for JDK 17
     * sets the flag before it calls the native method, which the agent sees.
     */
    static void pending(Monitor monitor) throws InterruptedException {
        List<Truth.Task> tasks = List.of(() -> await(monitor, 0), () -> await(monitor, 60_000), () -> Truth.sleep(60_000));
        for (Truth.Task task : tasks) {
            CountDownLatch ready = new CountDownLatch(1);
            CountDownLatch interrupted = new CountDownLatch(1);
            Thread victim = victim("notYet", () -> {
                ready.countDown();
                while (interrupted.getCount() > 0) {
                    Thread.onSpinWait();
                }
                Truth.pause(50);
                task.run();
            });
            ready.await();
            Truth.interrupt(victim);
            interrupted.countDown();
            victim.join();
        }
        Thread itself = victim("itself", () -> {
            Truth.interrupt(Thread.currentThread());
            Truth.sleep(60_000);
        });
        itself.join();
    }

    /** Of threads that run or park: no wait ends by it, nor does a later one when the flag is cleared. */
    static void running() throws InterruptedException {
        Thread busy = Truth.start(Truth.thread("busy", () -> {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            Truth.clear();
            Truth.sleep(2);
        }));
        Thread parked = Truth.start(Truth.thread("parked", () -> {
            while (!Thread.currentThread().isInterrupted()) {
                Truth.park(0);
            }
            Truth.clear();
            Monitor own = new Monitor.White();
            long wanted = own.wanted();
            synchronized (own) {
                own.entered(wanted);
                own.await(2);
            }
        }));
        Truth.interrupt(busy);
        Truth.interrupt(parked);
        busy.join();
        parked.join();
    }

    /** The first of several interrupts counts. */
    static void several(Monitor monitor) throws InterruptedException {
        Thread victim = victim("much", () -> await(monitor, 0));
        Truth.until(() -> isStopped(victim));
        List<Thread> rude = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            rude.add(Truth.start(Truth.thread("rude-" + i, () -> Truth.interrupt(victim))));
        }
        victim.join();
        for (Thread thread : rude) {
            thread.join();
        }
    }

    /** One waiter is interrupted, the others are notified. */
    static void oneOfSome(Monitor monitor) throws InterruptedException {
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            Truth.Task task = () -> await(monitor, number * 60_000L);
            Thread waiter = i == 1 ? victim("unlucky", task) : Truth.start(Truth.thread("lucky-" + i, task));
            waiters.add(waiter);
            Truth.until(() -> isStopped(waiter));
        }
        Truth.interrupt(waiters.get(1));
        waiters.get(1).join();
        for (int i = 0; i < 2; i++) {
            long wanted = monitor.wanted();
            synchronized (monitor) {
                monitor.entered(wanted);
                monitor.wake(false);
            }
        }
        waiters.get(0).join();
        waiters.get(2).join();
    }

    /** Each interrupts the next out of its sleep. */
    static void chain() throws InterruptedException {
        Thread next = null;
        for (int i = 0; i < 5; i++) {
            Thread following = next;
            next = victim("link-" + i, () -> {
                try {
                    Truth.sleep(60_000);
                } finally {
                    if (following != null) {
                        Truth.interrupt(following);
                        following.join();
                    }
                }
            });
            Thread link = next;
            Truth.until(() -> isStopped(link));
        }
        Truth.interrupt(next);
        next.join();
    }
}
