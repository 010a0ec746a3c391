import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Defines the boot classes into the boot loader, one after the other, then runs a driver. */
public class Launch {
    public static void main(String[] args) throws Throwable {
        // JDK 17 has no option for the encoding of the output.
        System.setOut(new PrintStream(
                new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
        Path boot = Path.of(args[0]);
        MethodHandles.Lookup javaLang =
                MethodHandles.privateLookupIn(Object.class, MethodHandles.lookup());
        for (String name : Files.readAllLines(boot.resolve("order.txt"))) {
            javaLang.defineClass(Files.readAllBytes(boot.resolve(name + ".class")));
        }
        try {
            Class.forName(args[1]).getMethod("main", String[].class)
                    .invoke(null, (Object) Arrays.copyOfRange(args, 2, args.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        System.out.flush();
        // Tests may have left threads running.
        Runtime.getRuntime().halt(0);
    }
}
