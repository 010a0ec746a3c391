package testhound.runtime;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;

/**
 * Runs one test of somebody's suite and tells what it does call by call.
 *
 * <p>Every run has a class loader of its own, so that static initializers of the test class run, and
 * are recorded, for each test. The classes on the class path are rewritten already: they tell
 * {@link TesthoundRecord} what they call.
 *
 * <p>Invariant: whatever the test does is part of the answer. After {@code timeout} a thread of the
 * test may still run: the JVM should then be replaced.
 */
final class Recording implements Runnable {
    private final TestLoader loader;
    private final String className;
    private final String method;
    private final String[] ofTest;
    private String[] lines;

    private Recording(TestLoader loader, String className, String method, String[] ofTest) {
        this.loader = loader;
        this.className = className;
        this.method = method;
        this.ofTest = ofTest;
    }

    /** A loader in which assertions are on. */
    static TestLoader open(String classPath, String project) throws IOException {
        TestLoader loader =
                new TestLoader(ClassPath.entries(classPath), ClassPath.entries(project));
        loader.setDefaultAssertionStatus(true);
        return loader;
    }

    /** The lines of {@link TesthoundRecord}, then one that tells how the test ended. */
    static String[] of(
            String classPath, String project, String className, String method, String[] ofTest,
            int timeoutMillis) throws IOException {
        Settings settings = new Settings();
        try (TestLoader loader = open(classPath, project)) {
            Silence.fall();
            Recording recording = new Recording(loader, className, method, ofTest);
            TestThread thread = new TestThread(loader);
            Future<Void> end = thread.start(recording);
            if (TestThread.ends(end, timeoutMillis)) {
                thread.end();
                return recording.lines != null ? recording.lines
                        : new String[] {end("failed", null, "the thread was killed")};
            }
            thread.giveUp();
            return new String[] {end("timeout", null, "no end within " + timeoutMillis + " ms")};
        } finally {
            TesthoundRecord.end();
            settings.putBack();
        }
    }

    @Override
    public void run() {
        String end;
        SuiteClass suite = null;
        SuiteClass.Test test = null;
        Object instance = null;
        TesthoundRecord.begin(ofTest);
        try {
            TesthoundRecord.part("class");
            suite = SuiteClass.of(Class.forName(className, true, loader));
            int bracket = method.indexOf('[');
            test = suite.test(bracket < 0 ? method : method.substring(0, bracket));
            for (Method before : suite.beforeAll()) {
                before.invoke(null);
            }
            Object[] arguments = suite.arguments(test, bracket < 0 ? 1 : Integer.parseInt(
                    method.substring(bracket + 1, method.length() - 1)));
            TesthoundRecord.part("object");
            instance = suite.instance(method);
            for (Method before : suite.beforeEach()) {
                before.invoke(instance);
            }
            TesthoundRecord.part("test");
            test.method().invoke(instance, arguments);
            end = test.expected() == null ? end("passed", null, "")
                    : end("failed", null, "it did not throw " + test.expected().getName());
        } catch (Throwable t) {
            Throwable thrown = t instanceof InvocationTargetException && t.getCause() != null
                    ? t.getCause() : t;
            boolean isExpected = test != null && test.expected() != null
                    && test.expected().isInstance(thrown);
            end = end(isExpected ? "expected" : "failed", thrown, null);
        }
        List<String> all = new ArrayList<>(Arrays.asList(TesthoundRecord.end()));
        all.add(end);
        lines = all.toArray(new String[0]);
        if (instance != null) {
            tearDown(suite, instance);
        }
    }

    /** What belongs to no test, but may put back what the test has set for all. */
    private static void tearDown(SuiteClass suite, Object instance) {
        for (Method after : suite.afterEach()) {
            try {
                after.invoke(instance);
            } catch (Throwable ofTheTest) {
                continue;
            }
        }
    }

    private static String end(String how, Throwable thrown, String message) {
        String text = message;
        try {
            text = thrown == null ? message : thrown.getMessage();
        } catch (Throwable ofCodeUnderTest) {
            text = "";
        }
        boolean isLast = thrown != null && TesthoundRecord.isLastThrown(thrown);
        return "E\t" + how + "\t" + (thrown == null ? "" : thrown.getClass().getName()) + "\t"
                + (isLast ? "call" : thrown instanceof AssertionError ? "assertion" : "test") + "\t"
                + Line.escape(text == null ? "" : text);
    }
}
