package org.junit.jupiter.api;

/** {@code assertNotEquals}, with the same overloads as {@code assertEquals}. */
abstract class UnequalAssertions extends EqualAssertions {
    public static void assertNotEquals(byte unexpected, byte actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(byte unexpected, Byte actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Byte unexpected, byte actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Byte unexpected, Byte actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(byte unexpected, byte actual, String message) {
        Equality.notEqual(unexpected, actual, message);
    }

    public static void assertNotEquals(char unexpected, char actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(char unexpected, Character actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Character unexpected, char actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Character unexpected, Character actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(char unexpected, char actual, String message) {
        Equality.notEqual(unexpected, actual, message);
    }

    public static void assertNotEquals(double unexpected, double actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(double unexpected, Double actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Double unexpected, double actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Double unexpected, Double actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(double unexpected, double actual, String message) {
        Equality.notEqual(unexpected, actual, message);
    }

    public static void assertNotEquals(float unexpected, float actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(float unexpected, Float actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Float unexpected, float actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Float unexpected, Float actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(float unexpected, float actual, String message) {
        Equality.notEqual(unexpected, actual, message);
    }

    public static void assertNotEquals(int unexpected, int actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(int unexpected, Integer actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Integer unexpected, int actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Integer unexpected, Integer actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(int unexpected, int actual, String message) {
        Equality.notEqual(unexpected, actual, message);
    }

    public static void assertNotEquals(long unexpected, long actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(long unexpected, Long actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Long unexpected, long actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Long unexpected, Long actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(long unexpected, long actual, String message) {
        Equality.notEqual(unexpected, actual, message);
    }

    public static void assertNotEquals(short unexpected, short actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(short unexpected, Short actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Short unexpected, short actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Short unexpected, Short actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(short unexpected, short actual, String message) {
        Equality.notEqual(unexpected, actual, message);
    }

    public static void assertNotEquals(Object unexpected, Object actual) {
        Equality.notEqual(unexpected, actual, null);
    }

    public static void assertNotEquals(Object unexpected, Object actual, String message) {
        Equality.notEqual(unexpected, actual, message);
    }

    public static void assertNotEquals(float unexpected, float actual, float delta) {
        Equality.notEqual(unexpected, actual, delta, null);
    }

    public static void assertNotEquals(
            float unexpected, float actual, float delta, String message) {
        Equality.notEqual(unexpected, actual, delta, message);
    }

    public static void assertNotEquals(double unexpected, double actual, double delta) {
        Equality.notEqual(unexpected, actual, delta, null);
    }

    public static void assertNotEquals(
            double unexpected, double actual, double delta, String message) {
        Equality.notEqual(unexpected, actual, delta, message);
    }
}
