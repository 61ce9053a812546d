import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A thread releases a monitor or lock and takes it again at once, while others want it now and then. It computes, sleeps and reads from a socket while it
 * holds it. The file of the truth has a line for each hold: "METHOD ID FROM TO", in nanoseconds since the Unix epoch. Its arguments: the file, "platform" or "virtual",
 * "monitor" or "lock", then how long it runs, in milliseconds. With a further argument it moves on while it holds it: from prepares to uploads, where it is for 93 %
 * of the time; and the others want it nearly all the time.
 */
public final class Greedy {
    private static final int OTHERS = 6;
    private static final long STEP = 25_000_000; // nanoseconds

    private final Object monitor = new Object();
    private final ReentrantLock lock = new ReentrantLock();
    private final boolean locks;
    private final boolean moves;
    private final SocketChannel channel;
    private final List<List<String>> logs = new ArrayList<>();
    private volatile boolean stopped;

    private Greedy(boolean locks, boolean moves) throws IOException {
        this.locks = locks;
        this.moves = moves;
        ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        channel = SocketChannel.open(server.getLocalAddress());
        SocketChannel echo = server.accept();
        Thread echoing = new Thread(() -> echo(echo), "echo");
        echoing.setDaemon(true);
        echoing.start();
    }

    private static void echo(SocketChannel channel) {
        ByteBuffer one = ByteBuffer.allocate(1);
        try {
            while (channel.read(one) == 1) {
                pause();
                channel.write(one.flip());
                one.clear();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(STEP / 1_000_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long computes() {
        long sum = 0;
        for (long end = System.nanoTime() + STEP; System.nanoTime() < end;) {
            sum += end;
        }
        return sum;
    }

    private static void sleeps() {
        pause();
    }

    private void reads() {
        ByteBuffer one = ByteBuffer.allocate(1);
        try {
            channel.write(one);
            channel.read(one.clear());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long prepares() {
        long sum = 0;
        for (long end = System.nanoTime() + STEP * 28 / 10; System.nanoTime() < end;) {
            sum += end;
        }
        return sum;
    }

    private static long uploads() throws InterruptedException {
        long sum = 0;
        for (long end = System.nanoTime() + STEP * 372 / 10; System.nanoTime() < end;) {
            sum += end;
            if (sum % 3 == 0) {
                Thread.sleep(STEP / 1_000_000);
            }
        }
        return sum;
    }

    private static void brief() {
        for (long end = System.nanoTime() + STEP / 50; System.nanoTime() < end;) {
            Thread.onSpinWait();
        }
    }

    private void hold(int me, String... methods) {
        for (String method : methods) {
            long from = Truth.now();
            try {
                switch (method) {
                    case "computes" -> computes();
                    case "sleeps" -> sleeps();
                    case "reads" -> reads();
                    case "prepares" -> prepares();
                    case "uploads" -> uploads();
                    default -> brief();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            logs.get(me).add(method + " " + id() + " " + from + " " + Truth.now());
        }
    }

    @SuppressWarnings("deprecation") // threadId is newer than JDK 17
    private static long id() {
        return Thread.currentThread().getId();
    }

    private void holdOnce(int me, String... methods) {
        if (locks) {
            lock.lock();
            try {
                hold(me, methods);
            } finally {
                lock.unlock();
            }
        } else {
            synchronized (monitor) {
                hold(me, methods);
            }
        }
    }

    private void run(int me) {
        Random random = new Random(me);
        String[] methods = {"computes", "sleeps", "reads"};
        for (int i = 0; !stopped; i++) {
            if (me == 0 && moves) {
                holdOnce(me, "prepares", "uploads");
                pause();
                continue;
            }
            if (me == 0) {
                holdOnce(me, methods[i % methods.length]);
                continue;
            }
            try {
                Thread.sleep(moves ? 1 + random.nextInt(10) : 1000 + random.nextInt(1000));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            holdOnce(me, "brief");
        }
    }

    public static void main(String[] args) throws Exception {
        Greedy program = new Greedy(args[2].equals("lock"), args.length > 4);
        Truth.now();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i <= OTHERS; i++) {
            int me = i;
            program.logs.add(new ArrayList<>());
            Runnable run = () -> program.run(me);
            threads.add(args[1].equals("virtual") ? Truth.virtual("thread-" + me, run) : new Thread(run, "thread-" + me));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        Thread.sleep(Integer.parseInt(args[3]));
        program.stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
        try (PrintStream out = new PrintStream(args[0], "UTF-8")) {
            program.logs.forEach(log -> log.forEach(out::println));
        }
        System.out.println("done");
    }
}
