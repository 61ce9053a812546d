import java.util.ArrayList;

/**
 * Allocates objects and enters contended monitors in methods that the compilers inline into one. The lines that do have
 * a comment: "allocates CLASS" or "enters CLASS", by the JVM's internal names. Argument: the number of rounds.
 */
public class Sites {
	static class Order {
		final long[] items = new long[10]; // allocates [J
		final Part part;

		Order() {
			part = new Part(); // allocates Sites$Part
		}
	}
	static class Part { int[] marks = new int[3]; } // allocates [I
	static class Red { int entered; }
	static class Green { int entered; }

	static final ArrayList<Object> kept = new ArrayList<>();
	static final Red red = new Red();
	static final Green green = new Green();
	static volatile Object sink;
	static volatile long computed;

	static void order(int number) {
		Order order = new Order(); // allocates Sites$Order
		if (number % 10 == 0) kept.add(order);
		sink = order;
	}

	static void compute() { for (int i = 0; i < 2000; i++) computed += i; }

	static void enter(int number) {
		synchronized (red) { // enters Sites$Red
			red.entered++;
			compute();
		}
		green(number);
	}

	static void green(int number) {
		if (number % 2 == 0) compute();
		synchronized (green) { // enters Sites$Green
			green.entered++;
			compute();
		}
	}

	public static void main(String[] args) throws Exception {
		int rounds = Integer.parseInt(args[0]);
		Thread[] threads = new Thread[3];
		for (int t = 0; t < threads.length; t++) {
			threads[t] = new Thread(() -> { for (int i = 0; i < rounds; i++) enter(i); }, "enters-" + t);
			threads[t].start();
		}
		for (int i = 0; i < rounds; i++) order(i);
		for (Thread thread : threads) thread.join();
		System.out.println(red.entered + green.entered);
	}
}
