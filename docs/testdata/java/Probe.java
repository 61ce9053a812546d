import java.io.IOException;

/** Does what its first argument says, for the scripts that test trcx record. */
public class Probe {
    public static void main(String[] args) throws IOException, InterruptedException {
        switch (args[0]) {
            case "exit":
                System.exit(Integer.parseInt(args[1]));
                break;
            case "halt":
                Runtime.getRuntime().halt(Integer.parseInt(args[1]));
                break;
            case "throw":
                throw new IllegalStateException("thrown");
            case "copy":
                System.in.transferTo(System.out);
                System.err.println("copied");
                break;
            case "notify":
                callNotify(Integer.parseInt(args[1]));
                break;
            case "hang":
                Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
                System.out.println("hanging");
                Thread.sleep(60_000);
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
    }

    private static void callNotify(int times) {
        Object object = new Object();
        for (int i = 0; i < times; i++) {
            synchronized (object) {
                object.notify();
            }
        }
        System.out.println("notified");
    }
}
