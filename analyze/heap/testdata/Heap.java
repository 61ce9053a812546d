import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A heap with a known shape: a cache that retains lists of strings, an array, and one that only a weak reference has;
 * equal strings and arrays, and containers that are nearly empty.
 */
class Heap {
    static final class Entry {
        final byte[] text = new byte[1000];
    }

    static final Map<Integer, List<Entry>> cache = new HashMap<>();
    static final byte[] large = new byte[100_000];
    static WeakReference<byte[]> weak;

    static final class Sparse extends ArrayList<Object> {
        Sparse() {
            super(1000);
        }
    }

    static final class Table extends HashMap<Integer, Object> {
        Table() {
            super(1024);
        }
    }

    static final List<Object> copies = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 50; i++) {
            List<Entry> entries = new ArrayList<>();
            for (int k = 0; k < 10; k++) {
                entries.add(new Entry());
            }
            cache.put(i, entries);
        }
        weak = new WeakReference<>(new byte[70_000]);
        for (int i = 0; i < 30; i++) {
            copies.add(new String(new char[] {'t', 'w', 'i', 'n'}));
            copies.add(new String(new char[] {'t', '\u20ac'}));
            copies.add(new long[] {1, 0, 3});
            Sparse sparse = new Sparse();
            sparse.add(i);
            copies.add(sparse);
            Table table = new Table();
            table.put(1, i);
            table.put(2, i);
            copies.add(table);
        }
        System.out.println("ready");
        System.in.read();
    }
}
