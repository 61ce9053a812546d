import java.io.File;
import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.Instance;
import org.graalvm.visualvm.lib.jfluid.heap.JavaClass;

/** Prints what VisualVM says of a heap dump: the classes, and the objects that retain most. */
final class Biggest {
    public static void main(String[] args) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(args[0]));
        for (Object each : heap.getAllClasses()) {
            JavaClass type = (JavaClass) each;
            System.out.println("class " + type.getName() + " " + type.getInstancesCount() + " " + type.getAllInstancesSize());
        }
        for (Object each : heap.getBiggestObjectsByRetainedSize(Integer.parseInt(args[1]))) {
            Instance object = (Instance) each;
            System.out.println("object " + object.getInstanceId() + " " + object.getSize() + " " + object.getRetainedSize());
        }
    }
}
