package testhound.runtime;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Whether one value can stand for another: it is the same, or a new object that says the same. Code
 * that sets a field back often makes a new object for it.
 *
 * <p>Invariant: no method of code under test is called.
 */
final class Likeness {
    /** How deep two objects are compared; below, they must be the same. */
    private static final int MAX_DEPTH = 3;

    /** Their {@code equals} says all there is to say. */
    private static final Set<Class<?>> PLAIN = Set.of(
            String.class, Boolean.class, Character.class, Byte.class, Short.class, Integer.class,
            Long.class, Float.class, Double.class);

    private Likeness() {}

    static boolean isPlain(Object value) {
        return PLAIN.contains(value.getClass());
    }

    /**
     * Whether two values are alike.
     *
     * @param fieldsOf all instance fields of a class, or null if not all of them can be seen
     */
    static boolean is(Object one, Object other, Function<Class<?>, List<Field>> fieldsOf)
            throws IllegalAccessException {
        return is(one, other, fieldsOf, 0);
    }

    private static boolean is(
            Object one, Object other, Function<Class<?>, List<Field>> fieldsOf, int depth)
            throws IllegalAccessException {
        if (one == other) {
            return true;
        }
        if (one == null || other == null || one.getClass() != other.getClass()) {
            return false;
        }
        if (isPlain(one)) {
            return one.equals(other);
        }
        if (depth >= MAX_DEPTH) {
            return false;
        }
        if (one instanceof Object[] array) {
            Object[] second = (Object[]) other;
            boolean alike = array.length == second.length;
            for (int i = 0; alike && i < array.length; i++) {
                alike = is(array[i], second[i], fieldsOf, depth + 1);
            }
            return alike;
        }
        Map<Object, Object> held = Holdings.of(one);
        if (held != null) {
            // With elements in them it would take their own methods to tell.
            return held.isEmpty() && Holdings.of(other).isEmpty();
        }
        List<Field> fields = fieldsOf.apply(one.getClass());
        if (fields == null) {
            return false;
        }
        for (Field field : fields) {
            if (!is(field.get(one), field.get(other), fieldsOf, depth + 1)) {
                return false;
            }
        }
        return true;
    }
}
