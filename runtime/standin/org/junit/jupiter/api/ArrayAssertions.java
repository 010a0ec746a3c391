package org.junit.jupiter.api;

/** {@code assertArrayEquals} for arrays of every type, with a message, with a delta. */
abstract class ArrayAssertions extends UnequalAssertions {
    public static void assertArrayEquals(boolean[] expected, boolean[] actual) {
        ArrayEquality.equal(expected, actual, null, null);
    }

    public static void assertArrayEquals(boolean[] expected, boolean[] actual, String message) {
        ArrayEquality.equal(expected, actual, null, message);
    }

    public static void assertArrayEquals(byte[] expected, byte[] actual) {
        ArrayEquality.equal(expected, actual, null, null);
    }

    public static void assertArrayEquals(byte[] expected, byte[] actual, String message) {
        ArrayEquality.equal(expected, actual, null, message);
    }

    public static void assertArrayEquals(char[] expected, char[] actual) {
        ArrayEquality.equal(expected, actual, null, null);
    }

    public static void assertArrayEquals(char[] expected, char[] actual, String message) {
        ArrayEquality.equal(expected, actual, null, message);
    }

    public static void assertArrayEquals(double[] expected, double[] actual) {
        ArrayEquality.equal(expected, actual, null, null);
    }

    public static void assertArrayEquals(double[] expected, double[] actual, String message) {
        ArrayEquality.equal(expected, actual, null, message);
    }

    public static void assertArrayEquals(float[] expected, float[] actual) {
        ArrayEquality.equal(expected, actual, null, null);
    }

    public static void assertArrayEquals(float[] expected, float[] actual, String message) {
        ArrayEquality.equal(expected, actual, null, message);
    }

    public static void assertArrayEquals(int[] expected, int[] actual) {
        ArrayEquality.equal(expected, actual, null, null);
    }

    public static void assertArrayEquals(int[] expected, int[] actual, String message) {
        ArrayEquality.equal(expected, actual, null, message);
    }

    public static void assertArrayEquals(long[] expected, long[] actual) {
        ArrayEquality.equal(expected, actual, null, null);
    }

    public static void assertArrayEquals(long[] expected, long[] actual, String message) {
        ArrayEquality.equal(expected, actual, null, message);
    }

    public static void assertArrayEquals(short[] expected, short[] actual) {
        ArrayEquality.equal(expected, actual, null, null);
    }

    public static void assertArrayEquals(short[] expected, short[] actual, String message) {
        ArrayEquality.equal(expected, actual, null, message);
    }

    public static void assertArrayEquals(Object[] expected, Object[] actual) {
        ArrayEquality.equal(expected, actual, null, null);
    }

    public static void assertArrayEquals(Object[] expected, Object[] actual, String message) {
        ArrayEquality.equal(expected, actual, null, message);
    }

    public static void assertArrayEquals(float[] expected, float[] actual, float delta) {
        Equality.requirePositive(delta);
        ArrayEquality.equal(expected, actual, delta, null);
    }

    public static void assertArrayEquals(
            float[] expected, float[] actual, float delta, String message) {
        Equality.requirePositive(delta);
        ArrayEquality.equal(expected, actual, delta, message);
    }

    public static void assertArrayEquals(double[] expected, double[] actual, double delta) {
        Equality.requirePositive(delta);
        ArrayEquality.equal(expected, actual, delta, null);
    }

    public static void assertArrayEquals(
            double[] expected, double[] actual, double delta, String message) {
        Equality.requirePositive(delta);
        ArrayEquality.equal(expected, actual, delta, message);
    }
}
