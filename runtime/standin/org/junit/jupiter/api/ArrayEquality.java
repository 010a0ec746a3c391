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
            throw Failure.of(message, which + " array was <null>" + where);
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
        if (areComparedAsArrays(expected, actual)) {
            equal(expected, actual, delta, place, message);
            return;
        }
        boolean same = delta == null ? Equality.areEqual(expected, actual)
                : Equality.areEqual((Number) expected, (Number) actual, delta);
        if (!same) {
            throw Failure.differ(message, "array contents differ at index " + place + ", ",
                    expected, actual);
        }
    }

    /** Arrays of primitives are compared with their like only, null with any array. */
    private static boolean areComparedAsArrays(Object expected, Object actual) {
        if (expected == null || actual == null) {
            Object other = expected == null ? actual : expected;
            return other != null && other.getClass().isArray();
        }
        return expected instanceof Object[] && actual instanceof Object[]
                || expected.getClass().isArray() && expected.getClass() == actual.getClass();
    }
}
