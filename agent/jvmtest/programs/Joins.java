import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Threads that are joined: with and without a limit, in time and too early, alive and dead, by one and by many. */
public class Joins {
    public static void main(String[] args) throws InterruptedException {
        Truth.reports(args, "join", "timeout", "thread");
        for (int round = 0; round < 15; round++) {
            joined(1, 0);
            joined(4, 0);
            joined(3, 60_000);
        }
        tooEarly();
        dead();
        inARow();
        System.out.println("done");
        Truth.print();
    }

    /** A thread that ends when it may. */
    static Thread patient(CountDownLatch end) {
        return Truth.start(Truth.thread("patient", end::await));
    }

    static Thread joiner(Thread target, long millis) {
        return Truth.thread("joiner", () -> {
            if (millis == 0) {
                Truth.join(target);
            } else {
                Truth.join(target, millis);
            }
        });
    }

    /** The thread ends when all threads that join it are seen to wait. */
    static void joined(int joiners, long millis) throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Thread target = patient(end);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < joiners; i++) {
            Thread joiner = joiner(target, millis);
            threads.add(Truth.start(joiner));
            Truth.until(() -> Truth.waitsFor(joiner, target));
        }
        end.countDown();
        for (Thread thread : threads) {
            Truth.join(thread);
        }
    }

    static void tooEarly() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Thread target = patient(end);
        for (int millis = 1; millis < 20; millis++) {
            Truth.join(target, millis);
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Truth.start(joiner(target, 5 + i)));
        }
        for (Thread thread : threads) {
            Truth.join(thread);
        }
        end.countDown();
        Truth.join(target, 60_000);
    }

    static void dead() throws InterruptedException {
        Thread target = Truth.start(Truth.thread("brief", () -> { }));
        Truth.until(() -> !target.isAlive());
        Truth.join(target);
        Truth.join(target, 10);
    }

    /** Each joins the one before; their order is not known. */
    static void inARow() throws InterruptedException {
        Thread last = Truth.start(Truth.thread("first", () -> Truth.pause(2000)));
        for (int i = 0; i < 20; i++) {
            Thread before = last;
            last = Truth.start(Truth.thread("row-" + i, () -> Truth.join(before)));
        }
        Truth.join(last);
    }
}
