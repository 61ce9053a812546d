import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Has a heap of some millions of objects, prints a line, and sleeps. */
public class Filled {
    static final Map<Integer, List<String>> kept = new HashMap<>();

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 1_000_000; i++) {
            kept.put(i, new ArrayList<>(List.of("text " + i)));
        }
        System.out.println("ready");
        Thread.sleep(3_600_000);
    }
}
