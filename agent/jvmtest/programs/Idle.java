import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/** Threads that wait for work, and threads that wait for replies. It prints how long the threads of each pool waited, in nanoseconds. */
public class Idle {
    static final int WORKERS = 3, CLIENTS = 2, TASKS = 60, REQUESTS = 10;
    static final Map<String, Long> waited = new TreeMap<>();

    interface Act {
        void run() throws InterruptedException, IOException;
    }

    static void logWait(String pool, long begin) {
        long length = System.nanoTime() - begin;
        synchronized (waited) {
            waited.merge(pool, length, Long::sum);
        }
    }

    /** A queue that threads wait at for their next task. */
    static final class Queue {
        private final Deque<Act> tasks = new ArrayDeque<>();

        synchronized void put(Act task) {
            tasks.add(task);
            notify();
        }

        synchronized Act take(String pool) throws InterruptedException {
            while (tasks.isEmpty()) {
                long begin = System.nanoTime();
                wait();
                logWait(pool, begin);
            }
            return tasks.remove();
        }
    }

    /** Runs tasks up to the last one, which is end. */
    static Act worker(Queue queue, String pool) {
        return () -> {
            for (Act task = queue.take(pool); task != end; task = queue.take(pool)) {
                task.run();
            }
        };
    }

    static final Act end = () -> { };

    /** Asks the server, and waits for each reply at an object of its own. */
    static void ask(Queue server) throws InterruptedException {
        Object reply = new Object();
        boolean[] replied = {false};
        for (int i = 0; i < REQUESTS; i++) {
            synchronized (reply) {
                replied[0] = false;
                server.put(() -> {
                    Thread.sleep(10);
                    synchronized (reply) {
                        replied[0] = true;
                        reply.notify();
                    }
                });
                while (!replied[0]) {
                    long begin = System.nanoTime();
                    reply.wait();
                    logWait("client-*", begin);
                }
            }
        }
    }

    /** Waits for replies in a selector. */
    static void select(int port) throws IOException {
        try (Selector selector = Selector.open(); SocketChannel channel = SocketChannel.open()) {
            channel.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            ByteBuffer one = ByteBuffer.allocate(1);
            for (int i = 0; i < REQUESTS; i++) {
                one.clear();
                channel.write(one);
                long begin = System.nanoTime();
                selector.select();
                logWait("asker", begin);
                selector.selectedKeys().clear();
                one.clear();
                channel.read(one);
            }
        }
    }

    static void echo(ServerSocket socket) throws InterruptedException, IOException {
        try (Socket s = socket.accept()) {
            for (int b = s.getInputStream().read(); b >= 0; b = s.getInputStream().read()) {
                Thread.sleep(10);
                s.getOutputStream().write(b);
            }
        }
    }

    static Thread start(String name, Act act) {
        Thread thread = new Thread(() -> {
            try {
                act.run();
            } catch (InterruptedException | IOException e) {
                throw new IllegalStateException(e);
            }
        }, name);
        thread.start();
        return thread;
    }

    static void join(Thread... threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    public static void main(String[] args) throws Exception {
        Queue tasks = new Queue(), requests = new Queue();
        Thread[] workers = new Thread[WORKERS], clients = new Thread[CLIENTS];
        for (int i = 0; i < WORKERS; i++) {
            workers[i] = start("worker-" + i, worker(tasks, "worker-*"));
        }
        Thread server = start("server", worker(requests, "server"));
        for (int i = 0; i < CLIENTS; i++) {
            clients[i] = start("client-" + i, () -> ask(requests));
        }
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread echo = start("echo", () -> echo(socket)), asker = start("asker", () -> select(socket.getLocalPort()));
            for (int i = 0; i < TASKS; i++) {
                Thread.sleep(5);
                tasks.put(() -> Thread.sleep(1));
            }
            join(clients);
            join(asker, echo);
        }
        requests.put(end);
        for (int i = 0; i < WORKERS; i++) {
            tasks.put(end);
        }
        join(workers);
        join(server);
        waited.forEach((pool, length) -> System.out.println(pool + " " + length));
    }
}
