/** Virtual threads that are blocked and wait, pinned and not; for JDKs from 24 on. */
public class Virtual {
  static final Object lock = new Object(), gate = new Object();
  static int entered;

  static void enter() { synchronized (lock) { entered++; } }

  static void await() { synchronized (gate) { try { gate.wait(30); } catch (InterruptedException e) { throw new RuntimeException(e); } } }

  /** Who initialises a class is pinned. */
  static class Enters { static { enter(); } static void touch() {} }

  static class Waits { static { await(); } static void touch() {} }

  /** Runs the threads while the lock is held. */
  static void whileHeld(Thread... threads) throws Exception {
    synchronized (lock) {
      for (Thread t : threads) t.start();
      Thread.sleep(100);
    }
    for (Thread t : threads) t.join();
  }

  public static void main(String[] args) throws Exception {
    whileHeld(Thread.ofVirtual().name("enters").unstarted(Virtual::enter), Thread.ofPlatform().name("platform").unstarted(Virtual::enter));
    whileHeld(Thread.ofVirtual().name("entersPinned").unstarted(Enters::touch));
    Thread.ofVirtual().name("waits").start(Virtual::await).join();
    Thread.ofVirtual().name("waitsPinned").start(Waits::touch).join();
  }
}
