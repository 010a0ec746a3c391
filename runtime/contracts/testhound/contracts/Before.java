package testhound.contracts;

/**
 * Values of the state before a call, in the type javac gives them: what stands in for a value that
 * is not needed or could not be had, and how such a value is asked for after all.
 *
 * <p>The suppliers tell javac the type of an expression; they are never called.
 */
public final class Before {
    private Before() {}

    /** Gives a {@code boolean}. */
    @FunctionalInterface
    public interface OfBoolean {
        boolean get() throws Throwable;
    }

    /** Gives a {@code byte}. */
    @FunctionalInterface
    public interface OfByte {
        byte get() throws Throwable;
    }

    /** Gives a {@code short}. */
    @FunctionalInterface
    public interface OfShort {
        short get() throws Throwable;
    }

    /** Gives a {@code char}. */
    @FunctionalInterface
    public interface OfChar {
        char get() throws Throwable;
    }

    /** Gives a {@code int}. */
    @FunctionalInterface
    public interface OfInt {
        int get() throws Throwable;
    }

    /** Gives a {@code long}. */
    @FunctionalInterface
    public interface OfLong {
        long get() throws Throwable;
    }

    /** Gives a {@code float}. */
    @FunctionalInterface
    public interface OfFloat {
        float get() throws Throwable;
    }

    /** Gives a {@code double}. */
    @FunctionalInterface
    public interface OfDouble {
        double get() throws Throwable;
    }

    /** Gives an object. */
    @FunctionalInterface
    public interface Of<T> {
        T get() throws Throwable;
    }

    public static boolean none(OfBoolean like) {
        return false;
    }

    public static byte none(OfByte like) {
        return 0;
    }

    public static short none(OfShort like) {
        return 0;
    }

    public static char none(OfChar like) {
        return '\0';
    }

    public static int none(OfInt like) {
        return 0;
    }

    public static long none(OfLong like) {
        return 0;
    }

    public static float none(OfFloat like) {
        return 0;
    }

    public static double none(OfDouble like) {
        return 0;
    }

    /** For objects; by the place it is never passed, javac takes it last, not for numbers too. */
    public static <T> T none(Of<T> like, Object... never) {
        return null;
    }

    public static boolean known(boolean had, boolean value) {
        if (!had) {
            throw new Undefined("it was undefined before the call");
        }
        return value;
    }

    public static byte known(boolean had, byte value) {
        if (!had) {
            throw new Undefined("it was undefined before the call");
        }
        return value;
    }

    public static short known(boolean had, short value) {
        if (!had) {
            throw new Undefined("it was undefined before the call");
        }
        return value;
    }

    public static char known(boolean had, char value) {
        if (!had) {
            throw new Undefined("it was undefined before the call");
        }
        return value;
    }

    public static int known(boolean had, int value) {
        if (!had) {
            throw new Undefined("it was undefined before the call");
        }
        return value;
    }

    public static long known(boolean had, long value) {
        if (!had) {
            throw new Undefined("it was undefined before the call");
        }
        return value;
    }

    public static float known(boolean had, float value) {
        if (!had) {
            throw new Undefined("it was undefined before the call");
        }
        return value;
    }

    public static double known(boolean had, double value) {
        if (!had) {
            throw new Undefined("it was undefined before the call");
        }
        return value;
    }

    public static <T> T known(boolean had, T value) {
        if (!had) {
            throw new Undefined("it was undefined before the call");
        }
        return value;
    }
}
