package testhound.contracts;

/**
 * Arithmetic of clauses where javac takes a wider type: of {@code int} in {@code long}, of
 * {@code long} with {@link Overflow}, of floating numbers and texts as in Java.
 */
public final class Wide {
    private Wide() {}

    public static long add(int a, int b) {
        return (long) a + b;
    }

    public static long add(long a, long b) {
        long sum = a + b;
        if (((a ^ sum) & (b ^ sum)) < 0) {
            throw Overflow.IT;
        }
        return sum;
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

    public static long subtract(int a, int b) {
        return (long) a - b;
    }

    public static long subtract(long a, long b) {
        long difference = a - b;
        if (((a ^ b) & (a ^ difference)) < 0) {
            throw Overflow.IT;
        }
        return difference;
    }

    public static float subtract(float a, float b) {
        return a - b;
    }

    public static double subtract(double a, double b) {
        return a - b;
    }

    public static long multiply(int a, int b) {
        return (long) a * b;
    }

    public static long multiply(long a, long b) {
        long product = a * b;
        if (Math.multiplyHigh(a, b) != product >> 63) {
            throw Overflow.IT;
        }
        return product;
    }

    public static float multiply(float a, float b) {
        return a * b;
    }

    public static double multiply(double a, double b) {
        return a * b;
    }

    public static long divide(int a, int b) {
        return (long) a / b;
    }

    public static long divide(long a, long b) {
        if (a == Long.MIN_VALUE && b == -1) {
            throw Overflow.IT;
        }
        return a / b;
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

    public static long negate(int a) {
        return -(long) a;
    }

    public static long negate(long a) {
        if (a == Long.MIN_VALUE) {
            throw Overflow.IT;
        }
        return -a;
    }

    public static float negate(float a) {
        return -a;
    }

    public static double negate(double a) {
        return -a;
    }
}
