package testhound.runtime;

import java.io.IOException;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Tests in the order they are to run, with the class loader and the settings around them.
 *
 * <p>Who runs them goes from test to test, so that it knows which one was under way should the JVM
 * end.
 */
final class OpenRun implements AutoCloseable {
    /** A test, or why the tests of a class cannot be had. */
    private record Entry(String className, TestClass testClass, TestClass.Test test, Throwable why) {}

    private final Settings before = new Settings();
    private final URLClassLoader loader;
    private final List<Entry> entries = new ArrayList<>();

    OpenRun(String classPath, String[] testClassNames, boolean backward, boolean assertions)
            throws IOException {
        loader = new URLClassLoader(
                ClassPath.urls(ClassPath.entries(classPath)),
                ClassLoader.getPlatformClassLoader());
        loader.setDefaultAssertionStatus(assertions);
        List<String> names = new ArrayList<>(List.of(testClassNames));
        if (backward) {
            Collections.reverse(names);
        }
        MockitoRun.prepare(loader);
        for (String name : names) {
            add(name, backward);
        }
    }

    private void add(String name, boolean backward) {
        TestClass testClass;
        try {
            testClass = TestClass.of(Class.forName(name, false, loader));
        } catch (ClassNotFoundException | LinkageError | UnsupportedTestException e) {
            entries.add(new Entry(name, null, null, e));
            return;
        }
        List<TestClass.Test> tests = new ArrayList<>(testClass.tests());
        if (backward) {
            Collections.reverse(tests);
        }
        for (TestClass.Test test : tests) {
            entries.add(new Entry(name, testClass, test, null));
        }
    }

    /** The tests as {@code class#method}, in order; without a method, if the class has none. */
    String[] names() {
        String[] names = new String[entries.size()];
        for (int i = 0; i < names.length; i++) {
            Entry entry = entries.get(i);
            String method = entry.test == null ? "" : entry.test.method().getName();
            names[i] = entry.className + "#" + method;
        }
        return names;
    }

    /** Runs one of them; the line that tells how it ended. */
    String line(int index, int timeoutMillis) {
        Entry entry = entries.get(index);
        if (entry.test == null) {
            return TestLine.of(entry.className, "", TestLine.Status.ERROR, entry.why, null);
        }
        Settings settings = new Settings();
        try {
            Silence silence = Silence.fall();
            return new TestExecution(entry.testClass, entry.test, silence).line(timeoutMillis);
        } finally {
            settings.putBack();
        }
    }

    /**
     * The effects, a bit each, of finalizers and cleaners of what the tests left behind. The class
     * loader lives on meanwhile, as it does where users run tests: what static fields hold is no
     * garbage.
     */
    int lateEffects() {
        // Those of setting up and tearing down tests are nobody's.
        Testhound.takeEffects();
        Garbage.collect();
        return Testhound.takeEffects() & ~TestExecution.HARMLESS_EFFECTS;
    }

    @Override
    public void close() throws IOException {
        before.putBack();
        loader.close();
    }
}
