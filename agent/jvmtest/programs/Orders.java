import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * An order service: workers handle orders from a queue, and block in each way that Java has. It logs each call that can block. Its arguments: the file, then
 * "virtual" for workers that are virtual threads.
 */
public final class Orders {
    private static final int WORKERS = 8, ORDERS = 160, INVOICE = 16 << 20;
    private static final InetAddress LOCAL = InetAddress.getLoopbackAddress();
    private static final BlockingQueue<Integer> inbox = new ArrayBlockingQueue<>(20);
    private static final BlockingQueue<Integer> packed = new LinkedBlockingQueue<>(), counter = new SynchronousQueue<>();
    private static final Semaphore connections = new Semaphore(2);
    private static final CountDownLatch done = new CountDownLatch(ORDERS);
    private static final Map<Integer, Integer> prices = new HashMap<>();
    private static final Object mail = new Object();
    private static int letters;
    private static boolean virtual;

    private Orders() { }

    /** The number of parcels; a thread can take one if it is above 0. */
    private static final class Stock {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition restocked = lock.newCondition();
        private int parcels = 2;

        void take() throws Exception {
            Calls.log("lock", lock::lockInterruptibly);
            try {
                while (parcels == 0) {
                    Calls.log("condition", restocked::await);
                }
                parcels--;
                pause(3);
            } finally {
                lock.unlock();
            }
        }

        void restock() throws Exception {
            Calls.log("lock", lock::lock);
            try {
                parcels += 4;
                restocked.signalAll();
                pause(10);
            } finally {
                lock.unlock();
            }
        }
    }

    private static final Stock stock = new Stock();
    private static final ReentrantReadWriteLock rates = new ReentrantReadWriteLock(true);

    private static void pause(int millis) throws Exception {
        Calls.log("sleep", () -> Thread.sleep(millis));
    }

    private static Thread start(String name, Calls.Task task) {
        return started(new Thread(running(task), name));
    }

    private static Thread started(Thread thread) {
        thread.start();
        return thread;
    }

    private static Runnable running(Calls.Task task) {
        return () -> {
            try {
                task.run();
            } catch (InterruptedException | SocketException e) {
                return; // the end
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private static void price(int order) throws Exception {
        long waits = Calls.waits(), begin = Truth.now();
        synchronized (prices) {
            Calls.add("monitor", begin, waits);
            if (prices.put(order % 40, order) == null) {
                pause(2);
            }
        }
    }

    private static void refresh() throws Exception {
        for (int i = 0; i < 4; i++) {
            pause(100);
            long waits = Calls.waits(), begin = Truth.now();
            synchronized (prices) {
                Calls.add("monitor", begin, waits);
                pause(30);
                prices.clear();
            }
            Calls.log("lock", rates.writeLock()::lock);
            pause(20);
            rates.writeLock().unlock();
        }
    }

    private static void convert() throws Exception {
        Calls.log("lock", rates.readLock()::lock);
        pause(2);
        rates.readLock().unlock();
    }

    private static void save() throws Exception {
        if (!Calls.get("semaphore", () -> connections.tryAcquire(1, TimeUnit.MINUTES))) {
            throw new IllegalStateException("no connection");
        }
        pause(8);
        connections.release();
    }

    /** Pays, and sends every second time an invoice, which the bank is slow to read. */
    private static void pay(int port, boolean invoice) throws Exception {
        try (Socket socket = new Socket()) {
            Calls.transfer("connect", () -> {
                socket.connect(new InetSocketAddress(LOCAL, port));
                return socket;
            });
            Calls.log("write", () -> socket.getOutputStream().write(invoice ? new byte[INVOICE] : new byte[1]));
            socket.shutdownOutput();
            Calls.get("read", () -> socket.getInputStream().read());
        }
    }

    private static void bank(ServerSocket server) throws Exception {
        for (;;) {
            Socket socket = Calls.get("accept", server::accept);
            start("payment", () -> {
                Calls.transfer("read", () -> socket.getInputStream().read());
                pause(40);
                byte[] part = new byte[1 << 20];
                while (Calls.transfer("read", () -> socket.getInputStream().read(part)) >= 0) {
                    Calls.log("park", () -> LockSupport.parkNanos(100_000));
                }
                Calls.log("write", () -> socket.getOutputStream().write(1));
                socket.close();
            });
        }
    }

    /** A server whose queue is full accepts late, so that a client waits until it is connected. */
    private static void connectLate() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, LOCAL)) {
            InetSocketAddress address = new InetSocketAddress(LOCAL, server.getLocalPort());
            List<Socket> queued = new ArrayList<>();
            for (boolean full = false; !full && queued.size() < 10;) {
                Socket socket = new Socket();
                try {
                    Calls.transfer("connect", () -> {
                        socket.connect(address, 200);
                        return socket;
                    });
                    queued.add(socket);
                } catch (IOException e) {
                    full = true;
                }
            }
            Thread late = start("late", () -> {
                try (Socket socket = new Socket()) {
                    Calls.log("connect", () -> socket.connect(address));
                }
            });
            pause(100);
            start("acceptor", () -> {
                for (;;) {
                    Calls.get("accept", server::accept).close();
                }
            });
            Calls.log("join", late::join);
        }
    }

    private static void select(Selector selector, Pipe pipe) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocate(100);
        while (pipe.source().isOpen()) {
            Calls.get("select", () -> selector.select());
            selector.selectedKeys().clear();
            if (pipe.source().read(buffer.clear()) < 0) {
                return;
            }
        }
    }

    private static void send() throws Exception {
        for (;;) {
            synchronized (mail) {
                while (letters == 0) {
                    Calls.log("wait", mail::wait);
                }
                letters--;
            }
        }
    }

    private static void pack() throws Exception {
        for (;;) {
            int order = Calls.get("queue", counter::take);
            pause(1);
            Calls.log("queue", () -> packed.put(order));
        }
    }

    private static void handle(int order, int port, Pipe.SinkChannel events) throws Exception {
        price(order);
        stock.take();
        convert();
        save();
        if (order % 8 == 0) {
            pay(port, order % 16 == 0);
        }
        if (order % 4 == 0) {
            CompletableFuture<Integer> tax = CompletableFuture.supplyAsync(() -> {
                LockSupport.parkNanos(10_000_000);
                return order;
            });
            Calls.get("future", tax::get);
        }
        if (order % 10 == 0) {
            Calls.log("park", () -> LockSupport.parkNanos(10_000_000));
            synchronized (events) {
                events.write(ByteBuffer.allocate(1));
            }
        }
        Calls.log("queue", () -> counter.put(order));
        synchronized (mail) {
            letters++;
            mail.notifyAll();
        }
        done.countDown();
    }

    public static void main(String[] args) throws Exception {
        virtual = args.length > 1 && args[1].equals("virtual");
        Calls.sample();
        ServerSocket server = new ServerSocket(0, 100, LOCAL);
        Selector selector = Selector.open();
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false).register(selector, SelectionKey.OP_READ);
        start("bank", () -> bank(server));
        Thread watcher = start("events", () -> select(selector, pipe));
        Thread mailer = start("mailer", Orders::send), packer = start("packer", Orders::pack);
        Thread refresher = start("refresher", Orders::refresh);
        Thread supplier = start("supplier", () -> {
            for (int i = 0; i < ORDERS / 4; i++) {
                pause(30);
                stock.restock();
            }
        });
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            Runnable work = running(() -> {
                for (;;) {
                    handle(Calls.get("queue", inbox::take), server.getLocalPort(), pipe.sink());
                }
            });
            workers.add(started(virtual ? Truth.virtual("worker-" + i, work) : new Thread(work, "worker-" + i)));
        }
        Thread customers = start("customers", () -> {
            for (int i = 0; i < ORDERS; i++) {
                int order = i;
                Calls.log("queue", () -> inbox.put(order));
            }
        });
        connectLate();
        Calls.log("latch", done::await);
        pause(50);
        for (Thread thread : workers) {
            thread.interrupt();
        }
        mailer.interrupt();
        packer.interrupt();
        server.close();
        pipe.sink().close();
        for (Thread thread : List.of(watcher, mailer, packer, refresher, supplier, customers)) {
            Calls.log("join", thread::join);
        }
        for (Thread thread : workers) {
            Calls.log("join", thread::join);
        }
        Calls.print(args[0]);
    }
}
