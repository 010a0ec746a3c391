package testhound.runtime;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;

/**
 * Process-wide settings as they were at one moment; tells what has changed since, puts it back.
 *
 * <p>A call that leaves any of these changed would disturb whatever runs after it in the user's
 * own test run, so such calls never reach an emitted test. The list of security providers is not
 * among them: asking for it loads them all, a fifth of a second in a fresh JVM.
 *
 * <p>The static methods keep one snapshot for callers outside Java; the test runner takes one per
 * test. The settings of the current thread (handler, context loader, interrupt, name, priority) are
 * compared and restored only on the thread that took the snapshot.
 *
 * <p>Invariant: comparing calls no code of the classes under test, save what the JDK itself calls
 * (the {@code clone} of a time zone); if that throws, the setting counts as changed.
 */
public final class Settings {
    /** The default locale, of any category. */
    public static final int LOCALE = 1;

    /** The default time zone. */
    public static final int TIME_ZONE = 1 << 1;

    /** The system properties. */
    public static final int PROPERTIES = 1 << 2;

    /** {@code System.in}, {@code out} or {@code err}. */
    public static final int STREAMS = 1 << 3;

    /** The default handler of uncaught exceptions, or that of the thread. */
    public static final int UNCAUGHT_HANDLER = 1 << 4;

    /** The context class loader of the thread. */
    public static final int CONTEXT_LOADER = 1 << 5;

    /** The interrupt flag of the thread. */
    public static final int INTERRUPT = 1 << 6;

    /** Name or priority of the thread. */
    public static final int THREAD_NAME = 1 << 7;

    /** Threads are alive that were not. Never part of {@link #changed}: see {@link #newThreads}. */
    public static final int THREADS = 1 << 8;

    /** The JVM was asked to exit. Reported by the test runner only. */
    public static final int EXIT = 1 << 9;

    private static final String[] NAMES = {
        "locale", "time zone", "system properties", "streams", "uncaught exception handler",
        "context class loader", "interrupt", "thread name", "threads", "exit",
    };

    /** Where speed counts for more than that a slow machine finds the same. */
    private static final int SOON_MILLIS = 20;

    /** Less than what the watchdog of the worker gives to our own work in a counted search. */
    private static final int GOOD_TIME_MILLIS = 3000;

    /** How often threads may live on before less time is given. */
    private static final int MAX_DISAPPOINTMENTS = 4;

    private static int disappointments;
    private static Settings kept;
    private static Silence silence;

    private final Thread thread = Thread.currentThread();
    private final Locale locale = Locale.getDefault();
    private final Locale displayLocale = Locale.getDefault(Locale.Category.DISPLAY);
    private final Locale formatLocale = Locale.getDefault(Locale.Category.FORMAT);
    // Before the properties: the first call sets the property user.timezone.
    private final TimeZone timeZone = TimeZone.getDefault();
    private final Properties properties = System.getProperties();
    private final Map<Object, Object> values = new HashMap<>(properties);
    private final InputStream in = System.in;
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final Thread.UncaughtExceptionHandler handler =
            Thread.getDefaultUncaughtExceptionHandler();
    /** Its own, or its group. */
    private final Thread.UncaughtExceptionHandler ownHandler = thread.getUncaughtExceptionHandler();
    private final ClassLoader contextLoader = thread.getContextClassLoader();
    private final boolean interrupted = thread.isInterrupted();
    private final String name = thread.getName();
    private final int priority = thread.getPriority();
    private final LiveThreads threads = new LiveThreads();

    /** Keeps the settings as they are now, in place of what was kept before. Says what they are. */
    public static String snapshot() {
        kept = new Settings();
        return "locale " + kept.locale + ", time zone " + kept.timeZone.getID() + ", "
                + kept.values.size() + " system properties, " + kept.threads.count() + " threads";
    }

    /** Which settings differ from those kept: a sum of the constants above, 0 for none. */
    public static int changed() {
        return kept.differences();
    }

    /** Puts everything kept back. Threads are left alone, see {@link #interruptNewThreads}. */
    public static void restore() {
        kept.putBack();
    }

    /** Silences the standard streams and takes the snapshot. */
    public static int begin() {
        silence = Silence.fall();
        snapshot();
        return 0;
    }

    /** What differs from the snapshot, put back; needs {@link #begin()}. */
    public static int putBackWhatChanged() {
        int changed = changed();
        if (changed != 0) {
            restore();
        }
        return silence.takeBroken() ? changed | STREAMS : changed;
    }

    /**
     * Interrupts threads that were not there at the snapshot and gives them a moment to end; how
     * many live on. Those are part of the snapshot from now on, lest later calls be blamed for them.
     */
    public static int endNewThreads() {
        return endNewThreads(disappointments < MAX_DISAPPOINTMENTS ? SOON_MILLIS : 1);
    }

    /**
     * The same for a search that must find the same on every machine: threads that end have ample
     * time to do so, and most need none of it. Only what lives on costs that time, so after a few of
     * those less is given: such a class has threads left running in any case.
     */
    public static int endNewThreadsInGoodTime() {
        boolean isPatient = disappointments < MAX_DISAPPOINTMENTS;
        return endNewThreads(isPatient ? GOOD_TIME_MILLIS : TestExecution.INTERRUPT_MILLIS);
    }

    private static int endNewThreads(int millis) {
        if (newThreads() == 0) {
            return 0;
        }
        int left = interruptNewThreads(millis);
        if (left > 0) {
            disappointments++;
            kept.threads.accept();
        }
        return left;
    }

    /**
     * Gives threads that were not there at the snapshot time to end by themselves, as the test
     * runner does; how many do not. Those are interrupted and, if they live on, part of the snapshot
     * from now on.
     */
    public static int settle() {
        int left = kept.threads.await(TestExecution.GRACE_MILLIS);
        if (left > 0 && kept.threads.interrupt(TestExecution.INTERRUPT_MILLIS) > 0) {
            kept.threads.accept();
        }
        return left;
    }

    /** How many threads are alive that were not then, counting those just about to end. */
    public static int newThreads() {
        return kept.threads.started().size();
    }

    /** Gives those threads this time to end by themselves, says how many are left. */
    public static int awaitNewThreads(int millis) {
        return kept.threads.await(millis);
    }

    /** Interrupts those threads, gives them this time to end, says how many are left. */
    public static int interruptNewThreads(int millis) {
        return kept.threads.interrupt(millis);
    }

    /** The names of the settings in a sum, for people. */
    public static String describe(int settings) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < NAMES.length; i++) {
            if ((settings & 1 << i) != 0) {
                text.append(text.length() == 0 ? "" : ", ").append(NAMES[i]);
            }
        }
        return text.toString();
    }

    LiveThreads threads() {
        return threads;
    }

    int differences() {
        int found = 0;
        if (!locale.equals(Locale.getDefault())
                || !displayLocale.equals(Locale.getDefault(Locale.Category.DISPLAY))
                || !formatLocale.equals(Locale.getDefault(Locale.Category.FORMAT))) {
            found |= LOCALE;
        }
        if (!hasSameTimeZone()) {
            found |= TIME_ZONE;
        }
        if (!hasSameProperties()) {
            found |= PROPERTIES;
        }
        if (System.in != in || System.out != out || System.err != err) {
            found |= STREAMS;
        }
        if (Thread.getDefaultUncaughtExceptionHandler() != handler) {
            found |= UNCAUGHT_HANDLER;
        }
        return found | differencesOfThread();
    }

    private int differencesOfThread() {
        int found = 0;
        if (Thread.currentThread() != thread) {
            return found;
        }
        if (thread.getContextClassLoader() != contextLoader) {
            found |= CONTEXT_LOADER;
        }
        if (thread.getUncaughtExceptionHandler() != ownHandler) {
            found |= UNCAUGHT_HANDLER;
        }
        if (thread.isInterrupted() != interrupted) {
            found |= INTERRUPT;
        }
        if (!thread.getName().equals(name) || thread.getPriority() != priority) {
            found |= THREAD_NAME;
        }
        return found;
    }

    private boolean hasSameTimeZone() {
        try {
            return timeZone.equals(TimeZone.getDefault());
        } catch (Throwable fromCodeUnderTest) {
            return false;
        }
    }

    /** Asks with the keys and values kept, never with new ones, whose methods may be anything. */
    private boolean hasSameProperties() {
        if (System.getProperties() != properties || properties.size() != values.size()) {
            return false;
        }
        for (Map.Entry<Object, Object> entry : values.entrySet()) {
            Object value = properties.get(entry.getKey());
            if (value != entry.getValue() && !entry.getValue().equals(value)) {
                return false;
            }
        }
        return true;
    }

    void putBack() {
        Locale.setDefault(locale);
        Locale.setDefault(Locale.Category.DISPLAY, displayLocale);
        Locale.setDefault(Locale.Category.FORMAT, formatLocale);
        TimeZone.setDefault(timeZone);
        System.setProperties(properties);
        if (!hasSameProperties()) {
            // Not key by key: removing one asks it for its hash code, which may be anything.
            properties.clear();
            properties.putAll(values);
        }
        System.setIn(in);
        System.setOut(out);
        System.setErr(err);
        Thread.setDefaultUncaughtExceptionHandler(handler);
        if (Thread.currentThread() == thread) {
            boolean isGroup = ownHandler == thread.getThreadGroup();
            thread.setUncaughtExceptionHandler(isGroup ? null : ownHandler);
            thread.setContextClassLoader(contextLoader);
            thread.setName(name);
            thread.setPriority(priority);
            if (interrupted) {
                thread.interrupt();
            } else {
                Thread.interrupted();
            }
        }
    }
}
