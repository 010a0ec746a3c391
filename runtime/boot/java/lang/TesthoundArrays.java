package java.lang;

/** Arrays of any type, looked at without {@code java.lang.reflect}. */
final class TesthoundArrays {
    private TesthoundArrays() {}

    static int length(Object array) {
        return array instanceof Object[] ? ((Object[]) array).length
                : array instanceof int[] ? ((int[]) array).length
                : array instanceof byte[] ? ((byte[]) array).length
                : array instanceof char[] ? ((char[]) array).length
                : array instanceof long[] ? ((long[]) array).length
                : array instanceof double[] ? ((double[]) array).length
                : array instanceof boolean[] ? ((boolean[]) array).length
                : array instanceof float[] ? ((float[]) array).length
                : ((short[]) array).length;
    }

    /** An element; a primitive one in its box. */
    static Object get(Object array, int i) {
        if (array instanceof Object[]) {
            return ((Object[]) array)[i];
        } else if (array instanceof int[]) {
            return ((int[]) array)[i];
        } else if (array instanceof byte[]) {
            return ((byte[]) array)[i];
        } else if (array instanceof char[]) {
            return ((char[]) array)[i];
        } else if (array instanceof long[]) {
            return ((long[]) array)[i];
        } else if (array instanceof double[]) {
            return ((double[]) array)[i];
        } else if (array instanceof boolean[]) {
            return ((boolean[]) array)[i];
        } else if (array instanceof float[]) {
            return ((float[]) array)[i];
        }
        return ((short[]) array)[i];
    }

    static Object copy(Object array) {
        return array instanceof Object[] ? ((Object[]) array).clone()
                : array instanceof int[] ? ((int[]) array).clone()
                : array instanceof byte[] ? ((byte[]) array).clone()
                : array instanceof char[] ? ((char[]) array).clone()
                : array instanceof long[] ? ((long[]) array).clone()
                : array instanceof double[] ? ((double[]) array).clone()
                : array instanceof boolean[] ? ((boolean[]) array).clone()
                : array instanceof float[] ? ((float[]) array).clone()
                : ((short[]) array).clone();
    }

    /** Whether two arrays of one type hold the same at a place. */
    static boolean isSame(Object a, Object b, int i) {
        if (a instanceof Object[]) {
            return ((Object[]) a)[i] == ((Object[]) b)[i];
        }
        return get(a, i).equals(get(b, i));
    }
}
