package org.junit.jupiter.api;

/**
 * Compares single values. Primitive values come boxed: a box equals another of its type exactly
 * when the assertions on primitives call them equal, floating-point values by their bits.
 */
final class Equality {
    private Equality() {}

    static boolean areEqual(Object expected, Object actual) {
        return expected == null ? actual == null : expected.equals(actual);
    }

    /** Two floats or two doubles; values of equal bits, such as two NaN, need no delta. */
    static boolean areEqual(Number expected, Number actual, Number delta) {
        return expected.equals(actual) || withinDelta(expected, actual, delta);
    }

    private static boolean withinDelta(Number expected, Number actual, Number delta) {
        if (expected instanceof Float) {
            return Math.abs(expected.floatValue() - actual.floatValue()) <= delta.floatValue();
        }
        return Math.abs(expected.doubleValue() - actual.doubleValue()) <= delta.doubleValue();
    }

    static void equal(Object expected, Object actual, String message) {
        if (!areEqual(expected, actual)) {
            throw Failure.differ(message, expected, actual);
        }
    }

    static void equal(Number expected, Number actual, Number delta, String message) {
        requirePositive(delta);
        if (!areEqual(expected, actual, delta)) {
            throw Failure.differ(message, expected, actual);
        }
    }

    static void notEqual(Object unexpected, Object actual, String message) {
        if (areEqual(unexpected, actual)) {
            throw equalAfterAll(actual, message);
        }
    }

    static void notEqual(Number unexpected, Number actual, Number delta, String message) {
        requirePositive(delta);
        if (areEqual(unexpected, actual, delta)) {
            throw equalAfterAll(actual, message);
        }
    }

    /** Zero passes too; the message is JUnit's. */
    static void requirePositive(Number delta) {
        if (!(delta.doubleValue() >= 0)) {
            throw Failure.of("positive delta expected but was: <" + delta + ">");
        }
    }

    private static AssertionError equalAfterAll(Object actual, String message) {
        return Failure.of(message, "expected: not equal but was: <" + Failure.text(actual) + ">");
    }
}
