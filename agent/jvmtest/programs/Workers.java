import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Pools that are exhausted, that wait for answers, or that wait for themselves, and threads that never end. It prints what
 * happened with its length in nanoseconds.
 */
public final class Workers {
    private static final int HANDLERS = 4, CLIENTS = 6, LEAKED = 40, SLOW = 600, REPLY = 60, REQUESTS = 5;
    private static final Object archive = new Object();

    private Workers() { }

    private static void print(String what, long nanoseconds) {
        System.out.println(what + " " + nanoseconds);
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + "-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }

    private static List<Thread> start(String prefix, int count, Runnable task) {
        ThreadFactory factory = named(prefix);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(factory.newThread(task));
            threads.get(i).start();
        }
        return threads;
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void sleep(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void get(Future<?> future) {
        try {
            future.get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void handle() {
        synchronized (archive) {
            archive.hashCode();
        }
    }

    /** One slow handler holds what the others need, so that nobody is left for the clients. */
    private static void exhaust() throws Exception {
        ExecutorService web = Executors.newFixedThreadPool(HANDLERS, named("web"));
        List<Future<?>> pending = new ArrayList<>();
        for (int i = 0; i < HANDLERS; i++) {
            pending.add(web.submit(() -> sleep(20)));
        }
        pending.forEach(Workers::get);
        sleep(50);
        CountDownLatch slow = new CountDownLatch(1), all = new CountDownLatch(HANDLERS);
        long[] released = new long[1];
        web.submit(() -> {
            synchronized (archive) {
                slow.countDown();
                all.countDown();
                sleep(SLOW);
                released[0] = System.nanoTime();
            }
        });
        slow.await();
        for (int i = 1; i < HANDLERS; i++) {
            web.submit(() -> {
                all.countDown();
                handle();
            });
        }
        all.await();
        long begin = System.nanoTime();
        join(start("client", CLIENTS, () -> get(web.submit(() -> { }))));
        print("saturated", released[0] - begin);
        print("answered", System.nanoTime() - begin);
        sleep(100);
    }

    private static void leak() throws Exception {
        for (Thread poller : start("poller", LEAKED, () -> {
            while (true) {
                sleep(50);
            }
        })) {
            poller.isAlive();
        }
        ExecutorService kept = Executors.newFixedThreadPool(LEAKED, named("kept"));
        for (int i = 0; i < LEAKED; i++) {
            kept.submit(() -> { });
        }
        join(start("shortlived", LEAKED, () -> { }));
    }

    private static final Deque<Integer> requests = new ArrayDeque<>();
    private static final boolean[] answered = new boolean[2 * REQUESTS];
    private static long waited;

    private static void serve() {
        for (int i = 0; i < answered.length; i++) {
            int request;
            synchronized (requests) {
                while (requests.isEmpty()) {
                    pause(requests);
                }
                request = requests.remove();
            }
            sleep(REPLY);
            synchronized (answered) {
                answered[request] = true;
                answered.notifyAll();
            }
        }
    }

    private static void pause(Object at) {
        try {
            at.wait();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void ask(int request) {
        synchronized (requests) {
            requests.add(request);
            requests.notify();
        }
        synchronized (answered) {
            while (!answered[request]) {
                long begin = System.nanoTime();
                pause(answered);
                waited += System.nanoTime() - begin;
            }
        }
    }

    /** Handlers ask a backend, and wait for its answers at one monitor. */
    private static void askBackend() throws Exception {
        List<Thread> backend = start("backend", 1, Workers::serve);
        sleep(20);
        AtomicInteger next = new AtomicInteger();
        join(start("handler", 2, () -> {
            for (int i = 0; i < REQUESTS; i++) {
                ask(next.getAndIncrement());
            }
        }));
        join(backend);
        print("handlers", waited);
    }

    private static void echo(ServerSocket socket) {
        try (Socket s = socket.accept()) {
            for (int b = s.getInputStream().read(); b >= 0; b = s.getInputStream().read()) {
                sleep(REPLY);
                s.getOutputStream().write(b);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void select(int port) {
        long selected = 0;
        try (Selector selector = Selector.open(); SocketChannel channel = SocketChannel.open()) {
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            ByteBuffer one = ByteBuffer.allocate(1);
            for (int i = 0; i < REQUESTS; i++) {
                channel.write(one.clear());
                long begin = System.nanoTime();
                selector.select();
                selected += System.nanoTime() - begin;
                selector.selectedKeys().clear();
                channel.read(one.clear());
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        print("selected", selected);
    }

    /** A task of a pool selects for its answers. */
    private static void selectInPool() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1, named("selecting"));
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<Thread> echo = start("echo", 1, () -> echo(socket));
            get(pool.submit(() -> select(socket.getLocalPort())));
            join(echo);
        }
        sleep(50);
    }

    /** Each task of a pool waits for another one, for which no thread is left. */
    private static void waitForSelf() throws Exception {
        ExecutorService self = Executors.newFixedThreadPool(2, named("self"));
        CountDownLatch both = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            self.submit(() -> {
                both.countDown();
                both.await();
                return self.submit(() -> 1).get();
            });
        }
        both.await();
        long begin = System.nanoTime();
        sleep(500);
        print("self", System.nanoTime() - begin);
    }

    public static void main(String[] args) throws Exception {
        exhaust();
        leak();
        askBackend();
        selectInPool();
        waitForSelf();
        System.exit(0);
    }
}
