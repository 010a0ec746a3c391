import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import testhound.runtime.Compiler;
import testhound.runtime.TestRunner;

/**
 * Compiles a folder and prints for each test of one class what it leaves changed, forward and
 * backward. Arguments: folder, output, class path, test class, then the fields that are settable.
 */
public class MeasureStatics {
    private static final int TIMEOUT_MILLIS = 20_000;

    public static void main(String[] args) throws Exception {
        List<String> names = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        try (var files = Files.list(Path.of(args[0]))) {
            for (Path file : files.sorted().toList()) {
                names.add(file.getFileName().toString());
                texts.add(Files.readString(file));
            }
        }
        String output = args[1];
        String[] errors = Compiler.compile(
                names.toArray(new String[0]), texts.toArray(new String[0]), args[2], output, null);
        if (errors.length > 0) {
            throw new AssertionError(String.join("\n", errors));
        }
        String classPath = output + File.pathSeparator + args[2];
        String[] tests = {args[3]};
        String[] settable = List.of(args).subList(4, args.length).toArray(new String[0]);
        String[] found = TestRunner.open(classPath, output, tests, 0, 1);
        for (int i = 0; i < found.length; i++) {
            TestRunner.runOne(i, TIMEOUT_MILLIS);
        }
        String[] initialized = TestRunner.initialized();
        for (int order = 0; order < 2; order++) {
            found = TestRunner.open(classPath, output, tests, order, 1);
            if (TestRunner.watchStatics(initialized, settable, TIMEOUT_MILLIS).length > 0) {
                throw new AssertionError("the initializers do not end");
            }
            for (int i = 0; i < found.length; i++) {
                String status = TestRunner.runOne(i, TIMEOUT_MILLIS)[0].split("\t")[1];
                List<String> changed = new ArrayList<>(List.of(TestRunner.changedStatics()));
                if (TestRunner.unsettleStatics().length > 0) {
                    TestRunner.runOne(i, TIMEOUT_MILLIS);
                    changed.addAll(List.of(TestRunner.staticsSetAgain()));
                }
                System.out.println(found[i] + " " + status + " " + String.join(", ", changed));
            }
        }
        TestRunner.close();
    }
}
