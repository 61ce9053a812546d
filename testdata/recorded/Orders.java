import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An order service that waits in many ways. Three workers take orders from a queue: each looks a price up in a cache
 * with a monitor, takes goods from a stock with a lock and a condition, uses one of two connections, and asks a payment
 * service over a socket. A refresher sleeps while it holds the cache: the mistake.
 *
 * It logs what it did as Warehouse does, whose methods it uses.
 */
public class Orders {
    static final int ORDERS = 24;

    /** Prices, behind a monitor. */
    static final class PriceCache {
        int price(int item) {
            Warehouse.log("wants", this, "item=" + item);
            synchronized (this) {
                Warehouse.log("holds", this, "");
                Warehouse.work(2);
                return 7 * item;
            }
        }

        void refresh() throws InterruptedException {
            Warehouse.log("wants", this, "for=refresh");
            synchronized (this) {
                Warehouse.log("holds", this, "for=refresh");
                sleep(150);
            }
        }
    }

    /** Goods, behind a lock with a condition. */
    static final class Stock {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition restocked = lock.newCondition();
        private int goods = 8;

        void take() throws InterruptedException {
            lock();
            try {
                while (goods == 0) {
                    Warehouse.log("await", restocked, "");
                    restocked.await();
                    Warehouse.log("signalled", restocked, "");
                }
                goods--;
                Warehouse.work(3);
            } finally {
                lock.unlock();
            }
        }

        void restock() throws InterruptedException {
            lock();
            try {
                goods += 8;
                sleep(20);
                restocked.signalAll();
            } finally {
                lock.unlock();
            }
        }

        private void lock() {
            Warehouse.log("wants", lock, "");
            lock.lock();
            Warehouse.log("holds", lock, "");
        }
    }

    static final PriceCache cache = new PriceCache();
    static final Stock stock = new Stock();
    static final Semaphore connections = new Semaphore(1);
    static final LinkedBlockingQueue<Integer> orders = new LinkedBlockingQueue<>();
    static final CountDownLatch done = new CountDownLatch(ORDERS);

    static void sleep(long millis) throws InterruptedException {
        Warehouse.log("sleep", null, "millis=" + millis);
        Thread.sleep(millis);
        Warehouse.log("slept", null, "");
    }

    /** Takes orders until one is negative. */
    static void work(int port) {
        try {
            for (int order = next(); order >= 0; order = next()) {
                cache.price(order);
                stock.take();
                Warehouse.log("acquire", connections, "");
                connections.acquire();
                Warehouse.log("acquired", connections, "");
                try {
                    Warehouse.work(4);
                } finally {
                    connections.release();
                }
                if (order % 6 == 0) {
                    pay(port);
                }
                done.countDown();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static int next() throws InterruptedException {
        Warehouse.log("take", orders, "");
        int order = orders.take();
        Warehouse.log("taken", orders, "order=" + order);
        return order;
    }

    static void pay(int port) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            InputStream answer = socket.getInputStream();
            socket.getOutputStream().write(1);
            Warehouse.log("read", socket, "");
            answer.read();
            Warehouse.log("got", socket, "");
        }
    }

    /** Answers each payment after 25 ms. */
    static void acceptPayments(ServerSocket server) {
        try {
            while (true) {
                try (Socket socket = server.accept()) {
                    socket.getInputStream().read();
                    sleep(25);
                    socket.getOutputStream().write(1);
                }
            }
        } catch (Exception e) {
            return; // the server was closed
        }
    }

    interface Task {
        void run() throws Exception;
    }

    static Thread start(String name, Task task) {
        return Warehouse.start(() -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, name);
    }

    public static void main(String[] args) throws Exception {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("payment", () -> acceptPayments(server));
        pay(server.getLocalPort()); // loads the classes
        Thread[] workers = new Thread[3];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = start("order-" + (i + 1), () -> work(server.getLocalPort()));
        }
        sleep(50);
        Thread refresher = start("refresher", cache::refresh);
        sleep(30);
        for (int order = 0; order < ORDERS; order++) {
            orders.add(order);
        }
        Thread restocker = start("restocker", () -> {
            for (int i = 0; i < 3; i++) {
                sleep(200);
                stock.restock();
            }
        });
        CompletableFuture<Integer> report = new CompletableFuture<>();
        start("reporter", () -> {
            sleep(40);
            report.complete(1);
        });
        Warehouse.log("get", report, "");
        report.get();
        Warehouse.log("result", report, "");
        Warehouse.log("count", done, "");
        done.await();
        Warehouse.log("counted", done, "");
        for (int i = 0; i < workers.length; i++) {
            orders.add(-1);
        }
        for (Thread worker : workers) {
            Warehouse.join(worker);
        }
        Warehouse.join(refresher);
        Warehouse.join(restocker);
        server.close();
        Warehouse.print();
    }
}
