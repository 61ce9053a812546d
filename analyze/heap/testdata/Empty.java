/** The smallest program whose heap can be dumped: it waits until its input ends. */
class Empty {
    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        System.in.read();
    }
}
