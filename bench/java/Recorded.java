import java.util.concurrent.*; import java.util.concurrent.locks.*;
/** Threads that contend, wait, park and sleep for some seconds, as much as they can. */
public class Recorded {
  static final Object[] locks = new Object[16]; static final Object gate = new Object(); static int turn;
  static byte[][] junk = new byte[64][];
  static void deep(int d, Runnable r) { if (d == 0) r.run(); else deep(d - 1, r); }
  public static void main(String[] a) throws Exception {
    for (int i = 0; i < locks.length; i++) locks[i] = new Object();
    long end = System.nanoTime() + Long.parseLong(a[0]) * 1_000_000_000L; int n = 16;
    Thread[] t = new Thread[n];
    for (int i = 0; i < n; i++) { int me = i; t[i] = new Thread(() -> { java.util.Random r = new java.util.Random(me);
      while (System.nanoTime() < end) { int k = r.nextInt(4);
        deep(r.nextInt(8), () -> { try {
          switch (k) { case 0: case 1: synchronized (locks[r.nextInt(4)]) { junk[me] = new byte[r.nextInt(2000)]; for (int z = 0; z < 1000; z++) junk[me][0] += z; Thread.yield(); } break;
            case 2: synchronized (gate) { if (r.nextInt(3) == 0) gate.notifyAll(); else gate.wait(1); } break;
            default: LockSupport.parkNanos(locks[me], 20000); if (r.nextInt(10) == 0) Thread.sleep(0, 100000); }
        } catch (Exception e) {} }); } }, "worker-" + i); t[i].start(); }
    for (Thread x : t) x.join();
  }
}
