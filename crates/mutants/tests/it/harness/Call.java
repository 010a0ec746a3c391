import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;

/**
 * Calls static methods that take ints, each in a class of its own loader.
 *
 * <p>Standard input: the number of classes; name and bytes of each; then name and bytes of a class that
 * takes the place of its like, the name of a method, the number of its arguments and these, to the end.
 * Standard output: what each call returns, or what class of exception it throws.
 */
public final class Call {
    private static final Map<String, byte[]> PLAIN = new HashMap<>();

    private static final class Loader extends ClassLoader {
        private final String name;
        private final byte[] bytes;

        Loader(String name, byte[] bytes) {
            this.name = name;
            this.bytes = bytes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] own = name.equals(this.name) ? bytes : PLAIN.get(name);
            if (own == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, own, 0, own.length);
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
            byte[] bytes = read(in);
            String method = in.readUTF();
            Object[] values = new Object[in.readInt()];
            for (int i = 0; i < values.length; i++) {
                values[i] = in.readInt();
            }
            String outcome;
            try {
                Class<?> owner = Class.forName(name, true, new Loader(name, bytes));
                outcome = String.valueOf(find(owner, method).invoke(null, values));
            } catch (InvocationTargetException thrown) {
                outcome = thrown.getCause().getClass().getSimpleName();
            } catch (Throwable problem) {
                outcome = problem.toString();
            }
            out.append(outcome.replace('\n', ' ')).append('\n');
        }
        System.out.print(out);
    }

    private static Method find(Class<?> owner, String name) {
        for (Method method : owner.getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                return method;
            }
        }
        throw new IllegalArgumentException(name);
    }

    private static byte[] read(DataInputStream in) throws Exception {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }
}
