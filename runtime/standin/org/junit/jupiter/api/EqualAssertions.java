package org.junit.jupiter.api;

/**
 * {@code assertEquals} for each primitive type in all mixes with its box, for objects, with a
 * message, with a delta.
 */
abstract class EqualAssertions {
    public static void assertEquals(byte expected, byte actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(byte expected, Byte actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Byte expected, byte actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Byte expected, Byte actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(byte expected, byte actual, String message) {
        Equality.equal(expected, actual, message);
    }

    public static void assertEquals(char expected, char actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(char expected, Character actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Character expected, char actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Character expected, Character actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(char expected, char actual, String message) {
        Equality.equal(expected, actual, message);
    }

    public static void assertEquals(double expected, double actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(double expected, Double actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Double expected, double actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Double expected, Double actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(double expected, double actual, String message) {
        Equality.equal(expected, actual, message);
    }

    public static void assertEquals(float expected, float actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(float expected, Float actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Float expected, float actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Float expected, Float actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(float expected, float actual, String message) {
        Equality.equal(expected, actual, message);
    }

    public static void assertEquals(int expected, int actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(int expected, Integer actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Integer expected, int actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Integer expected, Integer actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(int expected, int actual, String message) {
        Equality.equal(expected, actual, message);
    }

    public static void assertEquals(long expected, long actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(long expected, Long actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Long expected, long actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Long expected, Long actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(long expected, long actual, String message) {
        Equality.equal(expected, actual, message);
    }

    public static void assertEquals(short expected, short actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(short expected, Short actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Short expected, short actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Short expected, Short actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(short expected, short actual, String message) {
        Equality.equal(expected, actual, message);
    }

    public static void assertEquals(Object expected, Object actual) {
        Equality.equal(expected, actual, null);
    }

    public static void assertEquals(Object expected, Object actual, String message) {
        Equality.equal(expected, actual, message);
    }

    public static void assertEquals(float expected, float actual, float delta) {
        Equality.equal(expected, actual, delta, null);
    }

    public static void assertEquals(
            float expected, float actual, float delta, String message) {
        Equality.equal(expected, actual, delta, message);
    }

    public static void assertEquals(double expected, double actual, double delta) {
        Equality.equal(expected, actual, delta, null);
    }

    public static void assertEquals(
            double expected, double actual, double delta, String message) {
        Equality.equal(expected, actual, delta, message);
    }
}
