package testhound.contracts;

import java.util.Arrays;

/**
 * The checked classes that are initialized: their static fields are part of the state that a call
 * finds. Each tells it itself, at the end of its initialization, so that nobody initializes one by
 * looking.
 */
public final class Statics {
    private static volatile Class<?>[] initialized = {};

    private Statics() {}

    /** From now on the static fields of this class count. */
    public static synchronized boolean add(Class<?> type) {
        for (Class<?> known : initialized) {
            if (known == type) {
                return true;
            }
        }
        Class<?>[] more = Arrays.copyOf(initialized, initialized.length + 1);
        more[initialized.length] = type;
        initialized = more;
        return true;
    }

    /** All of them, with a class that counts in any case and those it extends. */
    static Class<?>[] with(Class<?> own) {
        Class<?>[] all = initialized;
        for (Class<?> c = own; c != null && c != Object.class; c = c.getSuperclass()) {
            if (!Arrays.asList(all).contains(c)) {
                all = Arrays.copyOf(all, all.length + 1);
                all[all.length - 1] = c;
            }
        }
        return all;
    }
}
