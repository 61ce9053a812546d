import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that block each other forever, and another one that is blocked by them; or, with 0, threads that enter the same monitors one after the other. With "locks"
 * they do so with locks of java.util.concurrent, with "mixed" with locks and monitors in turn, and with "barging" with locks that others contend for before.
 */
public class Deadlocks {
    public static void main(String[] args) throws InterruptedException {
        Truth.reports(args, "deadlock");
        int number = Integer.parseInt(args[2]);
        if (number == 0) {
            oneAfterTheOther(Monitor.all());
        } else {
            circle(guards(args.length > 3 ? args[3] : "monitors"), number);
        }
        System.out.println("deadlocked " + number);
        Truth.print();
        System.out.flush();
        Runtime.getRuntime().halt(number);
    }

    /** A monitor or a lock, that a thread holds while it runs the task. */
    interface Guard {
        void hold(Runnable task);
    }

    static Guard monitor(Monitor monitor) {
        return task -> {
            synchronized (monitor) {
                task.run();
            }
        };
    }

    static Guard lock(ReentrantLock lock) {
        return task -> {
            lock.lock();
            try {
                task.run();
            } finally {
                lock.unlock();
            }
        };
    }

    static Guard[] guards(String kind) throws InterruptedException {
        Monitor[] monitors = Monitor.all();
        Guard[] guards = new Guard[monitors.length];
        for (int i = 0; i < guards.length; i++) {
            boolean locks = kind.equals("locks") || kind.equals("barging") || kind.equals("mixed") && i % 2 == 1;
            guards[i] = locks ? lock(new ReentrantLock()) : monitor(monitors[i]);
        }
        if (kind.equals("barging")) {
            contend(guards);
        }
        return guards;
    }

    /** Threads take the guards, one at a time, before others that queue for them. */
    static void contend(Guard[] guards) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Truth.start(Truth.thread("contender-" + i, () -> {
                for (int n = 0; n < 300; n++) {
                    guards[n % 2].hold(() -> Truth.pause(20));
                }
            })));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static boolean isStuck(Thread thread) {
        return thread.getState() == Thread.State.BLOCKED || thread.getState() == Thread.State.WAITING;
    }

    /** Each thread holds its own guard and wants the next thread's. */
    static void circle(Guard[] guards, int number) {
        Thread[] threads = new Thread[number];
        boolean[] holds = new boolean[number];
        for (int i = 0; i < number; i++) {
            int self = i;
            threads[i] = Truth.start(Truth.thread("circle-" + i, () -> {
                guards[self].hold(() -> {
                    synchronized (holds) {
                        holds[self] = true;
                    }
                    Truth.until(() -> all(holds));
                    guards[(self + 1) % number].hold(Deadlocks::fail);
                });
            }));
        }
        for (Thread thread : threads) {
            Truth.until(() -> all(holds) && isStuck(thread));
        }
        Thread bystander = Truth.start(Truth.thread("bystander", () -> guards[0].hold(Deadlocks::fail)));
        Truth.until(() -> isStuck(bystander));
        Truth.pause(300_000); // the agent looks up the monitors of virtual threads after some time
        Truth.deadlock(threads);
    }

    static void fail() {
        throw new IllegalStateException("nobody can be here");
    }

    static boolean all(boolean[] flags) {
        synchronized (flags) {
            for (boolean flag : flags) {
                if (!flag) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Each takes two monitors in both orders, but never holds two at once. */
    static void oneAfterTheOther(Monitor[] monitors) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int self = i;
            threads.add(Truth.start(Truth.thread("orderly-" + i, () -> {
                for (int n = 0; n < 100; n++) {
                    synchronized (monitors[(n + self) % 2]) {
                        Truth.pause(100);
                    }
                    synchronized (monitors[(n + self + 1) % 2]) {
                        Truth.pause(100);
                    }
                }
            })));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
