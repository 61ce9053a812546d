import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.LongAdder;

/** Makes a heap of objects whose fields lie in memory in every way that there is, says so, and waits for a byte. */
public class Heap {
    static class Node { Node next; long number; int count; byte flag; Object value; }
    static class Small { byte flag; }
    static class Derived extends Small { byte flag; short count; Object value; }
    static class Deep extends Derived { boolean flag; double number; char[] text; }
    static class Empty {}
    static class OfEmpty extends Empty { long number; boolean flag; }
    static class Odd { int a; int b; int c; long d; byte e; short f; boolean g; }
    static class OddToo extends Odd { Object h; byte i; long j; }

    static long numberOfTheClass = 1;
    static boolean flagOfTheClass = true;
    static Object referenceOfTheClass = new Object();

    static Object wasted;

    static final List<Object> kept = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        Node last = null;
        for (int i = 0; i < 2000; i++) {
            Node node = new Node();
            node.next = last;
            node.value = "value " + i;
            kept.add(last = node);
            for (Object o : new Object[] {new Small(), new Derived(), new Deep(), new Empty(), new OfEmpty(), new Odd(), new OddToo()}) {
                kept.add(o);
            }
            kept.add(new byte[i % 50]);
            kept.add(new char[i % 30]);
            kept.add(new long[i % 7]);
            kept.add(new double[i % 3][i % 5]);
            kept.add(new boolean[i % 9]);
            kept.add(new Object[i % 11]);
            kept.add(new HashMap<>(Map.of(i, (long) i)));
            waste(i);
        }
        introspect();
        contend();
        System.out.println("ready");
        System.out.flush();
        System.in.read();
    }

    /** Makes objects that nobody keeps, between those that are kept, as most programs do. */
    static void waste(int i) {
        for (int n = 0; n < 20; n++) {
            wasted = n % 3 == 0 ? new byte[(i * 7 + n * 13) % 300] : n % 3 == 1 ? new Deep() : "waste " + i + n;
        }
    }

    /** Makes objects of classes to which the JVM adds fields. */
    static void introspect() throws Exception {
        for (Module module : ModuleLayer.boot().modules()) {
            kept.add(module);
        }
        for (int i = 0; i < 50; i++) {
            MethodHandle length = MethodHandles.lookup().findVirtual(String.class, "length", MethodType.methodType(int.class));
            kept.add(MethodHandles.insertArguments(length, 0, "bound " + i));
            waste(i);
            kept.add(new InternalError("kept"));
            Thread thread = new Thread(() -> { }, "kept " + i);
            kept.add(thread);
            waste(i);
            kept.add(new URLClassLoader(new URL[0]));
        }
        StackWalker.getInstance().walk(frames -> kept.addAll(frames.toList()));
        kept.add(ForkJoinPool.commonPool().submit(() -> 1).get());
        kept.add(new Exchanger<String>());
        SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>();
        publisher.consume(n -> { });
        kept.add(publisher);
    }

    /** Makes objects that the JVM keeps apart from others. */
    static void contend() throws InterruptedException {
        LongAdder adder = new LongAdder();
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        kept.add(adder);
        kept.add(map);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int first = t * 100_000;
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 20_000; i++) {
                    adder.add(1);
                    map.put((first + i) % 1000, i);
                }
            }, "worker-" + t);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
