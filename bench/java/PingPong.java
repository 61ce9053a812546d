/** Two pairs of threads that pass turns to each other by wait and notifyAll, and do nothing else: an extreme use of monitors. */
public class PingPong {
    private static final int THREADS = 4, TURNS = 60_000;

    public static void main(String[] args) throws InterruptedException {
        int[] turns = new int[THREADS / 2];
        Thread[] threads = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int pair = t / 2, mine = t % 2;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < TURNS; i++) {
                    synchronized (turns) {
                        while (turns[pair] % 2 != mine) {
                            try {
                                turns.wait();
                            } catch (InterruptedException e) {
                                return;
                            }
                        }
                        turns[pair]++;
                        turns.notifyAll();
                    }
                }
            });
            threads[t].start();
        }
        int sum = 0;
        for (Thread thread : threads) {
            thread.join();
        }
        for (int turn : turns) {
            sum += turn;
        }
        System.out.println(sum);
    }
}
