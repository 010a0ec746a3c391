import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import testhound.runtime.Compiler;
import testhound.runtime.TestRunner;

/**
 * Compiles {@code Matcher} into one folder, its test into another, and runs the test twice with the
 * first folder as the project. Arguments: folder of sources, the two folders, JUnit's class path.
 */
public class RunOwnLibrary {
    private static final int TIMEOUT_MILLIS = 20_000;

    public static void main(String[] args) throws Exception {
        String project = args[1];
        String tests = args[2];
        String beside = project + File.pathSeparator + args[3];
        compile(args[0], "Matcher.java", args[3], project);
        compile(args[0], "MatcherTest.java", beside, tests);
        String classPath = tests + File.pathSeparator + beside;
        for (int run = 0; run < 2; run++) {
            TestRunner.open(classPath, project, new String[] {"org.hamcrest.MatcherTest"}, 0, 1);
            System.out.println(TestRunner.runOne(0, TIMEOUT_MILLIS)[0]);
            TestRunner.close();
        }
    }

    private static void compile(String folder, String name, String classPath, String output)
            throws Exception {
        String[] texts = {Files.readString(Path.of(folder, name))};
        String[] errors = Compiler.compile(new String[] {name}, texts, classPath, output, null);
        if (errors.length > 0) {
            throw new AssertionError(String.join("\n", errors));
        }
    }
}
