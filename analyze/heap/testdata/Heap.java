import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A heap with a known shape: a cache that retains lists of strings, an array, and one that only a weak reference has. */
class Heap {
    static final class Entry {
        final byte[] text = new byte[1000];
    }

    static final Map<Integer, List<Entry>> cache = new HashMap<>();
    static final byte[] large = new byte[100_000];
    static WeakReference<byte[]> weak;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 50; i++) {
            List<Entry> entries = new ArrayList<>();
            for (int k = 0; k < 10; k++) {
                entries.add(new Entry());
            }
            cache.put(i, entries);
        }
        weak = new WeakReference<>(new byte[70_000]);
        System.out.println("ready");
        System.in.read();
    }
}
