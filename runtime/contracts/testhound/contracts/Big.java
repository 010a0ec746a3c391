package testhound.contracts;

import java.math.BigInteger;

/**
 * Arithmetic and comparisons of a clause that is evaluated again because a {@code long} did not
 * suffice: whole numbers are big integers, all else is as in {@link Wide}.
 */
public final class Big {
    private Big() {}

    private static BigInteger of(long a) {
        return BigInteger.valueOf(a);
    }

    public static BigInteger add(long a, long b) {
        return of(a).add(of(b));
    }

    public static BigInteger add(BigInteger a, long b) {
        return a.add(of(b));
    }

    public static BigInteger add(long a, BigInteger b) {
        return of(a).add(b);
    }

    public static BigInteger add(BigInteger a, BigInteger b) {
        return a.add(b);
    }

    public static float add(float a, float b) {
        return a + b;
    }

    public static double add(double a, double b) {
        return a + b;
    }

    public static String add(String a, Object b) {
        return a + b;
    }

    public static String add(Object a, String b) {
        return a + b;
    }

    public static String add(String a, String b) {
        return a + b;
    }

    public static BigInteger subtract(long a, long b) {
        return of(a).subtract(of(b));
    }

    public static BigInteger subtract(BigInteger a, long b) {
        return a.subtract(of(b));
    }

    public static BigInteger subtract(long a, BigInteger b) {
        return of(a).subtract(b);
    }

    public static BigInteger subtract(BigInteger a, BigInteger b) {
        return a.subtract(b);
    }

    public static float subtract(float a, float b) {
        return a - b;
    }

    public static double subtract(double a, double b) {
        return a - b;
    }

    public static BigInteger multiply(long a, long b) {
        return of(a).multiply(of(b));
    }

    public static BigInteger multiply(BigInteger a, long b) {
        return a.multiply(of(b));
    }

    public static BigInteger multiply(long a, BigInteger b) {
        return of(a).multiply(b);
    }

    public static BigInteger multiply(BigInteger a, BigInteger b) {
        return a.multiply(b);
    }

    public static float multiply(float a, float b) {
        return a * b;
    }

    public static double multiply(double a, double b) {
        return a * b;
    }

    public static BigInteger divide(long a, long b) {
        return of(a).divide(of(b));
    }

    public static BigInteger divide(BigInteger a, long b) {
        return a.divide(of(b));
    }

    public static BigInteger divide(long a, BigInteger b) {
        return of(a).divide(b);
    }

    public static BigInteger divide(BigInteger a, BigInteger b) {
        return a.divide(b);
    }

    public static float divide(float a, float b) {
        return a / b;
    }

    public static double divide(double a, double b) {
        return a / b;
    }

    public static long remainder(long a, long b) {
        return a % b;
    }

    public static BigInteger remainder(BigInteger a, long b) {
        return a.remainder(of(b));
    }

    public static BigInteger remainder(long a, BigInteger b) {
        return of(a).remainder(b);
    }

    public static BigInteger remainder(BigInteger a, BigInteger b) {
        return a.remainder(b);
    }

    public static double remainder(double a, double b) {
        return a % b;
    }

    public static BigInteger negate(long a) {
        return of(a).negate();
    }

    public static BigInteger negate(BigInteger a) {
        return a.negate();
    }

    public static double negate(double a) {
        return -a;
    }

    public static boolean less(long a, long b) {
        return a < b;
    }

    public static boolean less(BigInteger a, long b) {
        return a.compareTo(of(b)) < 0;
    }

    public static boolean less(long a, BigInteger b) {
        return of(a).compareTo(b) < 0;
    }

    public static boolean less(BigInteger a, BigInteger b) {
        return a.compareTo(b) < 0;
    }

    public static boolean less(double a, double b) {
        return a < b;
    }

    public static boolean lessEqual(long a, long b) {
        return a <= b;
    }

    public static boolean lessEqual(BigInteger a, long b) {
        return a.compareTo(of(b)) <= 0;
    }

    public static boolean lessEqual(long a, BigInteger b) {
        return of(a).compareTo(b) <= 0;
    }

    public static boolean lessEqual(BigInteger a, BigInteger b) {
        return a.compareTo(b) <= 0;
    }

    public static boolean lessEqual(double a, double b) {
        return a <= b;
    }

    public static boolean equal(long a, long b) {
        return a == b;
    }

    public static boolean equal(BigInteger a, long b) {
        return a.equals(of(b));
    }

    public static boolean equal(long a, BigInteger b) {
        return of(a).equals(b);
    }

    public static boolean equal(BigInteger a, BigInteger b) {
        return a == b || a != null && a.equals(b);
    }

    public static boolean equal(double a, double b) {
        return a == b;
    }

    public static boolean equal(boolean a, boolean b) {
        return a == b;
    }

    public static boolean equal(Object a, Object b) {
        return a == b;
    }

    /** An index, from whatever whole number. */
    public static int index(long value) {
        return Exact.index(value);
    }

    public static int index(BigInteger value) {
        return value.intValueExact();
    }
}
