import java.util.concurrent.locks.*;
/** Does a little of everything that a recording tells of threads. */
public class Events {
  static final Object lock = new Object(), gate = new Object();
  static volatile boolean open;
  static final class Gate {}
  static Object[] junk = new Object[1000];
  static void hold(int ms) throws Exception { synchronized (lock) { Thread.sleep(ms); } }
  public static void main(String[] a) throws Exception {
    Thread[] t = new Thread[4];
    for (int i = 0; i < 4; i++) { t[i] = new Thread(() -> { try { for (int k = 0; k < 3; k++) hold(5); } catch (Exception e) {} }, "contender-" + i); t[i].start(); }
    for (Thread x : t) x.join();
    Thread w = new Thread(() -> { synchronized (gate) { try { while (!open) gate.wait(); gate.wait(20); } catch (InterruptedException e) {} } }, "waiter");
    w.start(); Thread.sleep(30);
    synchronized (gate) { open = true; gate.notify(); Thread.sleep(10); }
    w.join(5); w.join();
    Thread[] ws = new Thread[3]; open = false;
    for (int i = 0; i < 3; i++) { ws[i] = new Thread(() -> { synchronized (gate) { try { while (!open) gate.wait(1000); } catch (InterruptedException e) {} } }, "many-" + i); ws[i].start(); }
    Thread.sleep(30);
    System.gc();
    synchronized (gate) { open = true; gate.notifyAll(); }
    for (Thread x : ws) x.join();
    ReentrantLock rl = new ReentrantLock(); Condition c = rl.newCondition();
    rl.lock();
    Thread p = new Thread(() -> { rl.lock(); rl.unlock(); LockSupport.parkNanos(2_000_000); LockSupport.parkUntil(System.currentTimeMillis() + 5); LockSupport.park(new Gate()); }, "parker");
    p.start(); Thread.sleep(10); rl.unlock(); Thread.sleep(30); while (p.isAlive()) { LockSupport.unpark(p); p.join(20); }
    Thread in = new Thread(() -> { try { Thread.sleep(10000); } catch (InterruptedException e) {} synchronized (gate) { try { gate.wait(); } catch (InterruptedException e) {} } }, "interrupted");
    in.start(); while (in.isAlive()) { Thread.sleep(10); in.interrupt(); }
    java.io.File file = java.io.File.createTempFile("events", ".txt");
    try (java.net.ServerSocket server = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      Thread client = new Thread(() -> { try (java.net.Socket s = new java.net.Socket(server.getInetAddress(), server.getLocalPort())) { s.getInputStream().read(); s.getOutputStream().write(2); } catch (java.io.IOException e) {} }, "client");
      client.start();
      try (java.net.Socket s = server.accept(); java.io.OutputStream out = new java.io.FileOutputStream(file)) { Thread.sleep(20); s.getOutputStream().write(1); s.getInputStream().read(); out.write(new byte[1 << 20]); }
      client.join();
    }
    try (java.io.InputStream input = new java.io.FileInputStream(file)) { input.read(new byte[1000]); }
    file.delete();
    for (int i = 0; i < 3_000_000; i++) junk[i % 1000] = new byte[100];
    System.gc();
    try {
      Object b = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> bc = Class.forName("java.lang.Thread$Builder");
      Thread[] vs = new Thread[3];
      for (int i = 0; i < 3; i++) { bc.getMethod("name", String.class).invoke(b, "virtual-" + i); vs[i] = (Thread) bc.getMethod("start", Runnable.class).invoke(b, (Runnable) () -> { try { hold(3); Thread.sleep(2); LockSupport.parkNanos(1000000); synchronized (gate) { gate.wait(5); } } catch (Exception e) {} }); }
      for (Thread x : vs) x.join();
    } catch (NoSuchMethodException e) {}
  }
}
