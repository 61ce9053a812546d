/** Measures the start of a JVM. */
public class Hello {
    public static void main(String[] args) {
        System.out.println("hello");
    }
}
