/** Stalls: the packer needs the shelf, whose lock main holds while it sleeps. */
public class App {
    private static final Object shelf = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread packer = new Thread(App::pack, "packer");
        synchronized (shelf) {
            packer.start();
            Thread.sleep(200);
        }
        packer.join();
        System.out.println("packed");
    }

    private static void pack() {
        synchronized (shelf) {
            shelf.notifyAll();
        }
    }
}
