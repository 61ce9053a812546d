/**
 * Java features that use signals: null pointers and divisions by zero in compiled code, stack overflows. The counts are exact, with and without an agent.
 */
public class Results {
    static final class Node {
        int value = 1;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[3];
        String[] results = new String[threads.length];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(null, () -> results[number] = count(number), "counter-" + i, 512 << 10);
            threads[i].start();
        }
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            System.out.println(results[i]);
        }
    }

    static String count(int seed) {
        int nulls = 0;
        int zeros = 0;
        int overflows = 0;
        long sum = 0;
        for (int i = 0; i < 60_000; i++) {
            try {
                sum += value(i % 7 == seed ? null : new Node());
            } catch (NullPointerException e) {
                nulls++;
            }
            try {
                sum += quotient(i, i % 5);
            } catch (ArithmeticException e) {
                zeros++;
            }
            if (i % 2000 == 0) {
                try {
                    sum += depth(1);
                } catch (StackOverflowError e) {
                    overflows++;
                }
            }
        }
        return nulls + " " + zeros + " " + overflows + " " + (sum > 0);
    }

    static int value(Node node) {
        return node.value;
    }

    static int quotient(int a, int b) {
        return a / b;
    }

    static int depth(int n) {
        return depth(n + 1) + 1;
    }
}
