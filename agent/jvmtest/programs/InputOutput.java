import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Waits for input and output, each on a thread of its own, and logs to a file: "OPERATION ID BEGIN END CLASS HOW COUNT". The operation is named as in the trace,
 * the times are in nanoseconds since the Unix epoch, the class is the channel's, HOW is "ended", "timeout" by an exception, "timed", or "existed"
 * before the recording, and COUNT is the number of waits: "1+" for one or more. A line "none ID BEGIN END - - 0" is a thread that never waits. Its arguments: the file, then "virtual" for virtual threads,
 * and then "again" to print "ready" after all, wait for a byte of input, do all once more, which it logs, wait for another byte, and do all without logging.
 */
public final class InputOutput {
    private static final String ENDED = "ended", TIMEOUT = "timeout", SELECTED = "timed", EXISTED = "existed", ONE = "1", MANY = "1+";
    private static final String SOCKET = "java.net.Socket", SERVER = "java.net.ServerSocket";
    private static final String CHANNEL = "java.nio.channels.SocketChannel", SERVER_CHANNEL = "java.nio.channels.ServerSocketChannel";
    private static final String DATAGRAMS = "java.nio.channels.DatagramChannel";
    /** SHORT is long enough that a thread on a busy machine begins to wait before it is over: the JDK does not wait after that. */
    private static final int PAUSE = 100, SHORT = 200, LONG = 20_000, FLOOD = 1 << 20;
    private static final InetAddress LOCAL = InetAddress.getLoopbackAddress();
    private static boolean virtual;
    private static List<String> lines = new ArrayList<>();

    private InputOutput() { }

    /** What a thread does. */
    private interface Work {
        void run() throws Exception;
    }

    @SuppressWarnings("deprecation") // threadId is newer than JDK 17
    private static long id(Thread thread) {
        return thread.getId();
    }

    private static Thread start(Runnable work) throws Exception {
        if (virtual) {
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
        }
        Thread thread = new Thread(work);
        thread.start();
        return thread;
    }

    /** Runs the work in a thread, and what ends its wait some time after it has begun; logs the thread's times. */
    private static void check(String operation, String channel, String how, String count, Work work, Work end) throws Exception {
        Exception[] thrown = new Exception[1];
        long[] times = new long[2];
        AtomicBoolean begun = new AtomicBoolean();
        Thread thread = start(() -> {
            begun.set(true);
            times[0] = Truth.now();
            try {
                work.run();
                thrown[0] = how.equals(TIMEOUT) ? new IOException("no timeout") : null;
            } catch (SocketTimeoutException e) {
                thrown[0] = how.equals(TIMEOUT) ? null : e;
            } catch (Exception e) {
                thrown[0] = e;
            }
            times[1] = Truth.now();
        });
        while (!begun.get() || thread.isAlive() && !mayWait(thread)) {
            Thread.sleep(1);
        }
        Thread.sleep(PAUSE);
        end.run();
        thread.join();
        if (thrown[0] != null) {
            throw thrown[0];
        }
        lines.add(operation + " " + id(thread) + " " + times[0] + " " + times[1] + " " + channel + " " + how + " " + count);
    }

    /** Whether the thread waits, or is in native code, where it may wait. */
    private static boolean mayWait(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING || stack.length > 0 && stack[0].isNativeMethod();
    }

    private static final Work NOTHING = () -> { };

    /** Two connected sockets. */
    private record Pair(Socket near, Socket far) implements AutoCloseable {
        static Pair open() throws IOException {
            try (ServerSocket server = new ServerSocket(0, 1, LOCAL)) {
                Socket near = new Socket(LOCAL, server.getLocalPort());
                return new Pair(near, server.accept());
            }
        }

        @Override
        public void close() throws IOException {
            near.close();
            far.close();
        }
    }

    private static void sockets() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, LOCAL)) {
            check("accept", SERVER, ENDED, ONE, () -> server.accept().close(), () -> new Socket(LOCAL, server.getLocalPort()).close());
            server.setSoTimeout(SHORT);
            check("accept", SERVER, TIMEOUT, ONE, () -> server.accept().close(), NOTHING);
            server.setSoTimeout(LONG);
            check("accept", SERVER, ENDED, ONE, () -> server.accept().close(), () -> new Socket(LOCAL, server.getLocalPort()).close());
        }
        try (Pair pair = Pair.open()) {
            InputStream in = pair.near.getInputStream();
            OutputStream out = pair.far.getOutputStream();
            check("read", SOCKET, ENDED, ONE, in::read, () -> out.write(1));
            pair.near.setSoTimeout(SHORT);
            check("read", SOCKET, TIMEOUT, ONE, in::read, NOTHING);
            pair.near.setSoTimeout(LONG);
            check("read", SOCKET, ENDED, ONE, in::read, () -> out.write(1));
            out.write(new byte[1000]);
            check("none", "-", "-", "0", () -> in.readNBytes(1000), NOTHING);
        }
        try (Pair pair = Pair.open()) {
            check("write", SOCKET, ENDED, MANY, () -> pair.near.getOutputStream().write(new byte[8 * FLOOD]),
                () -> pair.far.getInputStream().readNBytes(8 * FLOOD));
            check("none", "-", "-", "0", () -> pair.near.getOutputStream().write(new byte[100]), NOTHING);
        }
    }

    /** Connects to a server whose queue is full, which answers when it has accepted. */
    private static void connects() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, LOCAL); Socket late = new Socket(); Socket latest = new Socket()) {
            InetSocketAddress address = new InetSocketAddress(LOCAL, server.getLocalPort());
            List<Socket> queued = new ArrayList<>();
            boolean full = false;
            while (!full && queued.size() < 10) {
                Socket socket = new Socket();
                try {
                    socket.connect(address, 200);
                    queued.add(socket);
                } catch (SocketTimeoutException e) {
                    full = true;
                }
            }
            check("connect", SOCKET, TIMEOUT, ONE, () -> late.connect(address, SHORT), NOTHING);
            check("connect", SOCKET, ENDED, ONE, () -> latest.connect(address), () -> {
                while (!queued.isEmpty()) {
                    server.accept().close();
                    queued.remove(0).close();
                }
            });
        }
    }

    private static void flood(SocketChannel channel) throws IOException {
        for (ByteBuffer out = ByteBuffer.allocateDirect(8 * FLOOD); out.hasRemaining();) {
            channel.write(out);
        }
    }

    private static void gather(SocketChannel channel) throws IOException {
        ByteBuffer[] out = {ByteBuffer.allocateDirect(FLOOD), ByteBuffer.allocateDirect(7 * FLOOD)};
        while (out[1].hasRemaining()) {
            channel.write(out);
        }
    }

    private static void channels() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(LOCAL, 0));
            SocketChannel[] far = new SocketChannel[1];
            SocketChannel near = SocketChannel.open();
            check("accept", SERVER_CHANNEL, ENDED, ONE, () -> far[0] = server.accept(), () -> near.connect(server.getLocalAddress()));
            check("read", CHANNEL, ENDED, ONE, () -> near.read(ByteBuffer.allocate(10)), () -> far[0].write(ByteBuffer.allocate(1)));
            near.socket().setSoTimeout(SHORT);
            check("read", CHANNEL, TIMEOUT, ONE, () -> near.socket().getInputStream().read(), NOTHING);
            check("read", CHANNEL, ENDED, ONE, () -> near.read(new ByteBuffer[] {ByteBuffer.allocate(1), ByteBuffer.allocate(1)}),
                () -> far[0].write(ByteBuffer.allocate(2)));
            check("write", CHANNEL, ENDED, MANY, () -> flood(near), () -> far[0].socket().getInputStream().readNBytes(8 * FLOOD));
            check("write", CHANNEL, ENDED, MANY, () -> gather(near), () -> far[0].socket().getInputStream().readNBytes(8 * FLOOD));
            near.configureBlocking(false);
            check("none", "-", "-", "0", () -> near.read(ByteBuffer.allocate(10)), NOTHING);
            near.close();
            far[0].close();
        }
    }

    private static void unixDomain() throws Exception {
        Path path = Files.createTempFile("trcx", ".socket");
        Files.delete(path);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            check("accept", SERVER_CHANNEL, ENDED, ONE, () -> server.accept().close(),
                () -> SocketChannel.open(UnixDomainSocketAddress.of(path)).close());
        } finally {
            Files.delete(path);
        }
    }

    private static void datagrams() throws Exception {
        try (DatagramSocket socket = new DatagramSocket(0, LOCAL); DatagramChannel channel = DatagramChannel.open()) {
            DatagramPacket packet = new DatagramPacket(new byte[10], 10);
            DatagramPacket sent = new DatagramPacket(new byte[10], 10, LOCAL, socket.getLocalPort());
            check("read", DATAGRAMS, ENDED, ONE, () -> socket.receive(packet), () -> new DatagramSocket().send(sent));
            socket.setSoTimeout(SHORT);
            check("read", DATAGRAMS, TIMEOUT, ONE, () -> socket.receive(packet), NOTHING);
            channel.bind(new InetSocketAddress(LOCAL, 0));
            DatagramPacket other = new DatagramPacket(new byte[10], 10, channel.getLocalAddress());
            check("read", DATAGRAMS, ENDED, ONE, () -> channel.receive(ByteBuffer.allocate(10)), () -> new DatagramSocket().send(other));
        }
    }

    /** Streams of another process, which copies its input. */
    private static void processes() throws Exception {
        Process copy = new ProcessBuilder("cat").start();
        try (InputStream in = copy.getInputStream(); OutputStream out = copy.getOutputStream()) {
            Work write = () -> {
                out.write(1);
                out.flush();
            };
            check("read", "java.io.FileInputStream", ENDED, ONE, in::read, write);
            check("read", "java.io.FileInputStream", ENDED, ONE, () -> in.read(new byte[10]), write);
            check("write", "java.io.FileOutputStream", ENDED, ONE, () -> out.write(new byte[FLOOD]), () -> in.readNBytes(FLOOD));
            check("none", "-", "-", "0", () -> Files.readAllBytes(Path.of("/proc/self/status")), NOTHING);
        }
        copy.waitFor();
    }

    private static void selectors() throws Exception {
        String kind = "java.nio.channels.Selector";
        try (Selector selector = Selector.open()) {
            check("select", kind, ENDED, ONE, selector::select, selector::wakeup);
            check("select", kind, ENDED, ONE, () -> selector.select(LONG), selector::wakeup);
            check("select", kind, SELECTED, ONE, () -> selector.select(SHORT), NOTHING);
            check("none", "-", "-", "0", selector::selectNow, NOTHING);
            selector.wakeup();
            check("none", "-", "-", "0", selector::select, NOTHING);
            Thread[] selecting = new Thread[1];
            check("select", kind, ENDED, ONE, () -> {
                selecting[0] = Thread.currentThread();
                selector.select();
            }, () -> selecting[0].interrupt());
        }
    }

    private static void all() throws Exception {
        lines = new ArrayList<>();
        sockets();
        connects();
        channels();
        datagrams();
        if (!virtual) { // JDK 21 and later pin a virtual thread that selects
            unixDomain();
            processes();
            selectors();
        }
    }

    /** Does everything again once a byte of input has come, for which threads wait meanwhile. */
    private static void again() throws Exception {
        Work ready = () -> {
            System.out.println("ready");
            System.in.read();
            Thread.sleep(PAUSE);
        };
        lines = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 1, LOCAL); Pair pair = Pair.open(); Selector selector = Selector.open()) {
            pair.near.setSoTimeout(LONG * 10);
            check("accept", SERVER, EXISTED, ONE, () -> server.accept().close(),
                () -> check("read", SOCKET, EXISTED, ONE, () -> pair.near.getInputStream().read(),
                    () -> check("select", "java.nio.channels.Selector", EXISTED, ONE, () -> selector.select(), () -> {
                        ready.run();
                        new Socket(LOCAL, server.getLocalPort()).close();
                        pair.far.getOutputStream().write(1);
                        selector.wakeup();
                    })));
        }
        List<String> existed = lines;
        all();
        lines.addAll(existed);
    }

    public static void main(String[] args) throws Exception {
        Truth.now();
        virtual = args.length > 1 && args[1].equals("virtual");
        all();
        if (args.length > 2) {
            again();
        }
        try (PrintStream out = new PrintStream(args[0])) {
            lines.forEach(out::println);
        }
        System.out.println("done");
        if (args.length > 2) {
            System.in.read();
            all();
            System.out.println("done");
        }
    }
}
