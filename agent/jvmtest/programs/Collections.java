import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** Allocates, with full collections in between, and writes how many the JVM has counted: by collector, and in all. */
public class Collections {
	static final byte[][] kept = new byte[400][];
	static volatile Object sink;

	public static void main(String[] args) throws Exception {
		for (int round = 0; round < 4; round++) {
			for (int i = 0; i < 500; i++) {
				sink = new byte[100_000];
				if (i % 20 == 0) kept[round * 25 + i / 20] = new byte[100_000];
			}
			System.gc();
			Thread.sleep(200); // the cycle of a collector that works while the program runs ends
		}
		for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans())
			System.out.println(collector.getName() + ":" + collector.getCollectionCount());
	}
}
