package org.junit.jupiter.api;

import java.lang.reflect.Array;

/** Compares arrays element by element, arrays within arrays too, and says where they differ. */
final class ArrayEquality {
    private ArrayEquality() {}

    /** Compares; elements that are floats or doubles with the delta, if there is one. */
    static void equal(Object expected, Object actual, Number delta, String message) {
        equal(expected, actual, delta, "", message);
    }

    /** Compares at a place such as {@code [3][1]}, empty for the outermost array. */
    private static void equal(
            Object expected, Object actual, Number delta, String place, String message) {
        if (expected == actual) {
            return;
        }
        String where = place.isEmpty() ? "" : " at index " + place;
        if (expected == null || actual == null) {
            String which = expected == null ? "expected" : "actual";
            throw Failure.of(message, which + " array" + where + " was <null>");
        }
        int length = Array.getLength(expected);
        if (length != Array.getLength(actual)) {
            throw Failure.differ(message, "array lengths differ" + where + ", ",
                    length, Array.getLength(actual));
        }
        for (int i = 0; i < length; i++) {
            element(Array.get(expected, i), Array.get(actual, i), delta, place + "[" + i + "]",
                    message);
        }
    }

    private static void element(
            Object expected, Object actual, Number delta, String place, String message) {
        boolean same;
        if (isArray(expected) && isArray(actual)) {
            equal(expected, actual, delta, place, message);
            return;
        } else if (delta != null) {
            same = Equality.areEqual((Number) expected, (Number) actual, delta);
        } else {
            same = Equality.areEqual(expected, actual);
        }
        if (!same) {
            throw Failure.differ(message, "array contents differ at index " + place + ", ",
                    expected, actual);
        }
    }

    private static boolean isArray(Object value) {
        return value != null && value.getClass().isArray();
    }
}
