import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Links the classes that a file names, "module/package/Class.class" in each line, which makes the JVM verify them, and prints the results. */
public class Link {
    public static void main(String[] arguments) throws IOException {
        int linked = 0, absent = 0, unverified = 0, other = 0;
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            int slash = line.indexOf('/');
            String name = line.substring(slash + 1, line.length() - ".class".length()).replace('/', '.');
            try {
                Module module = ModuleLayer.boot().findModule(line.substring(0, slash)).orElse(null);
                Class<?> found = module == null ? null : Class.forName(module, name);
                if (found == null) {
                    absent++;
                    System.out.println("absent " + line);
                    continue;
                }
                found.getDeclaredConstructors(); // links the class, but does not run its initializer
                linked++;
            } catch (VerifyError | ClassFormatError e) {
                unverified++;
                System.out.println("error " + line + ": " + e);
            } catch (LinkageError e) {
                other++;
                System.out.println("other " + line + ": " + e);
            }
        }
        System.out.println("linked " + linked + " absent " + absent + " unverified " + unverified + " other " + other);
    }
}
