package testhound.contracts;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The places that a clause allows a call to change, evaluated before it.
 *
 * <p>Fields are those that the clause sees; where it sees none of a name, those of that name that the
 * object has.
 */
public final class Places {
    /** Static fields, and those of objects around the one that is called. */
    private final Set<Field> everywhere = new HashSet<>();
    private final Map<Object, Set<Object>> fields = new IdentityHashMap<>();
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

    /** A field as a class sees it: static, of an object of it, or of one around that. */
    public Places own(Object object, Class<?> scope, String name) {
        for (Class<?> around = scope; around != null; around = around.getEnclosingClass()) {
            Field found = found(around, name);
            if (found != null) {
                boolean isStatic = Modifier.isStatic(found.getModifiers());
                if (isStatic || around != scope) {
                    everywhere.add(found);
                } else if (object != null) {
                    fields.computeIfAbsent(object, o -> new HashSet<>()).add(found);
                }
                return this;
            }
        }
        return field(object, name);
    }

    private static Field found(Class<?> scope, String name) {
        for (Class<?> c = scope; c != null; c = c.getSuperclass()) {
            for (Field field : Fields.of(c)) {
                if (field.getName().equals(name)) {
                    return field;
                }
            }
        }
        return null;
    }

    /** A field that stands for part of what a clause names, with the contents of what it holds. */
    public Places group(Object object, Class<?> scope, String name) {
        own(object, object == null ? scope : object.getClass(), name);
        for (Class<?> c = object == null ? null : object.getClass();
                c != null;
                c = c.getSuperclass()) {
            for (Field field : Fields.of(c)) {
                boolean isStatic = Modifier.isStatic(field.getModifiers());
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

    /** A field of what fields of that name hold, or all of it where {@code part} is {@code null}. */
    public Places held(Object object, String name, String part) {
        for (Class<?> c = object == null ? null : object.getClass();
                c != null;
                c = c.getSuperclass()) {
            for (Field field : Fields.of(c)) {
                if (field.getName().equals(name) && !Modifier.isStatic(field.getModifiers())) {
                    Object held = Fields.get(field, object);
                    if (part == null) {
                        all(held);
                    } else {
                        field(held, part);
                    }
                }
            }
        }
        return this;
    }

    /** A static field. */
    public Places shared(Class<?> scope, String name) {
        return own(null, scope, name);
    }

    /** All static fields of a class. */
    public Places shared(Class<?> scope) {
        for (Field field : Fields.of(scope)) {
            if (Modifier.isStatic(field.getModifiers())) {
                everywhere.add(field);
            }
        }
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
    boolean allows(Object object, Field field) {
        if (everywhere.contains(field)) {
            return true;
        }
        if (object == null) {
            return false;
        }
        Set<Object> named = fields.getOrDefault(object, Set.of());
        return wholes.contains(object) || named.contains(field) || named.contains(field.getName());
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
