package java.lang;

/**
 * What rewritten classes call: coverage map, step budget, effect and exit hooks.
 *
 * <p>Lives in {@code java.lang} of module {@code java.base}, defined there while the JVM starts,
 * because that is the one package which every class loader and every module can see.
 *
 * <p>Depends on nothing that is not initialized before any class under test: no lambdas, no
 * {@code invokedynamic}, no collections.
 *
 * <p>Fields are plain, not volatile: probes are hot, and a count lost between racing threads only
 * moves the point where the budget ends.
 */
public final class Testhound {
    /** Coverage: a probe writes 1 at its id. Sized by the system property {@code testhound.map}. */
    public static final byte[] MAP = new byte[Integer.getInteger("testhound.map", 65536)];

    /** Steps left. Set anew before each run; below zero: every further step throws. */
    public static int budget = Integer.MAX_VALUE;

    /** What the budget is set to where it is given anew; see {@link #over}. */
    public static int full = Integer.MAX_VALUE;

    /** How often it is given anew to static initializers. Set before each run. */
    public static int renewals;

    /** How often the budget stopped code since this was last set to zero; does not overflow. */
    public static int stops;

    /** How often {@link #exit} refused to end the JVM since this was last set to zero. */
    public static int exits;

    private static final TesthoundStop STOP = new TesthoundStop();

    private Testhound() {}

    /** Takes one step of the budget; called at method entries and backward jumps. */
    public static void step() {
        if (--budget < 0) {
            over();
        }
    }

    /**
     * Throws, unless a static initializer is under way, which runs once and may fill tables: it gets
     * the budget anew, several times. To cut it would make its class unusable for as long as the JVM
     * lives, whoever was the first to need it.
     *
     * <p>The budget stays negative, so code that swallows the error is stopped at its next
     * step; it is pinned to -1, so that a loop which swallows for hours never wraps it around.
     */
    private static void over() {
        // After that it was swallowed.
        boolean isFirst = budget == -1;
        if (isFirst && renewals > 0 && initializes()) {
            renewals--;
            budget = full;
            return;
        }
        budget = -1;
        if (stops != Integer.MAX_VALUE) {
            stops++;
        }
        throw STOP;
    }

    /** Whether this thread runs a static initializer. */
    private static boolean initializes() {
        StackTraceElement[] frames = new Throwable().getStackTrace();
        for (int i = 0; i < frames.length; i++) {
            if (frames[i].getMethodName().equals("<clinit>")) {
                return true;
            }
        }
        return false;
    }

    /** A change of a process-wide setting, by its number among the effects. */
    private static final int SETTING = 12;

    /**
     * Called first thing by hooked methods: an effect outside the heap is about to be tried by the
     * calling thread.
     */
    public static void effect(int kind) {
        if (kind != SETTING || !isOfLogging()) {
            record(kind);
        }
    }

    /**
     * Whether the hooked method was called by the JDK's own logging, which configures itself when
     * first used and adds a shutdown hook that nobody notices. Else no class with a logger would
     * ever get a test.
     */
    private static boolean isOfLogging() {
        // This method, effect, the hooked method, its caller.
        StackTraceElement[] frames = new Throwable().getStackTrace();
        if (frames.length <= 3) {
            return false;
        }
        // `Logging` is not how logging configures itself, but how others do it from outside.
        String caller = frames[3].getClassName();
        return caller.startsWith("java.util.logging.") && !caller.equals("java.util.logging.Logging");
    }

    private static native void record(int kind);

    /**
     * Called first thing by {@code Runtime.exit} and {@code Runtime.halt}. Throws if the exit is
     * refused, else returns and the real exit goes on.
     */
    public static void exit(int status) {
        if (exited(status)) {
            if (exits != Integer.MAX_VALUE) {
                exits++;
            }
            throw new TesthoundExit(status);
        }
    }

    /** Records the exit; whether to refuse it. */
    private static native boolean exited(int status);

    /** Set once the native methods are registered: effects are noted then. */
    public static boolean watched;

    /** Notes an effect, where anyone listens. */
    public static void note(int kind) {
        if (watched) {
            record(kind);
        }
    }

    /** The kinds of effects noted since this was last asked, a bit each. */
    public static int takeEffects() {
        return watched ? effectsSinceLast() : 0;
    }

    private static native int effectsSinceLast();

    /**
     * Says which folder is the running test's own, or with null that there is none any more: what
     * it does with files there is no effect.
     */
    public static void ownFolder(String path) {
        if (watched) {
            setOwnFolder(path);
        }
    }

    private static native void setOwnFolder(String path);

    /**
     * Says whether what this thread does from now on is our own doing, not that of code under test:
     * it sees the real clock then, and to ask for the date counts for nobody.
     */
    public static void ours(boolean is) {
        if (watched) {
            setOurs(is);
        }
    }

    private static native void setOurs(boolean is);
}
