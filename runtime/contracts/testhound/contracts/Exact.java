package testhound.contracts;

/**
 * Arithmetic of clauses where Java's own type is needed (arguments, indices): results have the type
 * they have in Java, what does not fit is {@link Overflow}.
 */
public final class Exact {
    private Exact() {}

    public static int add(int a, int b) {
        return narrow((long) a + b);
    }

    public static long add(long a, long b) {
        return Wide.add(a, b);
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

    public static String add(String a, char b) {
        return a + b;
    }

    public static String add(char a, String b) {
        return a + b;
    }

    public static int subtract(int a, int b) {
        return narrow((long) a - b);
    }

    public static long subtract(long a, long b) {
        return Wide.subtract(a, b);
    }

    public static float subtract(float a, float b) {
        return a - b;
    }

    public static double subtract(double a, double b) {
        return a - b;
    }

    public static int multiply(int a, int b) {
        return narrow((long) a * b);
    }

    public static long multiply(long a, long b) {
        return Wide.multiply(a, b);
    }

    public static float multiply(float a, float b) {
        return a * b;
    }

    public static double multiply(double a, double b) {
        return a * b;
    }

    public static int divide(int a, int b) {
        return narrow((long) a / b);
    }

    public static long divide(long a, long b) {
        return Wide.divide(a, b);
    }

    public static float divide(float a, float b) {
        return a / b;
    }

    public static double divide(double a, double b) {
        return a / b;
    }

    public static int remainder(int a, int b) {
        return a % b;
    }

    public static long remainder(long a, long b) {
        return a % b;
    }

    public static float remainder(float a, float b) {
        return a % b;
    }

    public static double remainder(double a, double b) {
        return a % b;
    }

    public static int negate(int a) {
        return narrow(-(long) a);
    }

    public static long negate(long a) {
        return Wide.negate(a);
    }

    public static float negate(float a) {
        return -a;
    }

    public static double negate(double a) {
        return -a;
    }

    /** An index, from whatever whole number. */
    public static int index(long value) {
        return narrow(value);
    }

    private static int narrow(long value) {
        if (value != (int) value) {
            throw Overflow.IT;
        }
        return (int) value;
    }
}
