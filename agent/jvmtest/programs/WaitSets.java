import java.util.concurrent.ThreadLocalRandom;

/**
 * Threads wait for turns on a few monitors, some with short timeouts, and others notify them, one or all. Its arguments: the truth's file, which it does not
 * write, the number of notifications, and then "again" to print "ready" and wait for a byte of input first.
 */
public final class WaitSets {
    private static final int MONITORS = 3, WAITERS = 4, NOTIFIERS = 2;
    private static final class Monitor {
        private int turns;
        private boolean over;
    }

    private WaitSets() { }

    private static void await(Monitor monitor, boolean timed) {
        synchronized (monitor) {
            while (!monitor.over) {
                try {
                    monitor.wait(timed ? 1 + ThreadLocalRandom.current().nextInt(5) : 0);
                } catch (InterruptedException e) {
                    return;
                }
                if (monitor.turns > 0) {
                    monitor.turns--;
                }
            }
        }
    }

    private static void notifyWaiters(Monitor[] monitors, int times) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int i = 0; i < times; i++) {
            Monitor monitor = monitors[random.nextInt(MONITORS)];
            synchronized (monitor) {
                for (int burst = random.nextInt(3); burst >= 0; burst--) {
                    monitor.turns++;
                    if (random.nextInt(20) == 0) {
                        monitor.notifyAll();
                    } else {
                        monitor.notify();
                    }
                }
            }
            if (random.nextInt(4) == 0) {
                Thread.yield();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 2) {
            System.out.println("ready");
            System.in.read();
        }
        Monitor[] monitors = new Monitor[MONITORS];
        Thread[] waiters = new Thread[MONITORS * WAITERS], notifiers = new Thread[NOTIFIERS];
        for (int m = 0; m < MONITORS; m++) {
            Monitor monitor = new Monitor();
            monitors[m] = monitor;
            for (int w = 0; w < WAITERS; w++) {
                boolean timed = w + m == 0;
                waiters[m * WAITERS + w] = new Thread(() -> await(monitor, timed));
                waiters[m * WAITERS + w].start();
            }
        }
        for (int n = 0; n < NOTIFIERS; n++) {
            notifiers[n] = new Thread(() -> notifyWaiters(monitors, Integer.parseInt(args[1])));
            notifiers[n].start();
        }
        for (Thread notifier : notifiers) {
            notifier.join();
        }
        for (Monitor monitor : monitors) {
            synchronized (monitor) {
                monitor.over = true;
                monitor.notifyAll();
            }
        }
        for (Thread waiter : waiters) {
            waiter.join();
        }
        System.out.println("done");
    }
}
