import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Methods call each other in many ways, and log to a file the tree of their calls: "node THREAD PATH CALLS", where a call of a method that is open already on
 * its thread counts at that node. Threads that are virtual are one, "virtual". "time within NANOS" and "time around NANOS" are how long
 * busy has lasted, measured within it and around it. Its arguments: the file; "wait"
 * prints "ready" and waits for a line first, "again" does all twice.
 */
public final class Executions {
    /** The log of a thread. The agent is told not to instrument this class. */
    static final class Log {
        private static final List<Log> ALL = new ArrayList<>();
        private static final Map<String, Long> VIRTUAL = new LinkedHashMap<>(), TIMES = new LinkedHashMap<>();
        private static final ThreadLocal<Log> MINE = ThreadLocal.withInitial(Log::new);
        private final String thread = Thread.currentThread().getName();
        private final Map<String, Long> nodes = new LinkedHashMap<>();
        private final Map<String, String> open = new HashMap<>();
        private final List<String> paths = new ArrayList<>(), methods = new ArrayList<>();

        private Log() {
            synchronized (ALL) {
                ALL.add(this);
            }
        }

        /** Logs a call; its parent is the latest one that has not ended. */
        static int in(String method) {
            Log log = MINE.get();
            String path = log.open.get(method), parent = log.paths.isEmpty() ? "" : log.paths.get(log.paths.size() - 1) + ";";
            if (path == null) {
                path = parent + method;
                log.open.put(method, path);
                log.methods.add(method);
            } else {
                log.methods.add(null);
            }
            log.paths.add(path);
            log.nodes.merge(path, 1L, Long::sum);
            return log.paths.size();
        }

        /** Ends the call of this depth, and those below it. */
        static void out(int depth) {
            Log log = MINE.get();
            while (log.paths.size() >= depth) {
                log.paths.remove(log.paths.size() - 1);
                log.open.remove(log.methods.remove(log.methods.size() - 1));
            }
        }

        static void took(String method, long nanos) {
            synchronized (ALL) {
                TIMES.merge(method, nanos, Long::sum);
            }
        }

        static void write(String file) throws Exception {
            try (PrintStream out = new PrintStream(file)) {
                synchronized (ALL) {
                    for (Log log : ALL) {
                        if (log.thread.equals("virtual")) {
                            log.nodes.forEach((path, calls) -> VIRTUAL.merge(path, calls, Long::sum));
                        } else {
                            log.nodes.forEach((path, calls) -> out.println("node " + log.thread + " " + path + " " + calls));
                        }
                    }
                    VIRTUAL.forEach((path, calls) -> out.println("node virtual " + path + " " + calls));
                    TIMES.forEach((method, nanos) -> out.println("time " + method + " " + nanos));
                }
            }
        }
    }

    static class Base {
        final int value;

        Base(int value) {
            int depth = Log.in("Executions$Base.<init>");
            try {
                this.value = checked(value);
            } finally {
                Log.out(depth);
            }
        }
    }

    /** Its constructor is open while super(…) throws. */
    static final class Derived extends Base {
        Derived(int value) {
            super(enter(value));
            Log.out(depths.get());
        }

        private static final ThreadLocal<Integer> depths = new ThreadLocal<>();

        static int enter(int value) {
            int depth = Log.in("Executions$Derived.<init>");
            depths.set(depth);
            int inner = Log.in("Executions$Derived.enter");
            try {
                return value;
            } finally {
                Log.out(inner);
            }
        }
    }

    private int state;

    private Executions() { }

    static int checked(int value) {
        int depth = Log.in("Executions.checked");
        try {
            if (value < 0) {
                throw new IllegalArgumentException();
            }
            return value;
        } finally {
            Log.out(depth);
        }
    }

    static void constructors() {
        int depth = Log.in("Executions.constructors");
        try {
            for (int i = 0; i < 50; i++) {
                try {
                    new Derived(i % 3 - 1);
                } catch (IllegalArgumentException e) {
                    Log.out(depth + 1);
                    leaf();
                }
            }
        } finally {
            Log.out(depth);
        }
    }

    static void leaf() {
        int depth = Log.in("Executions.leaf");
        Log.out(depth);
    }

    static int fibonacci(int n) {
        int depth = Log.in("Executions.fibonacci");
        try {
            return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
        } finally {
            Log.out(depth);
        }
    }

    static boolean even(int n) {
        int depth = Log.in("Executions.even");
        try {
            leaf();
            return n == 0 || odd(n - 1);
        } finally {
            Log.out(depth);
        }
    }

    static boolean odd(int n) {
        int depth = Log.in("Executions.odd");
        try {
            return n != 0 && even(n - 1);
        } finally {
            Log.out(depth);
        }
    }

    static void down(int n) {
        int depth = Log.in("Executions.down");
        try {
            if (n == 0) {
                throw new IllegalStateException();
            }
            down(n - 1);
        } finally {
            Log.out(depth);
        }
    }

    static void exceptions() {
        int depth = Log.in("Executions.exceptions");
        try {
            for (int frames : new int[] {1, 10, 1000}) {
                try {
                    down(frames);
                } catch (IllegalStateException e) {
                    leaf();
                }
            }
        } finally {
            Log.out(depth);
        }
    }

    /** How often it calls itself is not known. */
    static int endless(int n) {
        return endless(n + 1) + 1;
    }

    static void overflow() {
        int depth = Log.in("Executions.overflow");
        try {
            for (int i = 0; i < 3; i++) {
                try {
                    endless(0);
                } catch (StackOverflowError e) {
                    leaf();
                }
            }
        } finally {
            Log.out(depth);
        }
    }

    synchronized int locked() {
        int depth = Log.in("Executions.locked");
        try {
            return ++state;
        } finally {
            Log.out(depth);
        }
    }

    /** Its initialiser calls a method, in the thread that needs it first. */
    static final class Initialised {
        static int value;

        static {
            int depth = Log.in("Executions$Initialised.<clinit>");
            leaf();
            value = depth;
            Log.out(depth);
        }

        private Initialised() { }
    }

    static int initialiser() {
        int depth = Log.in("Executions.initialiser");
        try {
            return Initialised.value;
        } finally {
            Log.out(depth);
        }
    }

    static void lambdas() {
        int depth = Log.in("Executions.lambdas");
        try {
            Runnable lambda = () -> {
                int inner = Log.in("Executions." + new Throwable().getStackTrace()[0].getMethodName());
                leaf();
                Log.out(inner);
            };
            for (int i = 0; i < 7; i++) {
                lambda.run();
            }
        } finally {
            Log.out(depth);
        }
    }

    static long busy(long millis) {
        long begin = System.nanoTime();
        int depth = Log.in("Executions.busy");
        try {
            long sum = 0;
            while (System.nanoTime() - begin < millis * 1_000_000) {
                sum++;
            }
            return sum;
        } finally {
            Log.took("within", System.nanoTime() - begin);
            Log.out(depth);
        }
    }

    static void all() {
        int depth = Log.in("Executions.all");
        try {
            constructors();
            fibonacci(12);
            even(11);
            exceptions();
            overflow();
            initialiser();
            lambdas();
            long begin = System.nanoTime();
            busy(30);
            Log.took("around", System.nanoTime() - begin);
            Executions object = new Executions();
            for (int i = 0; i < 1000; i++) {
                object.locked();
            }
        } finally {
            Log.out(depth);
        }
    }

    static void parks() {
        int depth = Log.in("Executions.parks");
        try {
            for (int i = 0; i < 10; i++) {
                leaf();
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            Log.out(depth);
        }
    }

    /** Starts virtual threads, where the JDK has them, and waits for them. */
    static void virtual() throws Exception {
        List<Thread> threads = new ArrayList<>();
        try {
            Object builder = Class.forName("java.lang.Thread").getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            type.getMethod("name", String.class).invoke(builder, "virtual");
            for (int i = 0; i < 50; i++) {
                threads.add((Thread) type.getMethod("start", Runnable.class).invoke(builder, (Runnable) Executions::parks));
            }
        } catch (NoSuchMethodException e) {
            return; // before JDK 21
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static void once(int turn) throws Exception {
        Thread thread = new Thread(Executions::all, "worker-" + turn);
        thread.start();
        thread.join();
        virtual();
    }

    public static void main(String[] args) throws Exception {
        for (int turn = 0; turn < (args.length > 1 && args[1].equals("wait") ? 2 : 1); turn++) {
            if (args.length > 1) {
                System.out.println("ready");
                System.in.read();
            }
            once(turn);
        }
        Log.write(args[0]);
        System.out.println("done");
        Thread late = new Thread(() -> System.exit(0), "late");
        late.start();
        Thread.sleep(60_000);
    }
}
