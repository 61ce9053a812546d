import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A short program with each kind of event, and with more threads and monitors at a time than a native method has local
 * references. Its arguments: "virtual" for virtual threads, then "again" to run once for each line of input.
 */
public final class Everything {
    private static final int MANY = 40;
    private static boolean virtual;

    private Everything() { }

    interface Task {
        void run() throws Exception;
    }

    private static Thread start(String name, Task task) {
        Runnable run = () -> {
            try {
                task.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
        Thread thread = virtual ? Truth.virtual(name, run) : new Thread(run, name);
        thread.start();
        return thread;
    }

    private static List<Thread> startMany(Task task) {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            all.add(start("many-" + i, task));
        }
        return all;
    }

    private static void await(List<Thread> threads, Thread.State state) throws InterruptedException {
        for (Thread thread : threads) {
            while (thread.getState() != state) {
                Thread.sleep(1);
            }
        }
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Many threads wait on one monitor. */
    private static void waits() throws InterruptedException {
        Object monitor = new Object();
        List<Thread> all = startMany(() -> {
            synchronized (monitor) {
                monitor.wait();
            }
        });
        await(all, Thread.State.WAITING);
        all.get(0).interrupt();
        synchronized (monitor) {
            monitor.notify();
            monitor.notifyAll();
        }
        join(all);
    }

    /** Many threads are blocked on a monitor of a thread that owns many monitors and waits. */
    private static void blocks() throws InterruptedException {
        Object[] monitors = new Object[MANY];
        for (int i = 0; i < MANY; i++) {
            monitors[i] = new Object();
        }
        CountDownLatch entered = new CountDownLatch(1);
        Thread owner = start("owner", () -> enter(monitors, 0, entered));
        entered.await();
        List<Thread> all = startMany(() -> {
            synchronized (monitors[MANY / 2]) {
                Thread.yield();
            }
        });
        await(all, Thread.State.BLOCKED);
        Thread.sleep(60); // meanwhile the agent asks for the virtual threads' monitors
        LockSupport.unpark(owner);
        join(all);
        owner.join();
    }

    private static void enter(Object[] monitors, int i, CountDownLatch entered) {
        if (i == monitors.length) {
            entered.countDown();
            LockSupport.park();
            return;
        }
        synchronized (monitors[i]) {
            enter(monitors, i + 1, entered);
        }
    }

    private static void locks() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        List<Thread> all = startMany(() -> {
            lock.lockInterruptibly();
            try {
                condition.await();
            } finally {
                lock.unlock();
            }
        });
        lock.lock();
        while (lock.getWaitQueueLength(condition) < MANY) { // a thread that is WAITING may still wait for the lock
            lock.unlock();
            Thread.sleep(1);
            lock.lock();
        }
        condition.signal();
        condition.signalAll();
        lock.unlock();
        join(all);
    }

    private static void sleeps() throws InterruptedException {
        Thread sleeper = start("sleeper", () -> Thread.sleep(3_600_000));
        await(List.of(sleeper), Thread.State.TIMED_WAITING);
        sleeper.interrupt();
        sleeper.join();
    }

    private static void transfers() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread client = start("client", () -> {
                try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                    Thread.sleep(5);
                    socket.getOutputStream().write(1);
                }
            });
            try (Socket socket = server.accept()) {
                socket.getInputStream().read();
            }
            client.join();
        }
    }

    /** Objects of several classes, one of them new, and a collection. */
    private static void objects() {
        List<Object> kept = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            kept.add(new int[i % 64]);
        }
        ClassLoader loader = new ClassLoader() { };
        kept.add(Proxy.newProxyInstance(loader, new Class<?>[] {Runnable.class}, (proxy, method, args) -> null));
        kept.clear();
        System.gc();
    }

    private static void all() throws Exception {
        waits();
        blocks();
        locks();
        sleeps();
        transfers();
        objects();
        System.out.println("done");
    }

    public static void main(String[] args) throws Exception {
        virtual = args[0].equals("virtual");
        if (args.length == 1) {
            all();
            return;
        }
        System.out.println("ready");
        while (System.in.read() >= 0) {
            all();
        }
    }
}
