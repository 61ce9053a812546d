import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Makes the calls that are reported, in many ways, and compares the reports with them. */
public class Behaviour {
    /** A part of the program, and its expected reports. */
    interface Part {
        void run() throws Exception;
    }

    static final int FEATURE = Runtime.version().feature();
    static int failures;

    static int counted(String report) throws Exception {
        Method counted = Class.forName("java.lang.TrcxRecorder").getMethod("counted", String.class);
        return (Integer) counted.invoke(null, report);
    }

    static void check(String name, Part part, Object... wanted) throws Exception {
        int[] before = new int[wanted.length];
        for (int i = 0; i < wanted.length; i += 2) {
            before[i] = counted((String) wanted[i]);
        }
        part.run();
        for (int i = 0; i < wanted.length; i += 2) {
            int count = counted((String) wanted[i]) - before[i];
            boolean right = count == (Integer) wanted[i + 1];
            failures += right ? 0 : 1;
            System.out.println((right ? "right " : "WRONG ") + name + ": " + wanted[i] + " " + count + ", done " + wanted[i + 1]);
        }
    }

    static Thread startVirtual(Runnable task) throws Exception {
        return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    }

    static void virtual() throws Exception {
        String name = "java.lang.VirtualThread";
        check("virtual threads", () -> {
            CountDownLatch go = new CountDownLatch(1);
            Thread waits = startVirtual(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            waits.join(7);
            go.countDown();
            waits.join();
            if (waits.isAlive()) throw new IllegalStateException();
        }, "started " + name, 1, "joins " + name + " 7000000", 1);
        Thread joiner = Thread.currentThread();
        check("virtual sleep", () -> startVirtual(() -> {
            while (joiner.getState() != Thread.State.WAITING) { // a thread that has ended needs no join
                Thread.yield();
            }
            try {
                Thread.sleep(3);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }).join(), "sleeps 3000000", 1, "slept", 1, "joins " + name + " 0", 1, "joined " + name, 1);
        check("interrupted virtual sleep", () -> {
            Thread sleeps = startVirtual(() -> {
                try {
                    Thread.sleep(12345);
                } catch (InterruptedException e) {
                    return;
                }
                throw new IllegalStateException();
            });
            while (sleeps.getState() != Thread.State.TIMED_WAITING) {
                Thread.yield();
            }
            sleeps.interrupt();
            sleeps.join();
        }, "interrupted " + name, 1, "sleeps 12345000000", 1, "slept", 0, "interrupted jdk.internal.misc.CarrierThread", 0);
        check("a virtual thread of a builder", () -> {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Method unstarted = Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
            Thread thread = (Thread) unstarted.invoke(builder, (Runnable) () -> { });
            thread.start();
            try {
                thread.start();
            } catch (IllegalThreadStateException e) {
                thread.join();
                return;
            }
            throw new IllegalStateException();
        }, "started " + name, 2); // the second start, which fails, is reported like the first
    }

    static void synchronizers() throws Exception {
        String package_ = "java.util.concurrent.locks.", sync = package_ + "ReentrantLock$FairSync";
        String condition = package_ + "AbstractQueuedSynchronizer$ConditionObject";
        check("signals", () -> {
            ReentrantLock lock = new ReentrantLock(true);
            Condition ready = lock.newCondition();
            List<Thread> waiters = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Thread thread = new Thread(() -> {
                    lock.lock();
                    try {
                        ready.awaitUninterruptibly();
                    } finally {
                        lock.unlock();
                    }
                });
                waiters.add(thread);
                thread.start();
            }
            for (int signalled = 0; signalled < 3; ) {
                lock.lock();
                if (lock.getWaitQueueLength(ready) == 3) {
                    ready.signal();
                    ready.signalAll();
                    ready.signalAll(); // finds no waiter
                    signalled = 3;
                }
                lock.unlock();
            }
            for (Thread thread : waiters) {
                thread.join();
            }
        }, "signals " + condition, 1, "signals " + condition + " all", 1,
            "signalled " + package_ + "AbstractQueuedSynchronizer$ConditionNode", 3);
        check("a lock that is not acquired", () -> {
            ReentrantLock lock = new ReentrantLock(true);
            lock.lock();
            Thread thread = new Thread(() -> {
                try {
                    lock.tryLock(1, TimeUnit.MILLISECONDS);
                    lock.tryLock(-1, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.start();
            thread.join();
            lock.unlock();
        }, "acquired " + sync + " 0", 1, "acquired " + sync + " 1", 0);
        check("a lock that is acquired", () -> {
            ReentrantLock lock = new ReentrantLock(true);
            lock.lock();
            Thread thread = new Thread(() -> {
                lock.lock();
                lock.unlock();
            });
            thread.start();
            while (!lock.hasQueuedThread(thread)) {
                Thread.yield();
            }
            lock.unlock();
            thread.join();
        }, "acquired " + sync + " 1", 1);
    }

    public static void main(String[] arguments) throws Exception {
        synchronizers();
        if (FEATURE >= 21) {
            virtual();
        }
        System.out.println(failures == 0 ? "all right" : failures + " wrong");
    }
}
