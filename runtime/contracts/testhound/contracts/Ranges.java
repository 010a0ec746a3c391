package testhound.contracts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What quantifiers go over. */
public final class Ranges {
    /** The values of {@code boolean}. */
    public static final boolean[] BOOLEANS = {false, true};

    /** More values than this are not gone over. */
    private static final long MOST = 1L << 22;

    private Ranges() {}

    /** The last value, if there are not too many from the first on. */
    public static long last(long first, long last) {
        if (last >= first && (last - first < 0 || last - first > MOST)) {
            throw new Undefined("the range is too large");
        }
        return last;
    }

    public static Iterable<?> each(Iterable<?> all) {
        List<Object> copy = new ArrayList<>();
        all.forEach(copy::add);
        return copy;
    }

    public static Iterable<?> each(Object[] all) {
        return Arrays.asList(all);
    }

    public static Iterable<?> each(Reach all) {
        return all.objects();
    }

    /** The greatest or least of nothing. */
    public static boolean some(boolean any) {
        if (!any) {
            throw new Undefined("the range is empty");
        }
        return true;
    }
}
