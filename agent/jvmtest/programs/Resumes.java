import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that wait in every way, and as soon as they go on, wait in every way once more or wake another thread. Prints "ready" when all wait, and
 * "done" after all. Its argument is a file for the log: "call KIND ID BEGIN END FIRST" is a second wait, with times in nanoseconds since the Unix epoch and
 * the kind of the first one, "woken ID BY FIRST" a thread that another one has woken. All go on after a byte of input.
 */
public final class Resumes {
    private static final String[] KINDS = {"read", "sleep", "wait", "monitor", "lock", "latch"};
    private static final int PAUSE = 500, SLEEP = 2_000;
    private static final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    private Resumes() { }

    /** What a thread does. */
    private interface Work {
        void run() throws Exception;
    }

    /** What threads wait for, in each way, until it opens. */
    private static final class Gate {
        private final int millis;
        private final ReentrantLock lock = new ReentrantLock();
        private final Object monitor = new Object(), condition = new Object();
        private final CountDownLatch latch = new CountDownLatch(1);
        private final List<OutputStream> answers = Collections.synchronizedList(new ArrayList<>());
        private final AtomicInteger threads = new AtomicInteger();
        private volatile boolean open;

        /** Sleeps before it is open take this time. */
        Gate(int millis) {
            this.millis = millis;
        }

        /** Opens the gate when the work is done. */
        void keep(Work work) throws Exception {
            lock.lock();
            try {
                synchronized (monitor) {
                    work.run();
                    open = true;
                }
            } finally {
                lock.unlock();
            }
            latch.countDown();
            synchronized (condition) {
                condition.notifyAll();
            }
            for (OutputStream answer : answers) {
                answer.write(1);
            }
        }

        /** Waits until the threads have begun to wait, and some time more. */
        void await(int count) throws InterruptedException {
            while (threads.get() < count) {
                Thread.sleep(1);
            }
            Thread.sleep(PAUSE);
        }

        /** Returns a way to wait for the gate. */
        Work way(String kind) throws IOException {
            switch (kind) {
                case "read":
                    return reading();
                case "sleep":
                    return () -> {
                        do {
                            Thread.sleep(millis);
                        } while (!open);
                    };
                case "wait":
                    return () -> {
                        synchronized (condition) {
                            while (!open) {
                                condition.wait();
                            }
                        }
                    };
                case "monitor":
                    return () -> {
                        synchronized (monitor) {
                            Thread.onSpinWait();
                        }
                    };
                case "lock":
                    return () -> {
                        lock.lock();
                        lock.unlock();
                    };
                default:
                    return latch::await;
            }
        }

        @SuppressWarnings("resource") // the sockets are open as long as the program runs
        private Work reading() throws IOException {
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
                answers.add(server.accept().getOutputStream());
                return socket.getInputStream()::read;
            }
        }

        void pass(Work way) throws Exception {
            threads.incrementAndGet();
            way.run();
        }
    }

    private static Thread start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        return thread;
    }

    @SuppressWarnings("deprecation") // threadId is newer than JDK 17
    private static long id(Thread thread) {
        return thread.getId();
    }

    /** A thread that waits for the one gate and then for the other. */
    private static Thread waits(Gate first, String firstKind, Gate second, String secondKind) throws IOException {
        Work before = first.way(firstKind), after = second.way(secondKind);
        return start(() -> {
            first.pass(before);
            long begin = Truth.now();
            second.pass(after);
            long end = Truth.now();
            lines.add("call " + secondKind + " " + id(Thread.currentThread()) + " " + begin + " " + end + " " + firstKind);
        });
    }

    /** A thread that waits for the gate and then wakes another one. */
    private static Thread wakes(Gate first, String kind) throws IOException {
        Work before = first.way(kind);
        CountDownLatch latch = new CountDownLatch(1);
        Thread sleeper = start(latch::await);
        return start(() -> {
            first.pass(before);
            latch.countDown();
            sleeper.join();
            lines.add("woken " + id(sleeper) + " " + id(Thread.currentThread()) + " " + kind);
        });
    }

    public static void main(String[] args) throws Exception {
        Truth.now(); // or threads would wait for its initialisation between their waits
        Gate first = new Gate(SLEEP), second = new Gate(PAUSE);
        List<Thread> threads = new ArrayList<>();
        second.keep(() -> {
            first.keep(() -> {
                for (String kind : KINDS) {
                    for (String after : KINDS) {
                        threads.add(waits(first, kind, second, after));
                    }
                    threads.add(wakes(first, kind));
                }
                first.await(threads.size());
                System.out.println("ready");
                System.in.read();
            });
            second.await(KINDS.length * KINDS.length);
        });
        for (Thread thread : threads) {
            thread.join();
        }
        try (PrintStream out = new PrintStream(args[0], "UTF-8")) {
            lines.forEach(out::println);
        }
        System.out.println("done");
    }
}
