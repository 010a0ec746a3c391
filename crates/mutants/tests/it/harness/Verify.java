import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.util.HashMap;
import java.util.Map;

/**
 * Links classes without initializing them, each in a class loader of its own that has all the others as
 * they are; asking for constructors makes HotSpot verify.
 *
 * <p>Standard input: the number of classes; name and bytes of each; then names and bytes to try, to the
 * end. Standard output: how each try ended.
 */
public final class Verify {
    private static final Map<String, byte[]> PLAIN = new HashMap<>();

    private static final class Loader extends ClassLoader {
        private final String name;
        private final byte[] bytes;

        Loader(String name, byte[] bytes) {
            super(Verify.class.getClassLoader());
            this.name = name;
            this.bytes = bytes;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                byte[] own = name.equals(this.name) ? bytes : PLAIN.get(name);
                if (known == null && own != null) {
                    known = defineClass(name, own, 0, own.length);
                }
                return known != null ? known : super.loadClass(name, resolve);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        for (int left = in.readInt(); left > 0; left--) {
            PLAIN.put(in.readUTF(), read(in));
        }
        StringBuilder out = new StringBuilder();
        while (true) {
            String name;
            try {
                name = in.readUTF();
            } catch (EOFException end) {
                break;
            }
            String outcome = "linked";
            try {
                Class.forName(name, false, new Loader(name, read(in))).getDeclaredConstructors();
            } catch (Throwable problem) {
                outcome = problem.getClass().getName() + ": " + problem.getMessage();
            }
            out.append(outcome.replace('\n', ' ')).append('\n');
        }
        System.out.print(out);
    }

    private static byte[] read(DataInputStream in) throws Exception {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }
}
