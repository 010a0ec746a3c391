package testhound.runtime;

import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * What a small collection or map held at one moment, to be put back.
 *
 * <p>Invariant: no method of code under test is called. So only containers of the JDK are taken, see
 * {@link Holdings}, and of those that ask their elements or keys for hash codes or an order, only
 * those whose elements or keys are values of the JDK.
 */
final class Contents {
    /** Larger ones are left alone: they are compared often. */
    private static final int MAX_SIZE = 64;

    private final Object container;
    private final List<Object> keys = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    private Contents(Object container) {
        this.container = container;
        if (container instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                keys.add(entry.getKey());
                values.add(entry.getValue());
            }
        } else {
            keys.addAll((Collection<?>) container);
        }
    }

    /** The contents of a container that {@link Holdings} knows; null if it cannot be put back. */
    static Contents of(Object container) {
        try {
            if (size(container) > MAX_SIZE || hasOrderOfItsOwn(container)) {
                return null;
            }
            Contents contents = new Contents(container);
            return container instanceof List || contents.keys.stream().allMatch(Contents::isValue)
                    ? contents
                    : null;
        } catch (ConcurrentModificationException byAnotherThread) {
            return null;
        }
    }

    /** Has the container hold again what it held, if it does not. */
    void putBack() {
        if (!isAsItWas()) {
            if (container instanceof Map<?, ?>) {
                @SuppressWarnings("unchecked")
                Map<Object, Object> map = (Map<Object, Object>) container;
                map.clear();
                for (int i = 0; i < keys.size(); i++) {
                    map.put(keys.get(i), values.get(i));
                }
            } else {
                @SuppressWarnings("unchecked")
                Collection<Object> collection = (Collection<Object>) container;
                collection.clear();
                collection.addAll(keys);
            }
        }
    }

    private boolean isAsItWas() {
        if (size(container) != keys.size()) {
            return false;
        }
        // What another thread adds or takes away from here on need not end in an exception.
        try {
            if (container instanceof Map<?, ?> map) {
                int at = 0;
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    if (at == keys.size() || entry.getKey() != keys.get(at)
                            || entry.getValue() != values.get(at)) {
                        return false;
                    }
                    at++;
                }
                return at == keys.size();
            }
            Iterator<Object> expected = keys.iterator();
            for (Object element : (Collection<?>) container) {
                if (!expected.hasNext() || element != expected.next()) {
                    return false;
                }
            }
            return !expected.hasNext();
        } catch (ConcurrentModificationException byAnotherThread) {
            return false;
        }
    }

    private static int size(Object container) {
        return container instanceof Map<?, ?> map ? map.size() : ((Collection<?>) container).size();
    }

    private static boolean hasOrderOfItsOwn(Object container) {
        return container instanceof SortedMap<?, ?> map && map.comparator() != null
                || container instanceof SortedSet<?> set && set.comparator() != null;
    }

    private static boolean isValue(Object key) {
        return key == null || key instanceof Enum || key instanceof Class || Likeness.isPlain(key);
    }
}
