package testhound.runtime;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;

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
    private final TestLoader loader;
    private final List<Entry> entries = new ArrayList<>();
    private TestThread thread;
    private StaticState statics;

    /** The order in which JUnit 4 and 5 run the methods of a class if nobody says otherwise. */
    private static final Comparator<TestClass.Test> AS_JUNIT = Comparator
            .<TestClass.Test>comparingInt(test -> test.method().getName().hashCode())
            .thenComparing(test -> test.method().toString());

    OpenRun(
            String classPath, String project, String[] testClassNames, int order,
            boolean assertions) throws IOException {
        loader = new TestLoader(ClassPath.entries(classPath), ClassPath.entries(project));
        loader.setDefaultAssertionStatus(assertions);
        List<String> names = new ArrayList<>(List.of(testClassNames));
        arrange(names, order);
        MockitoRun.prepare(loader);
        for (String name : names) {
            add(name, order);
        }
    }

    /** Leaves them as they are for 0, turns them round for 1, else shuffles them by that seed. */
    private static void arrange(List<?> all, int order) {
        if (order == 1) {
            Collections.reverse(all);
        } else if (order > 1) {
            Collections.shuffle(all, new Random(order));
        }
    }

    private void add(String name, int order) {
        TestClass testClass;
        try {
            testClass = TestClass.of(Class.forName(name, false, loader));
        } catch (ClassNotFoundException | LinkageError | UnsupportedTestException e) {
            entries.add(new Entry(name, null, null, e));
            return;
        }
        List<TestClass.Test> tests = new ArrayList<>(testClass.tests());
        tests.sort(AS_JUNIT);
        arrange(tests, order);
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
            return new TestExecution(entry.testClass, entry.test, silence)
                    .line(thread(), timeoutMillis);
        } catch (OutOfMemoryError noMoreThreads) {
            String method = entry.test.method().getName();
            return TestLine.of(
                    entry.className, method, TestLine.Status.ERROR, noMoreThreads, null);
        } finally {
            settings.putBack();
        }
    }

    /** The thread of the run, or another one if that was given up. */
    private TestThread thread() {
        if (thread == null || !thread.isUsable()) {
            thread = new TestThread(loader);
        }
        return thread;
    }

    /** The names of the project's classes that have been initialized. */
    String[] initialized() throws ReflectiveOperationException {
        return loader.initialized().stream().map(Class::getName).toArray(String[]::new);
    }

    /** Whether the project's classes have static state that tests could leave changed. */
    boolean hasStatics(String[] settable) throws ReflectiveOperationException {
        return !new StaticState(loader, new HashSet<>(Arrays.asList(settable))).isEmpty();
    }

    /**
     * Initializes classes of the project, so that what comes of that is not taken for the doing of a
     * test, and takes the static state as it is then.
     *
     * @return whether it came to an end in time
     */
    boolean watchStatics(String[] classes, String[] settable, int timeoutMillis)
            throws ReflectiveOperationException {
        Settings settings = new Settings();
        Silence.fall();
        boolean ended = initialize(classes, timeoutMillis);
        settings.putBack();
        if (ended) {
            statics = new StaticState(loader, new HashSet<>(Arrays.asList(settable)));
        }
        return ended;
    }

    private boolean initialize(String[] classes, int timeoutMillis) {
        Future<Void> end = thread().start(() -> {
            for (String name : classes) {
                try {
                    Class.forName(name, true, loader);
                } catch (Throwable ofCodeUnderTest) {
                    // A class that cannot be initialized has no state.
                    continue;
                }
            }
        });
        boolean ended = TestThread.ends(end, timeoutMillis);
        if (!ended) {
            thread.giveUp();
        }
        return ended;
    }

    /** Whether objects are part of it by now that were not. */
    boolean hasNewStatics() {
        return statics.hasGrown();
    }

    /** What the tests since then have left changed in it, which is put back. */
    String[] changedStatics() throws ReflectiveOperationException {
        return statics.putBackWhatChanged().toArray(new String[0]);
    }

    /** Whether the last test brought fields, which have other values from now on. */
    boolean unsettleStatics() throws ReflectiveOperationException {
        return statics.unsettle();
    }

    /** Which of those the test has set when it ran again. */
    String[] staticsSetAgain() throws ReflectiveOperationException {
        return statics.setAgain().toArray(new String[0]);
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
        if (thread != null) {
            thread.end();
        }
        before.putBack();
        loader.close();
    }
}
