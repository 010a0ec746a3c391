import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Defines the classes of a folder in the order listed, into a loader that finds no others. */
public class DefineInOrder extends ClassLoader {
    private final Map<String, Class<?>> defined = new HashMap<>();

    private DefineInOrder() {
        super(getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        Class<?> found = defined.get(name);
        if (found == null) {
            throw new ClassNotFoundException(name);
        }
        return found;
    }

    public static void main(String[] args) throws Exception {
        DefineInOrder loader = new DefineInOrder();
        Path folder = Path.of(args[0]);
        for (String name : Files.readAllLines(folder.resolve("order.txt"))) {
            byte[] bytes = Files.readAllBytes(folder.resolve(name + ".class"));
            String binaryName = name.replace('/', '.');
            loader.defined.put(binaryName, loader.defineClass(binaryName, bytes, 0, bytes.length));
        }
        for (Class<?> type : loader.defined.values()) {
            Class.forName(type.getName(), true, loader);
        }
        System.out.println("defined " + loader.defined.size());
    }
}
