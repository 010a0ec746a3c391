package org.junit.jupiter.api;

import org.junit.jupiter.api.function.Executable;

/**
 * The assertions that emitted tests use, with the overloads that JUnit 5 documents, so that a call
 * means the same here and there.
 *
 * <p>The many overloads of equality are inherited: {@link EqualAssertions}, {@link
 * UnequalAssertions} and {@link ArrayAssertions}.
 */
public class Assertions extends ArrayAssertions {
    protected Assertions() {}

    // Plain failure.

    public static <V> V fail() {
        throw Failure.of(null);
    }

    public static <V> V fail(String message) {
        throw Failure.of(message);
    }

    public static <V> V fail(String message, Throwable cause) {
        throw Failure.of(message, cause);
    }

    public static <V> V fail(Throwable cause) {
        throw Failure.of(null, cause);
    }

    // Conditions and references.

    public static void assertTrue(boolean condition) {
        assertTrue(condition, null);
    }

    public static void assertTrue(boolean condition, String message) {
        if (!condition) {
            throw Failure.differ(message, true, false);
        }
    }

    public static void assertFalse(boolean condition) {
        assertFalse(condition, null);
    }

    public static void assertFalse(boolean condition, String message) {
        if (condition) {
            throw Failure.differ(message, false, true);
        }
    }

    public static void assertNull(Object actual) {
        assertNull(actual, null);
    }

    public static void assertNull(Object actual, String message) {
        if (actual != null) {
            throw Failure.differ(message, null, actual);
        }
    }

    public static void assertNotNull(Object actual) {
        assertNotNull(actual, null);
    }

    public static void assertNotNull(Object actual, String message) {
        if (actual == null) {
            throw Failure.of(message, "expected: not <null>");
        }
    }

    public static void assertSame(Object expected, Object actual) {
        assertSame(expected, actual, null);
    }

    public static void assertSame(Object expected, Object actual, String message) {
        if (expected != actual) {
            throw Failure.differ(message, expected, actual);
        }
    }

    public static void assertNotSame(Object unexpected, Object actual) {
        assertNotSame(unexpected, actual, null);
    }

    public static void assertNotSame(Object unexpected, Object actual, String message) {
        if (unexpected == actual) {
            throw Failure.of(message, "expected: not same but was: <" + Failure.text(actual) + ">");
        }
    }

    // Exceptions and types.

    public static <T extends Throwable> T assertThrows(
            Class<T> expectedType, Executable executable) {
        return assertThrows(expectedType, executable, null);
    }

    public static <T extends Throwable> T assertThrows(
            Class<T> expectedType, Executable executable, String message) {
        try {
            executable.execute();
        } catch (Throwable thrown) {
            if (expectedType.isInstance(thrown)) {
                return expectedType.cast(thrown);
            }
            if (thrown instanceof OutOfMemoryError error) {
                throw error;
            }
            throw Failure.unexpectedThrown(message, expectedType, thrown);
        }
        throw Failure.of(message,
                "Expected " + Failure.text(expectedType) + " to be thrown, but nothing was thrown.");
    }

    public static void assertDoesNotThrow(Executable executable) {
        try {
            executable.execute();
        } catch (OutOfMemoryError error) {
            throw error;
        } catch (Throwable thrown) {
            throw Failure.unexpected(thrown);
        }
    }

    public static <T> T assertInstanceOf(Class<T> expectedType, Object actual) {
        return assertInstanceOf(expectedType, actual, null);
    }

    public static <T> T assertInstanceOf(Class<T> expectedType, Object actual, String message) {
        if (!expectedType.isInstance(actual)) {
            throw Failure.unexpectedType(message, expectedType, actual);
        }
        return expectedType.cast(actual);
    }
}
