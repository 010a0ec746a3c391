package testhound.runtime;

import java.io.IOException;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Runs test classes in this JVM, without JUnit's launcher: the tests are ours, so are few in kind,
 * and finding them by the names of annotations works with any JUnit and with the stand-in.
 *
 * <p>Every call has a class loader of its own, so the static state of the subject is fresh, and
 * assertions are on, as Maven and Gradle have it. Every test has its own instance and thread.
 *
 * <p>Invariant: whatever a test does is a line of the answer. After a {@code TIMEOUT} a thread of
 * the test may still run, and after {@code LEFT_CHANGED} threads may be left: the JVM should then
 * be replaced.
 */
public final class TestRunner {
    private TestRunner() {}

    /**
     * Runs the tests of these classes.
     *
     * @param classPath subject, JUnit and the compiled tests
     * @param orderSeed 0 for the classes as given and their methods by name, else both shuffled
     * @return a line per test: {@code class#method}, one of {@code PASS FAIL ERROR TIMEOUT
     *     LEFT_CHANGED}, exception class, message, first stack frame in the test class; separated
     *     by tabs, each escaped, empty where there is none. {@code FAIL} is an {@code
     *     AssertionError}. {@code LEFT_CHANGED} wins over {@code FAIL} and {@code ERROR}; its
     *     message lists what was changed. The method is empty if the class as a whole cannot be
     *     run.
     */
    public static synchronized String[] run(
            String classPath, String[] testClassNames, int orderSeed, int timeoutMillisPerTest)
            throws IOException {
        if (timeoutMillisPerTest <= 0) {
            throw new IllegalArgumentException("the time limit must be positive");
        }
        List<String> lines = new ArrayList<>();
        Settings before = new Settings();
        try (URLClassLoader loader = new URLClassLoader(
                ClassPath.urls(ClassPath.entries(classPath)),
                ClassLoader.getPlatformClassLoader())) {
            loader.setDefaultAssertionStatus(true);
            Random order = orderSeed == 0 ? null : new Random(orderSeed);
            List<String> names = new ArrayList<>(List.of(testClassNames));
            if (order != null) {
                Collections.shuffle(names, order);
            }
            for (String name : names) {
                runClass(name, loader, order, timeoutMillisPerTest, lines);
            }
        } finally {
            before.putBack();
        }
        return lines.toArray(new String[0]);
    }

    private static void runClass(
            String name, ClassLoader loader, Random order, int timeoutMillis,
            List<String> lines) {
        TestClass testClass;
        try {
            testClass = TestClass.of(Class.forName(name, false, loader));
        } catch (ClassNotFoundException | LinkageError | UnsupportedTestException e) {
            lines.add(TestLine.of(name, "", TestLine.Status.ERROR, e, null));
            return;
        }
        List<TestClass.Test> tests = new ArrayList<>(testClass.tests());
        if (order != null) {
            Collections.shuffle(tests, order);
        }
        for (TestClass.Test test : tests) {
            Settings before = new Settings();
            try {
                Silence silence = Silence.fall();
                lines.add(new TestExecution(testClass, test, silence).line(timeoutMillis));
            } finally {
                before.putBack();
            }
        }
    }
}
