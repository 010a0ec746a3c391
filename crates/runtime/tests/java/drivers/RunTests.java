import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import testhound.runtime.Compiler;
import testhound.runtime.Settings;
import testhound.runtime.TestRunner;

/** Compiles a folder of tests and runs the classes named {@code *Test}, once per seed given. */
public class RunTests {
    public static void main(String[] args) throws Exception {
        Path sources = Path.of(args[0]);
        String output = args[1];
        String classPath = args[2];
        int timeoutMillis = Integer.parseInt(args[3]);
        List<String> names = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        List<String> tests = new ArrayList<>();
        try (var files = Files.list(sources)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                names.add(name);
                texts.add(Files.readString(file));
                if (name.endsWith("Test.java")) {
                    tests.add(name.substring(0, name.length() - ".java".length()));
                }
            }
        }
        String[] errors = Compiler.compile(
                names.toArray(new String[0]), texts.toArray(new String[0]), classPath, output, null);
        if (errors.length > 0) {
            throw new AssertionError(String.join("\n", errors));
        }
        Settings.snapshot();
        for (int i = 4; i < args.length; i++) {
            System.out.println("seed " + args[i]);
            String[] lines = TestRunner.run(output + File.pathSeparator + classPath,
                    tests.toArray(new String[0]), Integer.parseInt(args[i]), timeoutMillis);
            for (String line : lines) {
                System.out.println(line);
            }
        }
        System.out.println("changed " + Settings.describe(Settings.changed()));
    }
}
