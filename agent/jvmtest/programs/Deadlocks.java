import java.util.ArrayList;
import java.util.List;

/**
 * Threads that block each other forever, and another one that is blocked by them; or, with 0, threads that enter the same monitors one after the other.
 */
public class Deadlocks {
    public static void main(String[] args) throws InterruptedException {
        Truth.reports(args, "deadlock");
        int number = Integer.parseInt(args[2]);
        if (number == 0) {
            oneAfterTheOther(Monitor.all());
        } else {
            circle(Monitor.all(), number);
        }
        System.out.println("deadlocked " + number);
        Truth.print();
        System.out.flush();
        Runtime.getRuntime().halt(number);
    }

    /** Each holds its own monitor and wants that of the next. */
    static void circle(Monitor[] monitors, int number) {
        Thread[] threads = new Thread[number];
        boolean[] holds = new boolean[number];
        for (int i = 0; i < number; i++) {
            int self = i;
            threads[i] = Truth.start(Truth.thread("circle-" + i, () -> {
                synchronized (monitors[self]) {
                    synchronized (holds) {
                        holds[self] = true;
                    }
                    Truth.until(() -> all(holds));
                    synchronized (monitors[(self + 1) % number]) {
                        throw new IllegalStateException("nobody can be here");
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            Truth.until(() -> all(holds) && thread.getState() == Thread.State.BLOCKED);
        }
        Thread bystander = Truth.start(Truth.thread("bystander", () -> {
            synchronized (monitors[0]) {
                throw new IllegalStateException("nobody can be here");
            }
        }));
        Truth.until(() -> bystander.getState() == Thread.State.BLOCKED);
        Truth.pause(20_000);
        Truth.deadlock(threads);
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
