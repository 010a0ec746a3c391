package java.lang;

/** The runtime class of tests: a map, and counters that the test reads. */
public final class Testhound {
    public static final byte[] MAP = new byte[/*size*/];
    public static long budget = Long.MAX_VALUE;
    public static String effects = "";

    private Testhound() {}

    public static void step() {
        if (--budget < 0) {
            throw new ThreadDeath();
        }
    }

    public static void effect(int id) {
        effects += "effect " + id + ";";
    }

    public static void exit(int status) {
        effects += "exit " + status + ";";
        throw new ThreadDeath();
    }
}
