import java.io.PrintWriter;

/** Allocates objects of several sizes in known numbers, and writes "CLASS COUNT BYTES" to the file of the argument. */
public class Samples {
	static class Small { int a; }
	static class Middle { long a, b, c; }
	static class Large { long a, b, c, d, e, f, g, h, i, j, k, l; }

	static volatile Object sink;

	public static void main(String[] args) throws Exception {
		for (int i = 0; i < 1_500_000; i++) sink = new Small();
		for (int i = 0; i < 800_000; i++) sink = new Middle();
		for (int i = 0; i < 250_000; i++) sink = new Large();
		for (int i = 0; i < 30_000; i++) sink = new Small[250];
		for (int i = 0; i < 700; i++) sink = new Middle[10_000];
		for (int i = 0; i < 100; i++) sink = new Large[300_000];
		try (PrintWriter out = new PrintWriter(args[0])) {
			out.println("Samples$Small 1500000 " + 16L * 1_500_000);
			out.println("Samples$Middle 800000 " + 40L * 800_000);
			out.println("Samples$Large 250000 " + 112L * 250_000);
			out.println("[LSamples$Small; 30000 " + 1016L * 30_000);
			out.println("[LSamples$Middle; 700 " + 40_016L * 700);
			out.println("[LSamples$Large; 100 " + 1_200_016L * 100);
		}
		System.out.println("done");
	}
}
