/** Allocates objects, and keeps the latest ones, until its input ends. */
public final class Allocating {
    private static volatile boolean over;
    private static final Object[] kept = new Object[50_000];

    private Allocating() { }

    public static void main(String[] args) throws Exception {
        Thread reader = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    Thread.onSpinWait();
                }
            } catch (java.io.IOException e) {
                throw new IllegalStateException(e);
            } finally {
                over = true;
            }
        });
        reader.start();
        System.out.println("ready");
        for (int i = 0; !over; i++) {
            kept[i % kept.length] = new byte[64];
        }
        System.out.println("done");
    }
}
