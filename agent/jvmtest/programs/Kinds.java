import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Each kind of blocking once, in a thread of its own. The file has a line for each: the kind, the thread's name, and for how
 * many nanoseconds the program saw it block.
 */
public class Kinds {
    static final Object lock = new Object(), gate = new Object();
    static final long HELD = 400, AFTERWARDS = 700;
    static PrintWriter out;
    static boolean open;

    interface Action {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        out = new PrintWriter(args[0]);
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort()), peer = server.accept();
        long begin = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        CountDownLatch held = new CountDownLatch(1), latch = new CountDownLatch(1);
        threads.add(start("holder", () -> {
            synchronized (lock) {
                held.countDown();
                Thread.sleep(HELD);
                lock.notify();
            }
        }));
        held.await();
        Thread blocked = start("blocked", () -> {
            measure("blocked", () -> {
                synchronized (lock) {
                    lock.notify();
                }
            });
            measure("slept", () -> Thread.sleep(AFTERWARDS));
        });
        CountDownLatch started = new CountDownLatch(1);
        Thread sleeper = start("sleeper", () -> {
            started.countDown();
            measure("slept", () -> Thread.sleep(HELD));
        });
        started.await();
        threads.add(start("joiner", () -> measure("joined", sleeper::join)));

        ReentrantLock owned = new ReentrantLock();
        Semaphore semaphore = new Semaphore(0);
        CompletableFuture<String> future = new CompletableFuture<>();
        LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
        CountDownLatch owns = new CountDownLatch(1);
        threads.add(start("notifier", () -> {
            owned.lock();
            owns.countDown();
            Thread.sleep(HELD);
            owned.unlock();
            latch.countDown();
            semaphore.release();
            future.complete("done");
            queue.put("job");
            peer.getOutputStream().write(1);
            synchronized (gate) {
                open = true;
                gate.notify();
            }
        }));
        owns.await();
        threads.add(start("waiter", () -> {
            synchronized (gate) {
                measure("waited", () -> {
                    while (!open) {
                        gate.wait();
                    }
                });
            }
        }));
        threads.add(start("lock", () -> measure("parked", owned::lock)));
        threads.add(start("latch", () -> measure("parked", latch::await)));
        threads.add(start("semaphore", () -> measure("parked", semaphore::acquire)));
        threads.add(start("future", () -> measure("parked", future::get)));
        threads.add(start("queue", () -> measure("parked", queue::take)));
        threads.add(start("reader", () -> measure("io", () -> read(client))));
        threads.add(sleeper);
        for (Thread thread : threads) {
            thread.join();
        }
        blocked.join();
        log("run", System.nanoTime() - begin);
        out.close();
    }

    static void read(Socket socket) throws IOException {
        if (socket.getInputStream().read() < 0) {
            throw new IOException("the connection is closed");
        }
    }

    static Thread start(String name, Action action) {
        Thread thread = new Thread(() -> {
            try {
                action.run();
            } catch (Exception e) {
                e.printStackTrace();
                System.exit(1);
            }
        }, name);
        thread.start();
        return thread;
    }

    static void measure(String kind, Action action) throws Exception {
        long begin = System.nanoTime();
        action.run();
        log(kind, System.nanoTime() - begin);
    }

    static synchronized void log(String kind, long nanos) {
        out.println(kind + " " + Thread.currentThread().getName() + " " + nanos);
    }
}
