import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the class files of the modules that are named, or of all, to standard output: "module/package/Class.class", the size, the bytes. */
public class Extract {
    public static void main(String[] modules) throws IOException {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        List<Path> files;
        try (Stream<Path> tree = Files.walk(root)) {
            files = tree.filter(Extract::isClass).filter(file -> wanted(root, file, modules)).sorted().collect(Collectors.toList());
        }
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16))) {
            for (Path file : files) {
                byte[] bytes = Files.readAllBytes(file);
                out.writeUTF(root.relativize(file).toString());
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        }
    }

    private static boolean isClass(Path file) {
        String name = file.getFileName() == null ? "" : file.getFileName().toString();
        return name.endsWith(".class") && !name.equals("module-info.class");
    }

    private static boolean wanted(Path root, Path file, String[] modules) {
        return modules.length == 0 || List.of(modules).contains(root.relativize(file).getName(0).toString());
    }
}
