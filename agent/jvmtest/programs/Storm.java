import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** A busy program that handles signals itself, and ends after the given milliseconds. It prints when it is ready for them, and whether there were any. */
public class Storm {
    public static void main(String[] args) throws Exception {
        AtomicInteger signals = new AtomicInteger();
        for (String name : new String[] {"HUP", "TERM", "INT"}) {
            handle(name, signals);
        }
        long end = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000;
        Monitor monitor = new Monitor.Red();
        Thread[] threads = new Thread[6];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> contend(monitor, end), "busy-" + i);
            threads[i].start();
        }
        System.out.println("ready");
        System.out.flush();
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("signals " + (signals.get() > 0));
    }

    /** sun.misc.Signal by reflection: the compiler's warning of it cannot be suppressed. */
    static void handle(String name, AtomicInteger signals) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object counter = Proxy.newProxyInstance(Storm.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
            signals.incrementAndGet();
            return null;
        });
        Method handle = signal.getMethod("handle", signal, handler);
        handle.invoke(null, signal.getConstructor(String.class).newInstance(name), counter);
    }

    static void contend(Monitor monitor, long end) {
        while (System.nanoTime() < end) {
            synchronized (monitor) {
                monitor.notify();
                Truth.pause(20);
            }
            int[] garbage = new int[1000];
            garbage[0]++;
        }
    }
}
