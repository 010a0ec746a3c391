package java.lang;

/**
 * What mocks are asked while tests are searched: the classes made for them tell it here, the method
 * first and then its arguments one by one.
 *
 * <p>Calls are noted only while somebody wants to know, and only those of the thread that does. One
 * from another thread, or one for which there is no room, spoils the notes: without it they would be
 * wrong.
 */
public final class TesthoundMocks {
    private static final int MAX_CALLS = 64;

    private static final int MAX_ARGUMENTS = 256;

    /** Whether a mock answered {@code null} since this was last set to false. */
    public static boolean gaveNull;

    /** How many calls were noted. */
    public static int count;

    /** Whether there was a call that could not be noted. */
    public static volatile boolean spoiled;

    /** The mock of each call. */
    public static final Object[] MOCKS = new Object[MAX_CALLS];

    /** The method, by its number in the class of the mock. */
    public static final int[] METHODS = new int[MAX_CALLS];

    /** Where the arguments of the call end; they begin where those of the call before end. */
    public static final int[] ENDS = new int[MAX_CALLS];

    /** The arguments, primitive ones in their boxes. */
    public static final Object[] ARGUMENTS = new Object[MAX_ARGUMENTS];

    private static int given;

    /** Whose calls are noted; nobody's if it is null. */
    private static volatile Thread noting;

    private TesthoundMocks() {}

    /** Notes calls of this thread from now on, and forgets those before. */
    public static void begin() {
        end();
        noting = Thread.currentThread();
    }

    /** Notes no more, and forgets what was noted. */
    public static void end() {
        noting = null;
        for (int i = 0; i < MAX_CALLS; i++) {
            MOCKS[i] = null;
        }
        for (int i = 0; i < MAX_ARGUMENTS; i++) {
            ARGUMENTS[i] = null;
        }
        count = 0;
        given = 0;
        spoiled = false;
    }

    /** A mock was asked this. */
    public static void called(Object mock, int method) {
        Thread thread = noting;
        if (thread == null) {
            return;
        }
        if (thread != Thread.currentThread() || count == MAX_CALLS) {
            spoiled = true;
            return;
        }
        MOCKS[count] = mock;
        METHODS[count] = method;
        ENDS[count] = given;
        count++;
    }

    public static void given(boolean value) {
        if (noting != null) {
            given((Object) value);
        }
    }

    public static void given(byte value) {
        if (noting != null) {
            given((Object) value);
        }
    }

    public static void given(char value) {
        if (noting != null) {
            given((Object) value);
        }
    }

    public static void given(short value) {
        if (noting != null) {
            given((Object) value);
        }
    }

    public static void given(int value) {
        if (noting != null) {
            given((Object) value);
        }
    }

    public static void given(long value) {
        if (noting != null) {
            given((Object) value);
        }
    }

    public static void given(float value) {
        if (noting != null) {
            given((Object) value);
        }
    }

    public static void given(double value) {
        if (noting != null) {
            given((Object) value);
        }
    }

    /** The next argument of the call that was noted last. */
    public static void given(Object value) {
        if (noting != Thread.currentThread() || spoiled) {
            return;
        }
        if (given == MAX_ARGUMENTS) {
            spoiled = true;
            return;
        }
        ARGUMENTS[given++] = value;
        ENDS[count - 1] = given;
    }

    /** A mock is about to answer this. */
    public static void answered(Object answer) {
        if (answer == null) {
            gaveNull = true;
        }
    }
}
