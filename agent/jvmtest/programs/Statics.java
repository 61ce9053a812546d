/** Threads that are blocked by a static synchronized method, and on the class of an array. */
public class Statics {
    static class Config {
        static synchronized void load(Runnable then) {
            then.run();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] blocked = new Thread[2];
        Config.load(() -> blocked[0] = startBlocked("config", () -> Config.load(() -> { })));
        synchronized (int[].class) {
            blocked[1] = startBlocked("array", () -> {
                synchronized (int[].class) {
                    blocked[1].getName();
                }
            });
        }
        for (Thread thread : blocked) {
            thread.join();
        }
    }

    /** Starts a thread, and returns it once it is blocked. */
    static Thread startBlocked(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.start();
        while (thread.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
        return thread;
    }
}
