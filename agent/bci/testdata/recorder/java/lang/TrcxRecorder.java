package java.lang;

/** Counts the reports. It uses almost nothing of the JDK, as it is called while the JVM starts. */
public final class TrcxRecorder {
    private static final String[] REPORTS = new String[1000];
    private static final int[] COUNTS = new int[1000];
    private static int size;

    private static synchronized void count(String report) {
        int i = 0;
        while (i < size && !REPORTS[i].equals(report)) {
            i++;
        }
        if (i == size) {
            REPORTS[size++] = report;
        }
        COUNTS[i]++;
    }

    private static String name(Object object) {
        return object == null ? "null" : object.getClass().getName();
    }

    /** The number of each report, by name: "started java.lang.VirtualThread". */
    public static synchronized int counted(String report) {
        for (int i = 0; i < size; i++) {
            if (REPORTS[i].equals(report)) {
                return COUNTS[i];
            }
        }
        return 0;
    }

    public static void started(Object thread) {
        count("started ".concat(name(thread)));
    }

    public static void interrupted(Object thread) {
        count("interrupted ".concat(name(thread)));
    }

    public static void sleepsNanos(long nanoseconds) {
        count("sleeps ".concat(Long.toString(nanoseconds)));
    }

    public static void slept() {
        count("slept");
    }

    public static void joins(Object thread, long nanoseconds) {
        count("joins ".concat(name(thread)).concat(" ").concat(Long.toString(nanoseconds)));
    }

    public static void joined(Object thread) {
        count("joined ".concat(name(thread)));
    }

    public static void parks(Object thread) {
        count("parks");
    }

    public static void parksNanos(Object thread, long nanoseconds) {
        count("parks");
    }

    public static void parked(Object thread) {
        count("parked");
    }

    public static void unparks(Object thread) {
        count("unparks");
    }

    public static void acquired(Object synchronizer, int result) {
        count("acquired ".concat(name(synchronizer)).concat(" ").concat(Integer.toString(result)));
    }

    public static void signals(Object condition, boolean all) {
        count("signals ".concat(name(condition)).concat(all ? " all" : ""));
    }

    public static void signalled(Object node) {
        count("signalled ".concat(name(node)));
    }
}
