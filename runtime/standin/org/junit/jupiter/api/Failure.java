package org.junit.jupiter.api;

import java.util.Arrays;
import org.opentest4j.AssertionFailedError;

/** Puts failures into words. A message of the caller goes in front, set off by an arrow. */
final class Failure {
    private Failure() {}

    static AssertionFailedError of(String text) {
        return new AssertionFailedError(text, null);
    }

    static AssertionFailedError of(String text, Throwable cause) {
        return new AssertionFailedError(text, cause);
    }

    static AssertionFailedError of(String message, String text) {
        return of(prefix(message) + text);
    }

    static AssertionFailedError differ(String message, Object expected, Object actual) {
        return differ(message, "", expected, actual);
    }

    /** Values that look alike are told apart by class and identity. */
    static AssertionFailedError differ(
            String message, String context, Object expected, Object actual) {
        String left = "<" + text(expected) + ">";
        String right = "<" + text(actual) + ">";
        if (left.equals(right)) {
            left = identity(expected, left);
            right = identity(actual, right);
        }
        return of(message, context + "expected: " + left + " but was: " + right);
    }

    static AssertionFailedError unexpectedThrown(
            String message, Class<?> expected, Throwable thrown) {
        AssertionFailedError failure = differ(
                message, "Unexpected exception type thrown, ", expected, thrown.getClass());
        failure.initCause(thrown);
        return failure;
    }

    static AssertionFailedError unexpected(Throwable thrown) {
        String message = thrown.getMessage();
        return of("Unexpected exception thrown: " + thrown.getClass().getName()
                + (message == null || message.isBlank() ? "" : ": " + message), thrown);
    }

    static AssertionFailedError unexpectedType(String message, Class<?> expected, Object actual) {
        if (actual == null) {
            return differ(message, "Unexpected null value, ", expected, null);
        }
        return differ(message, "Unexpected type, ", expected, actual.getClass());
    }

    /** A value for people: arrays by their contents, classes by their names. */
    static String text(Object value) {
        if (value instanceof Class<?> type) {
            return type.getCanonicalName() != null ? type.getCanonicalName() : type.getName();
        }
        if (value != null && value.getClass().isArray()) {
            // Wrapped, so that one method prints arrays of any type; less its own brackets.
            String wrapped = Arrays.deepToString(new Object[] {value});
            return wrapped.substring(1, wrapped.length() - 1);
        }
        return String.valueOf(value);
    }

    private static String identity(Object value, String text) {
        return value == null ? text : value.getClass().getName() + "@"
                + Integer.toHexString(System.identityHashCode(value)) + text;
    }

    private static String prefix(String message) {
        return message == null || message.isBlank() ? "" : message + " ==> ";
    }
}
