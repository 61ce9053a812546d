import java.util.function.IntSupplier;

/** Returns from within loops, switches, handlers and lambdas. */
public class ControlFlow {
    static final Object LOCK = new Object();

    static int inLoops(int limit) {
        for (int i = 0; i < limit; i++) {
            if (i * i > limit) {
                return i;
            }
        }
        int left = 7;
        do {
            if (left == 3) {
                continue;
            }
            if (left == limit) {
                return left;
            }
        } while (--left > 0);
        return -1;
    }

    static String inSwitches(int i) {
        switch (i) { // a tableswitch
            case 0: i++;
            case 1: return "one";
            case 2: break;
            case 3: case 4: return "more";
            default: if (i % 2 == 0) return "even";
        }
        switch (i * 1000) { // a lookupswitch
            case 1000: break;
            case 7000: return "seven";
            case -9: throw new IllegalStateException();
            default:
        }
        switch ("text" + i) {
            case "text5" -> { return "five"; }
            case "text6" -> i++;
            default -> { }
        }
        return "text" + i;
    }

    static int inTryFinally(int i) {
        try {
            synchronized (LOCK) {
                try {
                    if (i == 1) throw new RuntimeException();
                    if (i == 2) return 2;
                } finally {
                    i += 10;
                    if (i == 13) return i;
                }
            }
        } catch (IllegalMonitorStateException e) {
            return 20;
        } catch (RuntimeException e) {
            i++;
        }
        return i;
    }

    static double longAndDouble(long wide, double wider) {
        for (; wide > wider; wide--) {
            if (wide == 3) {
                return wider;
            }
        }
        return wide;
    }

    static IntSupplier inLambda(boolean first) {
        int[] array = {1, 2};
        return () -> {
            if (first) {
                return array[0];
            }
            return new Object() {
                int second() {
                    return array[1];
                }
            }.second();
        };
    }

    static class Constructed {
        final Object made;

        Constructed(boolean first) {
            this(first ? LOCK : new Object());
        }

        Constructed(Object made) {
            if (made == null) {
                this.made = LOCK;
                return;
            }
            this.made = made;
        }
    }

    public static void main(String[] arguments) {
        if (arguments.length > 3) {
            return;
        }
        StringBuilder results = new StringBuilder();
        for (int i = 0; i < 9; i++) {
            results.append(inLoops(i)).append(inSwitches(i)).append(inTryFinally(i)).append(longAndDouble(i, 1.5));
            results.append(inLambda(i > 3).getAsInt()).append(new Constructed(i > 3).made == LOCK);
        }
        System.out.println(results);
    }
}
