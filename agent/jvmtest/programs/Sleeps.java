import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Threads that sleep: not at all, briefly, in every unit, and until they are interrupted. */
public class Sleeps {
    public static void main(String[] args) throws InterruptedException {
        Truth.reports(args, "sleep", "interrupt", "callInterrupt");
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Truth.start(Truth.thread("sleeper-" + i, Sleeps::sleeps)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (int i = 0; i < 20; i++) {
            Thread late = Truth.start(Truth.thread("late-" + i, () -> {
                try {
                    Truth.sleep(60_000);
                } catch (InterruptedException e) {
                    Truth.sleep(1);
                }
            }));
            Truth.log(late); // it has begun; a trace has no thread that is interrupted before its start
            Truth.pause(i * 50);
            Truth.interrupt(late);
            late.join();
        }
        System.out.println("done");
        Truth.print();
    }

    static void sleeps() throws InterruptedException {
        for (int millis = 0; millis < 20; millis++) {
            Truth.sleep(millis);
        }
        for (int nanos = 0; nanos < 1_000_000; nanos += 333_333) {
            int few = nanos;
            Truth.sleep(2, () -> Thread.sleep(2, few)); // Java 17 rounds it to milliseconds
        }
        Truth.sleep(3, () -> TimeUnit.MILLISECONDS.sleep(3));
        Truth.sleep(4, () -> TimeUnit.MICROSECONDS.sleep(4000));
    }
}
