package testhound.contracts;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The places that a clause allows a call to change, evaluated before it.
 *
 * <p>Fields go by name: of an object, or of whatever class declares a static one.
 */
public final class Places {
    private final Set<String> statics = new HashSet<>();
    private final Map<Object, Set<String>> fields = new IdentityHashMap<>();
    private final Set<Object> wholes =
            java.util.Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<Object, List<long[]>> elements = new IdentityHashMap<>();

    /** A field of an object. */
    public Places field(Object object, String name) {
        if (object != null) {
            fields.computeIfAbsent(object, o -> new HashSet<>()).add(name);
        }
        return this;
    }

    /** A field that is static, or of an object. */
    public Places own(Object object, String name) {
        statics.add(name);
        return field(object, name);
    }

    /** A field that stands for part of what a clause names, with the contents of what it holds. */
    public Places group(Object object, String name) {
        own(object, name);
        for (Class<?> c = object == null ? null : object.getClass();
                c != null;
                c = c.getSuperclass()) {
            for (java.lang.reflect.Field field : Fields.of(c)) {
                boolean isStatic = java.lang.reflect.Modifier.isStatic(field.getModifiers());
                if (field.getName().equals(name) && !isStatic) {
                    Object held = Fields.get(field, object);
                    if (held != null && Fields.isOpaque(held.getClass())
                            || held instanceof Object[]) {
                        all(held);
                    }
                }
            }
        }
        return this;
    }

    /** A static field. */
    public Places shared(String name) {
        statics.add(name);
        return this;
    }

    /** All of an object: its fields, elements, contents. */
    public Places all(Object object) {
        if (object != null) {
            wholes.add(object);
        }
        return this;
    }

    /** All elements of an array or collection. */
    public Places elements(Object array) {
        return all(array);
    }

    /** Some elements of an array, both ends included. */
    public Places elements(Object array, long first, long last) {
        if (array != null) {
            elements.computeIfAbsent(array, a -> new ArrayList<>()).add(new long[] {first, last});
        }
        return this;
    }

    /** Everything that can be reached. */
    public Places reached(Reach reach) {
        wholes.addAll(reach.objects());
        return this;
    }

    /** Whether a field may change; {@code object} is {@code null} for static ones. */
    boolean allows(Object object, String field) {
        if (object == null) {
            return statics.contains(field);
        }
        return wholes.contains(object)
                || fields.containsKey(object) && fields.get(object).contains(field);
    }

    /** Whether all of an object may change. */
    boolean allows(Object object) {
        return wholes.contains(object);
    }

    /** Whether an element may change. */
    boolean allows(Object array, int index) {
        if (wholes.contains(array)) {
            return true;
        }
        for (long[] range : elements.getOrDefault(array, List.of())) {
            if (range[0] <= index && index <= range[1]) {
                return true;
            }
        }
        return false;
    }
}
