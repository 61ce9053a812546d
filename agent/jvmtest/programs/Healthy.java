import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/**
 * Programs without a fault: jobs that compute, and servers that have little to do. Their arguments are the same as for Culprits, then the
 * number of milliseconds for which they run.
 */
public final class Healthy {
    private static final LongAdder sum = new LongAdder();
    private static long length = 2000;

    private Healthy() { }

    /** Computes until this part of the time is over. */
    private static void compute(double part) {
        long end = System.nanoTime() + (long) (length * part * 1_000_000);
        long found = 0;
        for (long number = 3; System.nanoTime() < end; number += 2) {
            found += isPrime(number) ? 1 : 0;
        }
        sum.add(found);
    }

    private static boolean isPrime(long number) {
        for (long divisor = 3; divisor * divisor <= number; divisor += 2) {
            if (number % divisor == 0) {
                return false;
            }
        }
        return true;
    }

    /** The main thread computes. */
    static void alone() {
        compute(1);
    }

    /** A thread computes, and main joins it. */
    static void one() throws Exception {
        Culprits.join(Culprits.start("cruncher", 1, () -> compute(1)));
    }

    static void joined() throws Exception {
        Culprits.join(Culprits.start("worker", 2, () -> compute(1)));
    }

    /** A pool computes many tasks, and main waits for their results. */
    static void pool() throws Exception {
        ExecutorService pool = Culprits.pool("batch", 2);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(pool.submit(() -> compute(0.1)));
        }
        for (Future<?> future : all) {
            future.get();
        }
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.SECONDS);
    }

    static void invoked() throws Exception {
        ExecutorService pool = Culprits.pool("batch", 2);
        Callable<Integer> task = () -> {
            compute(0.25);
            return 1;
        };
        pool.invokeAll(List.of(task, task, task, task, task, task, task, task));
    }

    static void latched() throws Exception {
        CountDownLatch done = new CountDownLatch(2);
        Culprits.start("worker", 2, () -> {
            compute(1);
            done.countDown();
        });
        done.await();
    }

    static void stream() {
        sum.add(LongStream.range(0, 8).parallel().map(i -> {
            compute(0.25);
            return i;
        }).sum());
    }

    static void futures() {
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> compute(0.5));
        first.thenRunAsync(() -> compute(0.5)).join();
    }

    /** Threads that compute hand items on. */
    static void pipeline() throws Exception {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(16);
        Thread reader = Culprits.start("parser", () -> {
            for (int i = 0; i < 100; i++) {
                compute(0.01);
                queue.put(i);
            }
        });
        Culprits.join(Culprits.start("indexer", 1, () -> {
            for (int i = 0; i < 100; i++) {
                queue.take();
                compute(0.009);
            }
        }));
        reader.join();
    }

    /** A server that has little to do. */
    static void server() throws Exception {
        ExecutorService web = Culprits.pool("web", 4);
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1, Culprits.named("timer"));
        timer.scheduleAtFixedRate(() -> compute(0.001), 50, 50, TimeUnit.MILLISECONDS);
        for (int i = 0; i < length / 20; i++) {
            web.submit(() -> compute(0.001));
            Thread.sleep(20);
        }
        timer.shutdownNow();
        web.shutdown();
    }

    /** A server with nothing to do. */
    static void idle() throws Exception {
        ExecutorService web = Culprits.pool("web", 4);
        for (int i = 0; i < 4; i++) {
            web.submit(() -> 1).get();
        }
        Thread.sleep(length);
    }

    /** Short locks are taken often. */
    static void locks() throws Exception {
        long[] count = {0};
        Culprits.join(Culprits.start("counter", 2, () -> {
            long end = System.nanoTime() + length * 1_000_000;
            while (System.nanoTime() < end) {
                synchronized (count) {
                    count[0]++;
                }
                compute(0.0005);
            }
        }));
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 3) {
            length = Long.parseLong(args[3]);
        }
        Culprits.run(Healthy.class, args);
    }
}
