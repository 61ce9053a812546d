import java.util.HashMap;
import java.util.Map;

/** One thread that locks, allocates, throws and computes without contention: recording it should cost nothing. */
public class Uncontended {
    private static final int ROUNDS = 20_000_000;

    public static void main(String[] args) {
        Map<Integer, StringBuffer> texts = new HashMap<>();
        long sum = 0, thrown = 0;
        for (int i = 0; i < ROUNDS; i++) {
            StringBuffer text = texts.computeIfAbsent(i % 1000, key -> new StringBuffer()); // its methods are synchronized
            if (text.length() > 1000) {
                text.setLength(0);
            }
            text.append(i);
            sum += text.length() ^ i * 31L;
            if (i % 100 == 0) {
                try {
                    throw new IllegalStateException();
                } catch (IllegalStateException e) {
                    thrown++;
                }
            }
        }
        System.out.println(sum + " " + thrown);
    }
}
