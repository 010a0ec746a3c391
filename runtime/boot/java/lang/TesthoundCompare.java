package java.lang;

/**
 * Operands of comparisons: what instrumented code tells just before it compares.
 *
 * <p>Of each comparison that is open, the pair that came closest since {@link #count} was last set
 * to zero is kept, in the order in which comparisons were first passed. Comparisons nobody asks
 * about cost a load and a jump.
 *
 * <p>Fields are plain: threads that race spoil a hint, nothing else.
 */
public final class TesthoundCompare {
    private static final int SIZE = Integer.getInteger("testhound.comparisons", 16384);

    /** Not 0 where the operands are wanted, by number of the comparison. */
    public static final byte[] OPEN = new byte[SIZE];

    /** How many comparisons were passed; set to zero, together with a new {@link #run}. */
    public static int count;

    /** Differs from run to run. */
    public static int run = 1;

    /** The comparisons passed. */
    public static final int[] SITES = new int[SIZE];

    /** How far apart the closest operands were. */
    public static final double[] DISTANCES = new double[SIZE];

    /** Numbers compared: {@code long}s, or the bits of {@code double}s. */
    public static final long[] LEFT = new long[SIZE];

    public static final long[] RIGHT = new long[SIZE];

    /** Objects compared. */
    public static final Object[] LEFT_OBJECTS = new Object[SIZE];

    public static final Object[] RIGHT_OBJECTS = new Object[SIZE];

    /** The run in which a comparison was last passed, and where it stands among those passed. */
    private static final int[] LAST_RUN = new int[SIZE];

    private static final int[] PLACES = new int[SIZE];

    /** Things that are looked at in one container. */
    private static final int MAX_HELD = 32;

    private TesthoundCompare() {}

    public static void ints(int left, int right, int site) {
        if (OPEN[site] != 0) {
            numbers(left, right, Math.abs((double) left - right), site);
        }
    }

    public static void zero(int left, int site) {
        if (OPEN[site] != 0) {
            numbers(left, 0, Math.abs((double) left), site);
        }
    }

    /** Passes a probe if two numbers are equal whose order is compared. */
    public static void equal(int left, int right, int probe) {
        if (left == right) {
            Testhound.MAP[probe] = 1;
        }
    }

    /** The same for a number that is compared with zero. */
    public static void none(int value, int probe) {
        if (value == 0) {
            Testhound.MAP[probe] = 1;
        }
    }

    /** Passes a probe if a call answered {@code true}, which is dropped; for {@code false} see none. */
    public static void some(int value, int probe) {
        if (value != 0) {
            Testhound.MAP[probe] = 1;
        }
    }

    /** The same for an object. */
    public static void something(Object value, int probe) {
        if (value != null) {
            Testhound.MAP[probe] = 1;
        }
    }

    /** The same for no object. */
    public static void nothing(Object value, int probe) {
        if (value == null) {
            Testhound.MAP[probe] = 1;
        }
    }

    public static int longs(long left, long right, int site) {
        if (OPEN[site] != 0) {
            numbers(left, right, Math.abs((double) left - (double) right), site);
        }
        return left < right ? -1 : left == right ? 0 : 1;
    }

    /** {@code fcmpl}. */
    public static int floatsOrLess(float left, float right, int site) {
        if (OPEN[site] != 0) {
            doubles(left, right, site);
        }
        return left > right ? 1 : left == right ? 0 : -1;
    }

    /** {@code fcmpg}. */
    public static int floatsOrGreater(float left, float right, int site) {
        if (OPEN[site] != 0) {
            doubles(left, right, site);
        }
        return left < right ? -1 : left == right ? 0 : 1;
    }

    /** {@code dcmpl}. */
    public static int doublesOrLess(double left, double right, int site) {
        if (OPEN[site] != 0) {
            doubles(left, right, site);
        }
        return left > right ? 1 : left == right ? 0 : -1;
    }

    /** {@code dcmpg}. */
    public static int doublesOrGreater(double left, double right, int site) {
        if (OPEN[site] != 0) {
            doubles(left, right, site);
        }
        return left < right ? -1 : left == right ? 0 : 1;
    }

    /** A number that a switch goes by. */
    public static void key(int value, int site) {
        if (OPEN[site] != 0) {
            numbers(value, value, 0, site);
        }
    }

    /** A text whose hash code a switch goes by. */
    public static void text(Object text, int site) {
        if (OPEN[site] != 0) {
            int place = place(site, 0);
            if (place >= 0) {
                LEFT_OBJECTS[place] = text;
                RIGHT_OBJECTS[place] = null;
            }
        }
    }

    /** Any two objects; a regular expression is told as the text it was made of. */
    public static void objects(Object left, Object right, int site) {
        if (OPEN[site] != 0) {
            if (left instanceof java.util.regex.Pattern) {
                left = ((java.util.regex.Pattern) left).pattern();
            }
            boolean texts = left instanceof String && right instanceof String;
            double distance = texts ? apart((String) left, (String) right) : 1;
            int place = place(site, distance);
            if (place >= 0) {
                LEFT_OBJECTS[place] = left;
                RIGHT_OBJECTS[place] = right;
            }
        }
    }

    /** A character that is looked for in a text; nothing is said of what is there. */
    public static void character(int value, int site) {
        if (OPEN[site] != 0) {
            numbers(-1, value, 1, site);
        }
    }

    /** What is looked for in a container, with the closest of what it holds. */
    public static void held(Object container, Object wanted, int site) {
        if (OPEN[site] == 0) {
            return;
        }
        Object closest = null;
        double distance = Double.MAX_VALUE;
        if (wanted != null && isPlain(container)) {
            java.util.Collection<?> all =
                    container instanceof java.util.Map
                            ? ((java.util.Map<?, ?>) container).keySet()
                            : (java.util.Collection<?>) container;
            try {
                int left = MAX_HELD;
                for (Object element : all) {
                    if (left-- == 0) {
                        break;
                    }
                    if (element != null && element.getClass() == wanted.getClass()) {
                        boolean texts = element instanceof String;
                        double apart = texts ? apart((String) wanted, (String) element) : 1;
                        if (apart < distance) {
                            closest = element;
                            distance = apart;
                        }
                    }
                }
            } catch (RuntimeException changedMeanwhile) {
                closest = null;
            }
        }
        int place = place(site, closest == null ? Double.MAX_VALUE : distance);
        if (place >= 0) {
            LEFT_OBJECTS[place] = wanted;
            RIGHT_OBJECTS[place] = closest;
        }
    }

    /** Whether going over a container runs no code but the JDK's. */
    private static boolean isPlain(Object container) {
        if (container == null) {
            return false;
        }
        Class<?> type = container.getClass();
        return type == java.util.HashMap.class
                || type == java.util.LinkedHashMap.class
                || type == java.util.TreeMap.class
                || type == java.util.Hashtable.class
                || type == java.util.concurrent.ConcurrentHashMap.class
                || type == java.util.HashSet.class
                || type == java.util.LinkedHashSet.class
                || type == java.util.TreeSet.class
                || type == java.util.ArrayList.class
                || type == java.util.LinkedList.class
                || type.getName().equals("java.util.Arrays$ArrayList")
                || type.getName().startsWith("java.util.ImmutableCollections$");
    }

    /** Arrays of whole numbers: the first that differ, or the lengths if those do. */
    public static void elements(Object left, Object right, int site) {
        if (OPEN[site] == 0 || left == null || right == null) {
            return;
        }
        int length = java.lang.reflect.Array.getLength(left);
        int other = java.lang.reflect.Array.getLength(right);
        if (length != other) {
            numbers(length, other, 1e6 + Math.abs((double) length - other), site);
            return;
        }
        int differ = 0;
        long one = 0;
        long another = 0;
        for (int i = 0; i < length && i < 256; i++) {
            long a = whole(left, i);
            long b = whole(right, i);
            if (a != b) {
                if (differ++ == 0) {
                    one = a;
                    another = b;
                }
            }
        }
        numbers(one, another, differ, site);
    }

    private static long whole(Object array, int at) {
        return array instanceof char[]
                ? ((char[]) array)[at]
                : java.lang.reflect.Array.getLong(array, at);
    }

    private static void doubles(double left, double right, int site) {
        double distance = Math.abs(left - right);
        int place = place(site, distance == distance ? distance : Double.MAX_VALUE);
        if (place >= 0) {
            LEFT[place] = Double.doubleToRawLongBits(left);
            RIGHT[place] = Double.doubleToRawLongBits(right);
        }
    }

    private static void numbers(long left, long right, double distance, int site) {
        int place = place(site, distance);
        if (place >= 0) {
            LEFT[place] = left;
            RIGHT[place] = right;
        }
    }

    /** Where to put operands that far apart; negative if closer ones are there. */
    private static int place(int site, double distance) {
        int place = PLACES[site];
        if (LAST_RUN[site] != run) {
            place = count;
            if (place < 0 || place >= SIZE) {
                return -1;
            }
            count = place + 1;
            LAST_RUN[site] = run;
            PLACES[site] = place;
            SITES[place] = site;
        } else if (place >= SIZE || distance >= DISTANCES[place]) {
            return -1;
        }
        DISTANCES[place] = distance;
        return place;
    }

    /** How many characters differ, and by how much the lengths do. */
    private static double apart(String left, String right) {
        int common = Math.min(left.length(), right.length());
        int differ = Math.max(left.length(), right.length()) - common;
        for (int i = 0; i < common && i < 256; i++) {
            if (left.charAt(i) != right.charAt(i)) {
                differ++;
            }
        }
        return differ;
    }
}
