import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

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

    static class Lock {}

    static final class Other {}

    static class Base {
        synchronized void wake() {
            notify();
        }
    }

    static class Derived extends Base {
        @Override
        synchronized void wake() {
            super.wake();
            super.notify();
            this.notifyAll();
        }
    }

    static class Sleeper extends Thread {
        @Override
        public void run() {
            try {
                sleep(3);
                Sleeper.sleep(3);
                Supplier<String> inLambda = () -> {
                    try {
                        sleep(3);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return "";
                };
                inLambda.get();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static final Lock LOCK = new Lock();

    static void inLoops() {
        synchronized (LOCK) {
            for (int i = 0; i < 10; i++) {
                LOCK.notify();
            }
            int left = 7;
            do {
                LOCK.notify();
                if (left == 3) {
                    continue;
                }
                LOCK.notifyAll();
            } while (--left > 0);
        }
    }

    static void inSwitches() {
        synchronized (LOCK) {
            for (int i = 0; i < 12; i++) {
                switch (i) { // a tableswitch
                    case 0: LOCK.notify();
                    case 1: LOCK.notify(); break;
                    case 2: break;
                    case 3: case 4: LOCK.notifyAll(); continue;
                    default: if (i % 2 == 0) LOCK.notify();
                }
                switch (i * 1000) { // a lookupswitch
                    case 1000: LOCK.notify(); break;
                    case 7000: LOCK.notifyAll(); break;
                    case -9: throw new IllegalStateException();
                    default:
                }
                switch ("text" + i) {
                    case "text5" -> LOCK.notify();
                    case "text6" -> { LOCK.notify(); LOCK.notify(); }
                    default -> { }
                }
            }
        }
    }

    static int inTryFinally() {
        int caught = 0;
        for (int i = 0; i < 4; i++) {
            try {
                synchronized (LOCK) {
                    try {
                        LOCK.notify();
                        if (i == 1) throw new RuntimeException();
                        if (i == 2) continue;
                    } finally {
                        LOCK.notifyAll();
                    }
                }
                LOCK.notify(); // without the monitor
            } catch (IllegalMonitorStateException e) {
                caught += 10;
            } catch (RuntimeException e) {
                caught++;
            }
        }
        return caught;
    }

    static void joinedAtTheCall(boolean first) {
        Other other = new Other();
        synchronized (LOCK) {
            synchronized (other) {
                (first ? LOCK : (Object) other).notify();
            }
        }
    }

    static class Constructed {
        final Object made;

        Constructed(boolean notify) {
            this(notify ? notifying(new Lock()) : new Other());
        }

        Constructed(Object made) {
            this.made = made;
        }

        static Object notifying(Lock lock) {
            synchronized (lock) {
                lock.notify();
            }
            return lock;
        }
    }

    static void platform() throws Exception {
        check("loops", Behaviour::inLoops, "notified Behaviour$Lock", 17, "notifiedAll Behaviour$Lock", 6 + 0);
        check("switches", Behaviour::inSwitches, "notified Behaviour$Lock", 10, "notifiedAll Behaviour$Lock", 3);
        check("try and finally", () -> {
            if (inTryFinally() != 21) throw new IllegalStateException();
        }, "notified Behaviour$Lock", 6, "notifiedAll Behaviour$Lock", 4);
        check("branches joined at the call", () -> {
            joinedAtTheCall(true);
            joinedAtTheCall(false);
            joinedAtTheCall(false);
        }, "notified Behaviour$Lock", 1, "notified Behaviour$Other", 2);
        check("super and this", () -> new Derived().wake(), "notified Behaviour$Derived", 2, "notifiedAll Behaviour$Derived", 1);
        check("in a constructor's arguments", () -> new Constructed(true), "notified Behaviour$Lock", 1);
        check("lambdas and anonymous classes", () -> {
            Runnable lambda = () -> {
                synchronized (LOCK) {
                    LOCK.notify();
                }
            };
            new Object() {
                void run() {
                    lambda.run();
                    lambda.run();
                }
            }.run();
        }, "notified Behaviour$Lock", 2);
        check("an array", () -> {
            int[] array = {};
            synchronized (array) {
                array.notify();
            }
        }, "notified [I", 1);
        check("null", () -> {
            try {
                ((Lock) null).notify();
            } catch (NullPointerException e) {
                return;
            }
            throw new IllegalStateException();
        }, "notified null", 1);
        check("long and double", () -> {
            long wide = 5;
            double wider = 2;
            synchronized (LOCK) {
                for (; wide > wider; wide--) {
                    LOCK.notify();
                }
            }
        }, "notified Behaviour$Lock", 3);
        check("threads", () -> {
            Thread named = new Thread() { };
            named.start();
            named.join();
            try {
                named.start();
            } catch (IllegalThreadStateException e) {
                return;
            }
            throw new IllegalStateException();
        }, "started Behaviour$2", 1);
        check("a pool", () -> {
            class Pooled extends Thread {
                Pooled(Runnable task) { super(task); }
            }
            ExecutorService pool = Executors.newFixedThreadPool(3, Pooled::new);
            for (int i = 0; i < 3; i++) {
                pool.submit(() -> null);
            }
            pool.shutdown();
            pool.awaitTermination(1, TimeUnit.MINUTES);
        }, "started Behaviour$1Pooled", 3);
        check("sleeps", () -> {
            Thread.sleep(3);
            Thread.sleep(2, FEATURE < 21 ? 999999 : 0);
            TimeUnit.MILLISECONDS.sleep(3);
        }, "sleeps 3000000", FEATURE < 21 ? 3 : 2, "sleeps 2000000", FEATURE < 21 ? 0 : 1, "slept", 3);
        check("inherited sleep", () -> {
            Thread sleeper = new Sleeper();
            sleeper.start();
            sleeper.join();
        }, "sleeps 3000000", 3, "slept", 3, "started Behaviour$Sleeper", 1);
        check("an interrupted sleep", () -> {
            class Interrupted extends Thread {
                @Override
                public void run() {
                    interrupt();
                    try {
                        Thread.sleep(12345);
                    } catch (InterruptedException e) {
                        return;
                    }
                    throw new IllegalStateException();
                }
            }
            Thread thread = new Interrupted();
            thread.start();
            thread.join();
        }, "sleeps 12345000000", 1, "slept", 0, "interruption", 1, "interrupted Behaviour$1Interrupted", 1);
        check("an interrupted wait", () -> {
            Thread.currentThread().interrupt();
            try {
                synchronized (LOCK) {
                    LOCK.wait();
                }
            } catch (InterruptedException e) {
                return;
            }
            throw new IllegalStateException();
        }, "interruption", 1, "interrupted java.lang.Thread", 1);
        check("exceptions that are made", () -> {
            List<Exception> made = new ArrayList<>();
            made.add(new InterruptedException());
            made.add(new InterruptedException("text"));
            made.add(new InterruptedException("text") { });
            made.add(new RuntimeException());
        }, "interruption", 3);
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
        check("virtual sleep", () -> startVirtual(() -> {
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
        }, "interrupted " + name, 1, "sleeps 12345000000", 1, "slept", 0, "interruption", 1, "interrupted jdk.internal.misc.CarrierThread", 0);
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
        platform();
        synchronizers();
        if (FEATURE >= 21) {
            virtual();
        }
        System.out.println(failures == 0 ? "all right" : failures + " wrong");
    }
}
