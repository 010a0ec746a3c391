package testhound.runtime;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.concurrent.Future;

/**
 * One test on the thread of its run, from the constructor to the comparison of settings.
 *
 * <p>Everything that may call code under test, such as the message of an exception, happens on
 * that thread, so that the time limit holds for it too.
 */
final class TestExecution implements Runnable {
    /**
     * What threads get to end by themselves once the test has ended. Long, so that the answer does
     * not depend on how busy the machine is; only tests that leave threads pay for it.
     */
    static final int GRACE_MILLIS = 1000;

    /** What threads get to end once interrupted. */
    static final int INTERRUPT_MILLIS = 100;

    /** Output to a standard stream, by its number among the effects. */
    static final int HARMLESS_EFFECTS = 1 << 14;

    private final TestClass testClass;
    private final TestClass.Test test;
    private final Silence silence;
    private final TempDirs tempDirs = new TempDirs();
    private volatile boolean bodyEnded;
    private volatile boolean abandoned;
    private boolean leftThreads;
    /** By an earlier test, which was blamed for it. */
    private boolean poolWasBusy;
    private volatile String line;
    private volatile int effects;

    TestExecution(TestClass testClass, TestClass.Test test, Silence silence) {
        this.testClass = testClass;
        this.test = test;
        this.silence = silence;
    }

    /** Runs the test and tells how it ended, in little more than the time given. */
    String line(TestThread thread, int timeoutMillis) {
        Future<Void> end = thread.start(this);
        if (TestThread.ends(end, timeoutMillis)
                || bodyEnded && TestThread.ends(end, timeoutMillis + 3 * GRACE_MILLIS)) {
            return line != null ? line : line(TestLine.Status.ERROR, null, "the thread was killed");
        }
        abandoned = true;
        StackTraceElement[] frames = thread.giveUp();
        TestThread.ends(end, INTERRUPT_MILLIS);
        return TestLine.of(testClass.name(), test.method().getName(), TestLine.Status.TIMEOUT, "",
                "no end within " + timeoutMillis + " ms", frames);
    }

    @Override
    public void run() {
        poolWasBusy = LiveThreads.isCommonPoolBusy();
        Settings before = new Settings();
        int exits = Testhound.exits;
        Throwable thrown = null;
        try {
            thrown = body(before);
        } catch (Throwable t) {
            thrown = t;
        }
        bodyEnded = true;
        if (abandoned) {
            return;
        }
        int left = compare(before, exits);
        TestLine.Status status = left != 0 || effects != 0 ? TestLine.Status.LEFT_CHANGED
                : thrown == null ? TestLine.Status.PASS
                : thrown instanceof AssertionError ? TestLine.Status.FAIL
                : TestLine.Status.ERROR;
        String message = left != 0 ? Settings.describe(left)
                : effects != 0 ? describe(effects)
                : null;
        line = line(status, thrown, message);
    }

    /** Effects, a bit each, as the message of a line. */
    static String describe(int effects) {
        return "effects " + Integer.toHexString(effects);
    }

    private String line(TestLine.Status status, Throwable thrown, String message) {
        String method = test.method().getName();
        return TestLine.of(testClass.name(), method, status, thrown, message);
    }

    /** Which settings the test left changed; they are put back. */
    private int compare(Settings before, int exits) {
        int left = before.differences();
        // An interrupt would end the waiting for threads.
        Thread.interrupted();
        if (leftThreads || !settles(before)) {
            left |= Settings.THREADS;
            before.threads().interrupt(INTERRUPT_MILLIS);
        }
        // Again, for what those threads did.
        left |= before.differences();
        if (silence.isBroken()) {
            left |= Settings.STREAMS;
        }
        if (Testhound.exits != exits) {
            left |= Settings.EXIT;
        }
        if (left != 0) {
            before.putBack();
        }
        return left;
    }

    /** Whether all that the test started comes to an end by itself. */
    private boolean settles(Settings before) {
        return before.threads().await(GRACE_MILLIS) == 0
                && (poolWasBusy || LiveThreads.awaitCommonPool(GRACE_MILLIS));
    }

    /** The test as JUnit defines it; returns what it failed with, or null. */
    private Throwable body(Settings before) {
        Throwable thrown = null;
        Object instance = null;
        MockitoRun mockito = null;
        try {
            Testhound.takeEffects();
            instance = call(testClass.constructor());
            if (testClass.usesMockito()) {
                // It calls constructors and setters of the code under test.
                mockito = MockitoRun.begin(instance);
            }
            effects = Testhound.takeEffects() & ~HARMLESS_EFFECTS;
            makeFolders(instance);
            tellOwnFolder(instance);
            for (Method method : testClass.before()) {
                call(method, instance);
            }
            thrown = callTest(instance, before);
        } catch (Throwable t) {
            thrown = t;
        }
        if (instance != null) {
            thrown = tearDown(instance, thrown);
        }
        if (mockito != null) {
            try {
                mockito.end(thrown);
            } catch (Throwable t) {
                thrown = thrown == null ? t : thrown;
            }
        }
        try {
            tempDirs.delete();
        } catch (Throwable t) {
            thrown = thrown == null ? t : thrown;
        }
        return thrown;
    }

    /**
     * Their names are random, and random numbers of that kind ask for the date: no test that only has
     * a folder depends on it.
     */
    private void makeFolders(Object instance) throws Throwable {
        Testhound.ours(true);
        try {
            for (Field field : testClass.tempDirs()) {
                field.set(instance, tempDirs.create(field.getType()));
            }
            for (Field field : testClass.temporaryFolders()) {
                callRule(field, instance, "create");
            }
        } finally {
            Testhound.ours(false);
        }
    }

    /** All of it, even if some of it throws; the first failure counts. */
    private Throwable tearDown(Object instance, Throwable thrown) {
        Throwable first = thrown;
        for (Method method : testClass.after()) {
            try {
                call(method, instance);
            } catch (Throwable t) {
                first = first == null ? t : first;
            }
        }
        for (Field field : testClass.temporaryFolders()) {
            try {
                callRule(field, instance, "delete");
            } catch (Throwable t) {
                first = first == null ? t : first;
            }
        }
        return first;
    }

    /** Emitted tests have one folder at most, in a field. */
    private void tellOwnFolder(Object instance) throws Throwable {
        Testhound.ownFolder(null);
        for (Field field : testClass.tempDirs()) {
            Testhound.ownFolder(field.get(instance).toString());
        }
        for (Field field : testClass.temporaryFolders()) {
            Object rule = field.get(instance);
            Testhound.ownFolder(field.getType().getMethod("getRoot").invoke(rule).toString());
        }
    }

    private Throwable callTest(Object instance, Settings before) {
        Class<?> expected = test.expected();
        Testhound.takeEffects();
        try {
            call(test.method(), instance);
        } catch (Throwable t) {
            return expected != null && expected.isInstance(t) ? null : t;
        } finally {
            bodyEnded = true;
            // What its threads do counts too. Before the end of the test, which deletes files.
            boolean interrupted = Thread.interrupted();
            leftThreads = !settles(before);
            effects |= Testhound.takeEffects() & ~HARMLESS_EFFECTS;
            Testhound.ownFolder(null);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return expected == null ? null
                : new AssertionError("Expected exception: " + expected.getName());
    }

    private static Object call(Constructor<?> constructor) throws Throwable {
        try {
            return constructor.newInstance();
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void call(Method method, Object instance) throws Throwable {
        Parameter[] parameters = method.getParameters();
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = tempDirs.create(parameters[i].getType());
        }
        try {
            method.invoke(instance, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void callRule(Field field, Object instance, String method) throws Throwable {
        try {
            field.getType().getMethod(method).invoke(field.get(instance));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
