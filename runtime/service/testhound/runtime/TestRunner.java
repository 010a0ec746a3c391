package testhound.runtime;

import java.io.IOException;

/**
 * Runs test classes in this JVM, without JUnit's launcher: the tests are ours, so are few in kind,
 * and finding them by the names of annotations works with any JUnit and with the stand-in.
 *
 * <p>Every run has a class loader of its own, so the static state of the subject is fresh. Every
 * test has its own instance and thread.
 *
 * <p>Invariant: whatever a test does is a line of the answer. After a {@code TIMEOUT} a thread of
 * the test may still run, and after {@code LEFT_CHANGED} threads may be left: the JVM should then
 * be replaced.
 */
public final class TestRunner {
    private static OpenRun open;

    private TestRunner() {}

    /** Sets system properties, given as name, value, name, value and so on, for all runs. */
    public static synchronized String[] setProperties(String[] pairs) {
        for (int i = 0; i < pairs.length; i += 2) {
            System.setProperty(pairs[i], pairs[i + 1]);
        }
        return new String[0];
    }

    /**
     * Runs the tests of these classes, with assertions on.
     *
     * @param classPath subject, JUnit and the compiled tests
     * @param order 0 for the classes as given and their methods as JUnit orders them, 1 for both
     *     backward, else both shuffled by this seed
     * @return a line per test, see {@link #runOne}
     */
    public static synchronized String[] run(
            String classPath, String[] testClassNames, int order, int timeoutMillisPerTest)
            throws IOException {
        String[] lines = open(classPath, "", testClassNames, order, 1);
        try {
            for (int i = 0; i < lines.length; i++) {
                lines[i] = runOne(i, timeoutMillisPerTest)[0];
            }
        } finally {
            close();
        }
        return lines;
    }

    /**
     * Begins a run, in place of the one before; parameters as for {@link #run}.
     *
     * @param project the part of the class path that is under test: its classes are loaded anew for
     *     each run, and their static state is what {@link #watchStatics} watches
     * @param assertions 0 if {@code assert} is to do nothing
     * @return the tests in the order they are to run: {@code class#method}, the method empty if
     *     the class as a whole cannot be run
     */
    public static synchronized String[] open(
            String classPath, String project, String[] testClassNames, int order, int assertions)
            throws IOException {
        close();
        open = new OpenRun(classPath, project, testClassNames, order, assertions != 0);
        return open.names();
    }

    /**
     * Runs one test of the open run.
     *
     * @param index its place in what {@link #open} returned
     * @return one line: {@code class#method}, one of {@code PASS FAIL ERROR TIMEOUT LEFT_CHANGED},
     *     exception class, message, the top of the stack as {@code class/method/line} with
     *     semicolons between, the line of the test method, the method it called; separated by tabs,
     *     each escaped, empty where there is none. {@code FAIL} is an {@code AssertionError}.
     *     {@code LEFT_CHANGED} wins over {@code FAIL} and {@code ERROR}; its message lists what
     *     was changed.
     */
    public static synchronized String[] runOne(int index, int timeoutMillis) {
        if (timeoutMillis <= 0) {
            throw new IllegalArgumentException("the time limit must be positive");
        }
        return new String[] {open.line(index, timeoutMillis)};
    }

    /** The project's classes that are initialized by now, in an order they can be initialized in. */
    public static synchronized String[] initialized() throws ReflectiveOperationException {
        return open.initialized();
    }

    /**
     * Whether the classes initialized by now have static state that could be left changed.
     *
     * @param settable as for {@link #watchStatics}
     * @return a line if they have, else nothing
     */
    public static synchronized String[] hasStatics(String[] settable)
            throws ReflectiveOperationException {
        return open.hasStatics(settable) ? new String[] {"yes"} : new String[0];
    }

    /**
     * Initializes these classes and watches the static state of the project from then on.
     *
     * @param settable fields that code sets at will, as {@code class#field}, with {@code =null} if
     *     to nothing else; see {@link StaticState}
     * @return nothing, or a line that says why this could not be done
     */
    public static synchronized String[] watchStatics(
            String[] classes, String[] settable, int timeoutMillis)
            throws ReflectiveOperationException {
        return open.watchStatics(classes, settable, timeoutMillis) ? new String[0]
                : new String[] {"no end within " + timeoutMillis + " ms"};
    }

    /** The static state that the tests run since this was last asked have left changed. */
    public static synchronized String[] changedStatics() throws ReflectiveOperationException {
        return open.changedStatics();
    }

    /**
     * Gives settable fields other values that have come to be part of the static state with the test
     * run last, as an object made on first use brings them. The test should then run again.
     *
     * @return a line if there are any, else nothing
     */
    public static synchronized String[] unsettleStatics() throws ReflectiveOperationException {
        return open.unsettleStatics() ? new String[] {"yes"} : new String[0];
    }

    /** Which of those fields the second run has set; all are put back. */
    public static synchronized String[] staticsSetAgain() throws ReflectiveOperationException {
        return open.staticsSetAgain();
    }

    /**
     * Whether tests have made objects part of the static state whose fields could be left changed:
     * then who made one is not told from who changed it.
     *
     * @return a line if they have, else nothing
     */
    public static synchronized String[] hasNewStatics() {
        return open.hasNewStatics() ? new String[] {"yes"} : new String[0];
    }

    /**
     * Has the finalizers and cleaners act that the tests run so far left behind.
     *
     * @return nothing, or the effects this had, as the message of {@code LEFT_CHANGED}
     */
    public static synchronized String[] afterwards() {
        int effects = open.lateEffects();
        return effects == 0 ? new String[0]
                : new String[] {TestExecution.describe(effects)};
    }

    /** Ends the open run, if there is one. */
    public static synchronized String[] close() throws IOException {
        if (open != null) {
            open.close();
            open = null;
        }
        return new String[0];
    }

    /**
     * The tests of a class as somebody wrote it: {@code method}, or {@code method[run]} of those that
     * are run with parameters, the version of JUnit, why it cannot be run here or nothing, with tabs
     * between.
     */
    public static synchronized String[] testsOf(
            String classPath, String project, String className) throws IOException {
        close();
        try (TestLoader loader = Recording.open(classPath, project)) {
            Class<?> type = Class.forName(className, false, loader);
            if (type.isInterface() || java.lang.reflect.Modifier.isAbstract(type.getModifiers())) {
                return new String[0];
            }
            return SuiteClass.of(type).lines().toArray(new String[0]);
        } catch (ClassNotFoundException | LinkageError e) {
            return new String[] {"\t0\t" + Line.escape(e.toString())};
        }
    }

    /**
     * Runs one test of such a class and tells what it does; see {@link Recording}.
     *
     * @param ofTest the classes whose objects are the test itself
     */
    public static synchronized String[] record(
            String classPath, String project, String className, String method, String[] ofTest,
            int timeoutMillis) throws IOException {
        close();
        return Recording.of(classPath, project, className, method, ofTest, timeoutMillis);
    }
}
