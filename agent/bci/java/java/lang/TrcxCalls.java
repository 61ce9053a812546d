package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * What instrumented methods call. It is entered from class initialisers and from code that holds any lock, so it creates no
 * objects, calls no method of the JDK that could be instrumented, and throws nothing. All it keeps is in memory outside of
 * the Java heap, which agent/native/exec.h describes; the native methods are there, too.
 */
public final class TrcxCalls {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long TID = U.objectFieldOffset(Thread.class, "tid");

    // The layout of agent/native/exec.h: a slot of the threads, a thread's state, its nodes and its open calls.
    private static final int SLOT = 16, SLOTS = 1 << 20, PROBES = 64;
    private static final long COUNTS = 8, TOP = 16, LIMIT = 24, NODES = 32, METHODS = 40, METHOD_MASK = 48;
    private static final long CHILDREN = 56, CHILD_MASK = 64;
    private static final long PLACE = 8, OPEN = 4; // a place has the node where the method is open OPEN before its end
    private static final int NODE = 64;
    private static final long METHOD = 0, PARENT = 4, LAST = 8, NEXT = 12;
    private static final long CALLS = 16, BASE = 24, CUMULATIVE = 32, LEAST = 40, MOST = 48, FIRST = 56;
    private static final int CALL = 24;
    private static final long CALL_NODE = 0, CALL_PLACE = 4, CALL_START = 8, CALL_CALLEES = 16;

    // Set by the agent before a method is instrumented, and never reset.
    private static long flags, threads;

    private TrcxCalls() {}

    /** Notes that the method was called. */
    public static void cover(int method) {
        long at = flags + method;
        if (U.getByte(at) == 0) {
            U.putByte(at, (byte) 1);
        }
    }

    /** Counts a call. */
    public static void count(int method) {
        long state = state();
        if (state != 0) {
            long at = U.getLong(state + COUNTS) + 8L * method;
            U.putLong(at, U.getLong(at) + 1);
        }
    }

    /** Returns the state of the current thread, 0 if it has none. */
    private static long state() {
        Thread current = Thread.currentThread();
        long thread = U.getLong(current, TID);
        for (int tries = 0, at = (int) thread; tries < PROBES; tries++, at++) {
            long slot = threads + (long) (at & SLOTS - 1) * SLOT;
            long key = U.getLong(slot);
            if (key == thread) {
                return U.getLong(slot + 8);
            }
            if (key == 0) {
                break;
            }
        }
        return open(current, thread);
    }

    /** Begins a call. */
    public static void enter(int method) {
        long state = state();
        if (state == 0) {
            return;
        }
        long top = U.getLong(state + TOP);
        if (top == U.getLong(state + LIMIT)) {
            if (!grow(state)) {
                return;
            }
            top = U.getLong(state + TOP);
        }
        int place = place(state, method), node = place == 0 ? 0 : U.getInt(U.getLong(state + METHODS) + place * PLACE - OPEN);
        boolean inner = node != 0;
        if (!inner) {
            node = child(state, U.getInt(top + CALL_NODE), method);
            if (place == 0) { // the first call of the method on this thread
                place = place(state, method);
            }
        }
        long start = System.nanoTime(); // last of what a StackOverflowError can end
        long at = U.getLong(state + NODES) + (long) node * NODE;
        U.putLong(at + CALLS, U.getLong(at + CALLS) + 1);
        U.putInt(at + LAST, 0);
        top += CALL;
        U.putInt(top + CALL_NODE, node);
        U.putInt(top + CALL_PLACE, inner ? 0 : place);
        U.putLong(top + CALL_CALLEES, 0);
        U.putLong(top + CALL_START, start);
        U.putLong(state + TOP, top);
        if (!inner && place != 0) {
            U.putInt(U.getLong(state + METHODS) + place * PLACE - OPEN, node);
        }
    }

    /** Returns the place of the method among those that the thread has called, from 1; 0 if it is not among them. */
    private static int place(long state, int method) {
        long table = U.getLong(state + METHODS), mask = U.getLong(state + METHOD_MASK);
        for (long at = method & mask;; at = at + 1 & mask) {
            int key = U.getInt(table + at * PLACE);
            if (key == method + 1) {
                return (int) at + 1;
            }
            if (key == 0) {
                return 0;
            }
        }
    }

    /**
     * Returns the node of the method below its parent. A method often calls the same methods in the same order, so the callee
     * that followed the last one before is tried first: the table of all nodes does not fit in the cache of a processor.
     */
    private static int child(long state, int parent, int method) {
        long nodes = U.getLong(state + NODES), above = nodes + (long) parent * NODE;
        int last = U.getInt(above + LAST), node;
        if (last == 0) {
            node = U.getInt(above + FIRST);
            if (node == 0 || U.getInt(nodes + (long) node * NODE + METHOD) != method) {
                node = find(state, parent, method);
                U.putInt(U.getLong(state + NODES) + (long) parent * NODE + FIRST, node);
            }
        } else if (U.getInt(nodes + (long) last * NODE + METHOD) == method) {
            return last;
        } else {
            node = U.getInt(nodes + (long) last * NODE + NEXT);
            long at = nodes + (long) node * NODE;
            if (node == 0 || U.getInt(at + METHOD) != method || U.getInt(at + PARENT) != parent) {
                node = find(state, parent, method);
                U.putInt(U.getLong(state + NODES) + (long) last * NODE + NEXT, node);
            }
        }
        U.putInt(U.getLong(state + NODES) + (long) parent * NODE + LAST, node);
        return node;
    }

    /** Looks the node of the method below its parent up, or adds it. */
    private static int find(long state, int parent, int method) {
        long table = U.getLong(state + CHILDREN), mask = U.getLong(state + CHILD_MASK), nodes = U.getLong(state + NODES);
        for (long at = (parent * 0x9E3779B1L + method * 0x85EBCA6BL >>> 7) & mask;; at = at + 1 & mask) {
            int node = U.getInt(table + at * 4);
            if (node == 0) {
                return add(state, parent, method);
            }
            if (U.getInt(nodes + (long) node * NODE + PARENT) == parent && U.getInt(nodes + (long) node * NODE + METHOD) == method) {
                return node;
            }
        }
    }

    /**
     * Ends a call. The time is first taken from the caller's own, then the call is no longer open, then its node has the time:
     * who reads nodes and then open calls meanwhile may miss some of it, but has none twice.
     */
    public static void exit(int method) {
        long now = System.nanoTime(), state = state();
        if (state == 0) {
            return;
        }
        long top = U.getLong(state + TOP);
        int node = U.getInt(top + CALL_NODE);
        long at = U.getLong(state + NODES) + (long) node * NODE;
        if (U.getInt(at + METHOD) != method || node == 0) {
            close(state, method, false, now);
            return;
        }
        long length = now - U.getLong(top + CALL_START);
        U.putLong(top - CALL + CALL_CALLEES, U.getLong(top - CALL + CALL_CALLEES) + length);
        U.putLong(state + TOP, top - CALL);
        U.putLong(at + BASE, U.getLong(at + BASE) + length - U.getLong(top + CALL_CALLEES));
        int place = U.getInt(top + CALL_PLACE);
        if (place != 0) {
            U.putLong(at + CUMULATIVE, U.getLong(at + CUMULATIVE) + length);
            U.putInt(U.getLong(state + METHODS) + place * PLACE - OPEN, 0);
        }
        if (length < U.getLong(at + LEAST)) {
            U.putLong(at + LEAST, length);
        }
        if (length > U.getLong(at + MOST)) {
            U.putLong(at + MOST, length);
        }
    }

    /** Ends the calls that a method has made, because it handles an exception. */
    public static void caught(int method) {
        long state = state();
        if (state != 0) {
            long top = U.getLong(state + TOP);
            int node = U.getInt(top + CALL_NODE);
            if (U.getInt(U.getLong(state + NODES) + (long) node * NODE + METHOD) != method) {
                close(state, method, true, System.nanoTime());
            }
        }
    }

    /** Records the beginning of a call. */
    public static void entered(int method) {
        long state = state();
        if (state != 0) {
            entry(state, method);
        }
    }

    /** Records the end of a call. */
    public static void left(int method) {
        long state = state();
        if (state != 0) {
            leave(state, method, false);
        }
    }

    /** Records the ends of the calls that a method has made, because it handles an exception. */
    public static void handled(int method) {
        long state = state();
        if (state != 0 && U.getInt(U.getLong(state + TOP) + CALL_NODE) != method) {
            leave(state, method, true);
        }
    }

    /** Returns the nanoseconds that pass between the times of a call's beginning and end though it does nothing. */
    private static long overhead() {
        long begin = System.nanoTime(), least = Long.MAX_VALUE;
        while (System.nanoTime() - begin < 2_000_000) {
            long sum = 0;
            for (int i = 0; i < 64; i++) {
                long before = mark();
                sum += mark() - before;
            }
            if (sum < least) {
                least = sum;
            }
        }
        return least / 64;
    }

    /** Does what recording the beginning or the end of a call does, but publishes nothing; returns the time. */
    private static native long mark();

    /** Publishes the beginning of a call. A StackOverflowError comes before anything is changed, or not at all. */
    private static native void entry(long state, int method);

    /**
     * Publishes the ends of the calls that the latest call of the method has made, if there is one, and, unless it is
     * kept, of the call itself.
     */
    private static native void leave(long state, int method, boolean kept);

    /** Makes the state of the thread, whose id is given. */
    private static native long open(Thread current, long thread);

    /** Makes place for more open calls, and reports whether there is memory for them. */
    private static native boolean grow(long state);

    /** Adds a node, and gives its method a place; returns the node for all others if there are too many. */
    private static native int add(long state, int parent, int method);

    /** Ends the calls that the latest call of the method has made, if there is one, and, unless it is kept, the call itself. */
    private static native void close(long state, int method, boolean kept, long now);
}
