package testhound.runtime;

import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;

/**
 * What collections and maps of the JDK hold, asked of the very classes named here only: going over
 * them calls no method of what they hold.
 */
final class Holdings {
    /** Elements looked at; the rest of a larger one is not. */
    private static final int MAX_ELEMENTS = 1000;

    private static final Set<Class<?>> COLLECTIONS = Set.of(
            ArrayList.class, LinkedList.class, Vector.class, ArrayDeque.class, HashSet.class,
            LinkedHashSet.class, TreeSet.class, CopyOnWriteArrayList.class,
            CopyOnWriteArraySet.class, ConcurrentLinkedQueue.class);

    private static final Set<Class<?>> MAPS = Set.of(
            HashMap.class, LinkedHashMap.class, TreeMap.class, Hashtable.class, Properties.class,
            EnumMap.class, ConcurrentHashMap.class, ConcurrentSkipListMap.class);

    private Holdings() {}

    /** What a collection or map holds, elements standing for themselves; null if it is none. */
    static Map<Object, Object> of(Object object) {
        Object container = unwrapped(object);
        boolean isKnown = COLLECTIONS.contains(container.getClass())
                || MAPS.contains(container.getClass());
        if (!isKnown) {
            return null;
        }
        Map<Object, Object> held = held(container, MAX_ELEMENTS);
        return held == null ? Map.of() : held;
    }

    /**
     * Whether something is gone or was replaced; integral numbers may change as counts do. What
     * another thread changes meanwhile is not known to have lost anything.
     */
    static boolean hasLost(Object object, Map<Object, Object> held) {
        Map<Object, Object> now = held(unwrapped(object), Integer.MAX_VALUE);
        if (now == null) {
            return false;
        }
        for (Map.Entry<Object, Object> entry : held.entrySet()) {
            Object key = entry.getKey();
            if (!now.containsKey(key) || isReplaced(entry.getValue(), now.get(key))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isReplaced(Object before, Object now) {
        if (before == null || before == now || Likeness.isPlain(before) && before.equals(now)) {
            return false;
        }
        return !isIntegral(before) || !isIntegral(now);
    }

    private static boolean isIntegral(Object value) {
        return value instanceof Integer || value instanceof Long || value instanceof Short
                || value instanceof Byte;
    }

    /** So many of what it holds; null if a thread changes it meanwhile. */
    private static Map<Object, Object> held(Object container, int limit) {
        Map<Object, Object> held = new IdentityHashMap<>();
        try {
            if (container instanceof Map<?, ?> map) {
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    if (held.size() < limit) {
                        held.put(entry.getKey(), entry.getValue());
                    }
                }
            } else {
                for (Object element : (Collection<?>) container) {
                    if (held.size() < limit) {
                        held.put(element, element);
                    }
                }
            }
        } catch (ConcurrentModificationException byAnotherThread) {
            return null;
        }
        return held;
    }

    /** The first elements of an array. */
    static List<Object> firstOf(Object[] array) {
        return Arrays.asList(Arrays.copyOf(array, Math.min(array.length, MAX_ELEMENTS)));
    }

    /** What an unmodifiable or synchronized view of {@code Collections} is of. */
    static Object unwrapped(Object object) {
        Object inner = object;
        while (inner.getClass().getName().startsWith("java.util.Collections$")) {
            Object next = null;
            for (Class<?> c = inner.getClass(); c != null && next == null; c = c.getSuperclass()) {
                next = viewed(c, inner);
            }
            if (next == null) {
                return inner;
            }
            inner = next;
        }
        return inner;
    }

    private static Object viewed(Class<?> type, Object view) {
        for (String name : new String[] {"c", "m"}) {
            try {
                Field field = type.getDeclaredField(name);
                TesthoundReach.open(field);
                Object value = field.get(view);
                if (value instanceof Collection || value instanceof Map) {
                    return value;
                }
            } catch (ReflectiveOperationException noSuchField) {
                continue;
            }
        }
        return null;
    }
}
