package testhound.contracts;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The objects that can be reached from some: through fields of classes that reflection may look
 * into, elements of arrays, of collections and of maps.
 */
public final class Reach {
    /** More objects than this are not gone over. */
    private static final int MOST = 200_000;

    private final Set<Object> objects = Collections.newSetFromMap(new IdentityHashMap<>());

    /** All that can be reached from these; {@code null}s do not count. */
    public Reach(Object... roots) {
        this(new Class<?>[0], roots);
    }

    /** What can be reached from these and from the static fields of all checked classes. */
    public static Reach withStatics(Object... roots) {
        return new Reach(Statics.with(null), roots);
    }

    Reach(Class<?>[] statics, Object[] roots) {
        ArrayDeque<Object> todo = new ArrayDeque<>();
        for (Object root : roots) {
            add(root, todo);
        }
        for (Class<?> c : statics) {
            for (Field field : Fields.of(c)) {
                if (Modifier.isStatic(field.getModifiers())) {
                    add(Fields.get(field, null), todo);
                }
            }
        }
        while (!todo.isEmpty()) {
            for (Object next : neighbours(todo.pop())) {
                add(next, todo);
            }
        }
    }

    private void add(Object object, ArrayDeque<Object> todo) {
        if (object != null && !Fields.isValue(object) && objects.add(object)) {
            if (objects.size() > MOST) {
                throw new Undefined("too much can be reached");
            }
            todo.push(object);
        }
    }

    private static Collection<?> neighbours(Object object) {
        Class<?> type = object.getClass();
        if (type.isArray()) {
            return type.getComponentType().isPrimitive()
                    ? List.of() : Arrays.asList((Object[]) object);
        }
        List<Object> found = new ArrayList<>();
        if (Fields.isOpaque(type)) {
            if (object instanceof Collection<?>) {
                found.addAll((Collection<?>) object);
            } else if (object instanceof Map<?, ?>) {
                found.addAll(((Map<?, ?>) object).keySet());
                found.addAll(((Map<?, ?>) object).values());
            } else if (object instanceof Map.Entry<?, ?>) {
                found.add(((Map.Entry<?, ?>) object).getKey());
                found.add(((Map.Entry<?, ?>) object).getValue());
            } else if (object instanceof Optional<?>) {
                found.add(((Optional<?>) object).orElse(null));
            } else if (object instanceof AtomicReference<?>) {
                found.add(((AtomicReference<?>) object).get());
            }
            return found;
        }
        Object contents = Frame.inherited(object);
        if (contents instanceof Object[]) {
            found.addAll(Arrays.asList((Object[]) contents));
        }
        for (Class<?> c = type; c != null && !Fields.isOpaque(c); c = c.getSuperclass()) {
            for (Field field : Fields.of(c)) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    found.add(Fields.get(field, object));
                }
            }
        }
        return found;
    }

    Set<Object> objects() {
        return objects;
    }

    /** Whether it is one of them. */
    public boolean has(Object object) {
        return objects.contains(object);
    }

    /** As {@link #has}. */
    public boolean contains(Object object) {
        return has(object);
    }

    /** How many there are. */
    public int int_size() {
        return objects.size();
    }

    /** How many there are. */
    public int size() {
        return objects.size();
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return objects.isEmpty();
    }

    /** Whether an object is there and none of these: made since. */
    public boolean isFresh(Object object) {
        return object != null && !objects.contains(object);
    }

    /** The number of elements of an array, for its snapshot. */
    static int length(Object array) {
        return Array.getLength(array);
    }
}
