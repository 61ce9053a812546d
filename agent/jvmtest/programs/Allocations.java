import java.io.File;
import java.io.PrintWriter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import javax.management.ObjectName;

/**
 * Allocates objects in known numbers, each kind in a method of its own, in one thread or several, and writes to the file
 * of the first argument: "made METHOD CLASS COUNT SIZE" and, after a collection, "live CLASS COUNT" as the JVM counts
 * them. CLASS is the JVM's internal name; the size is 0 if it depends on the JVM.
 */
public class Allocations {
	static class Plain { int a; }
	static class ByReflection { long a, b; }
	static class ByHandle { short a; }
	static class WithoutConstructor { double a; }
	static class Cloned implements Cloneable {
		byte a;
		Cloned copy() throws CloneNotSupportedException { return (Cloned) clone(); }
	}
	static class Kept { int a, b, c; }

	static final int COUNT = 500;
	static volatile Object sink;
	static volatile Class<?> lambda;
	static File folder; // has one file
	static final Object[][] kept = new Object[64][];

	static void plain() { for (int i = 0; i < COUNT; i++) sink = new Plain(); }

	static void primitives() {
		for (int i = 0; i < COUNT; i++) {
			sink = new boolean[1]; sink = new char[3]; sink = new float[5]; sink = new double[7];
			sink = new byte[9]; sink = new short[11]; sink = new int[13]; sink = new long[15];
		}
	}

	static void objects() { for (int i = 0; i < COUNT; i++) sink = new Plain[4]; }

	static void nested() { for (int i = 0; i < COUNT; i++) sink = new long[3][2]; }

	static void arraysByReflection() { for (int i = 0; i < COUNT; i++) sink = Array.newInstance(Plain.class, 6); }

	static void clones() throws Exception {
		Cloned one = new Cloned();
		for (int i = 1; i < COUNT; i++) sink = one.copy();
	}

	static void clonedArrays() {
		short[] one = new short[20];
		for (int i = 1; i < COUNT; i++) sink = one.clone();
	}

	static void reflection() throws Exception {
		Constructor<ByReflection> constructor = ByReflection.class.getDeclaredConstructor();
		for (int i = 0; i < COUNT; i++) sink = constructor.newInstance();
	}

	static void handles() throws Throwable {
		MethodHandle constructor = MethodHandles.lookup().findConstructor(ByHandle.class, MethodType.methodType(void.class));
		for (int i = 0; i < COUNT; i++) sink = (ByHandle) constructor.invokeExact();
	}

	static void withoutConstructor() throws Exception { // Unsafe by reflection, as the compiler warns of its name
		Class<?> unsafe = Class.forName("sun.misc.Unsafe");
		Field field = unsafe.getDeclaredField("theUnsafe");
		field.setAccessible(true);
		Object one = field.get(null);
		Method allocate = unsafe.getMethod("allocateInstance", Class.class);
		for (int i = 0; i < COUNT; i++) sink = allocate.invoke(one, WithoutConstructor.class);
	}

	static void boxes() { for (int i = 0; i < COUNT; i++) sink = 1000 + i; }

	static void strings(char[] text) { for (int i = 0; i < COUNT; i++) sink = new String(text); }

	// lambdas makes objects of a hidden class.
	static void lambdas() {
		for (int i = 0; i < COUNT; i++) {
			int captured = i;
			java.util.function.IntSupplier one = () -> captured;
			sink = one;
			lambda = one.getClass();
		}
	}

	// listed makes two arrays by JNI: the JDK's native method fills one and copies what it has.
	static void listed() { for (int i = 0; i < COUNT; i++) sink = folder.list(); }

	static void keep(int thread) {
		Object[] mine = kept[thread] = new Object[COUNT / 5];
		for (int i = 0; i < COUNT; i++) {
			Object one = new Kept();
			if (i % 5 == 0) mine[i / 5] = one;
		}
	}

	static void all(int thread, char[] text) {
		try {
			plain(); primitives(); objects(); nested(); arraysByReflection(); clones(); clonedArrays(); reflection();
			handles(); withoutConstructor(); boxes(); strings(text); lambdas();
			listed(); keep(thread);
		} catch (Throwable e) {
			throw new AssertionError(e);
		}
	}

	static final String[] MADE = {
		"plain LAllocations$Plain 1 16", "objects [LAllocations$Plain; 1 32", "nested [[J 1 0", "nested [J 3 32",
		"arraysByReflection [LAllocations$Plain; 1 40", "copy LAllocations$Cloned 0 16",
		"reflection LAllocations$ByReflection 1 32", "handles LAllocations$ByHandle 1 16",
		"withoutConstructor LAllocations$WithoutConstructor 1 24", "boxes Ljava/lang/Integer; 1 16",
		"strings Ljava/lang/String; 1 24", "keep LAllocations$Kept 1 24", "primitives [Z 1 24", "primitives [C 1 24",
		"primitives [F 1 40", "primitives [D 1 72", "primitives [B 1 32", "primitives [S 1 40", "primitives [I 1 72",
		"primitives [J 1 136", "lambdas LAMBDA 1 16", "listed [Ljava/lang/String; 2 0",
	};

	public static void main(String[] args) throws Exception {
		int threads = Integer.parseInt(args[1]);
		char[] text = "trcx".toCharArray();
		folder = new File(args[0] + ".folder");
		if (!folder.mkdir() || !new File(folder, "file").createNewFile()) throw new AssertionError(folder);
		Thread[] all = new Thread[threads - 1];
		for (int i = 0; i < all.length; i++) {
			int number = i + 1;
			(all[i] = new Thread(() -> all(number, text), "allocator-" + number)).start();
		}
		all(0, text);
		for (Thread thread : all) thread.join();
		String histogram = (String) ManagementFactory.getPlatformMBeanServer().invoke(
			new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram", new Object[] {new String[0]},
			new String[] {String[].class.getName()});
		try (PrintWriter out = new PrintWriter(args[0])) {
			for (String line : MADE) {
				String[] part = line.split(" ");
				int each = Integer.parseInt(part[2]);
				int count = threads * (each > 0 ? each * COUNT : COUNT - 1);
				if (part[1].equals("LAMBDA")) part[1] = lambda.getName().replace('/', '.'); // as JVMTI names hidden classes
				out.println("made " + part[0] + " " + part[1].replaceAll("^L|;$", part[1].startsWith("[") ? "$0" : "") + " "
					+ count + " " + part[3]);
			}
			for (String line : histogram.split("\n")) {
				String[] part = line.trim().split("\\s+");
				if (part.length >= 4 && part[3].startsWith("Allocations$") && !part[3].contains("Lambda"))
					out.println("live " + part[3] + " " + part[1]);
			}
		}
		System.out.println("done");
	}
}
