import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.VarHandle;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A program that must be killed. Its truth is a mapped file, which survives however the program ends: the number of notifications, the process id, and the times
 * immediately before and after each notification.
 */
public class Alive {
    private static final int MOST = 1_000_000;

    public static void main(String[] args) throws IOException {
        MappedByteBuffer truth;
        try (RandomAccessFile file = new RandomAccessFile(args[0], "rw")) {
            truth = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 16L * (MOST + 1));
        }
        for (int i = 0; i < 2; i++) {
            Thread noise = new Thread(() -> notifyForever(new Monitor.Green()), "noise-" + i);
            noise.setDaemon(true);
            noise.start();
        }
        truth.putLong(8, ProcessHandle.current().pid());
        Monitor monitor = new Monitor.Red();
        for (int n = 1; n < MOST; n++) {
            long begin = Truth.now();
            synchronized (monitor) {
                monitor.notifyAll();
            }
            truth.putLong(16 * n, begin);
            truth.putLong(16 * n + 8, Truth.now());
            VarHandle.releaseFence(); // the number comes last
            truth.putLong(0, n);
            Truth.pause(500);
        }
    }

    static void notifyForever(Monitor monitor) {
        for (;;) {
            synchronized (monitor) {
                monitor.notifyAll();
            }
            Truth.pause(20);
        }
    }
}
