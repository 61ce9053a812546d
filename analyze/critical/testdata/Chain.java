/**
 * Five runners pass a baton: each needs its lock for 60 ms, and so the run takes as long as all of them one after the other, once
 * main has let go of it. Two others quarrel before that, which nobody waits for.
 */
public class Chain {
    static class Baton {}

    static class Toy {}

    public static void main(String[] args) throws InterruptedException {
        Thread[] runners = new Thread[5];
        Thread[] others = new Thread[2];
        Baton baton = new Baton();
        Toy toy = new Toy();
        synchronized (baton) {
            for (int i = 0; i < runners.length; i++) {
                runners[i] = new Thread(() -> hold(baton, 60), "runner-" + i);
                runners[i].start();
            }
            for (int i = 0; i < others.length; i++) {
                others[i] = new Thread(() -> hold(toy, 20), "other-" + i);
                others[i].start();
            }
            for (Thread runner : runners) {
                while (runner.getState() != Thread.State.BLOCKED) {
                    Thread.sleep(1);
                }
            }
            for (Thread other : others) {
                while (other.isAlive()) {
                    Thread.sleep(1);
                }
            }
        }
        for (Thread runner : runners) {
            runner.join();
        }
    }

    private static void hold(Object lock, int millis) {
        synchronized (lock) {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
