package testhound.contracts;

import java.lang.reflect.Array;

/** What clauses ask of types and of objects as such. */
public final class Types {
    private Types() {}

    public static Class<?> of(boolean value) {
        return boolean.class;
    }

    public static Class<?> of(byte value) {
        return byte.class;
    }

    public static Class<?> of(short value) {
        return short.class;
    }

    public static Class<?> of(char value) {
        return char.class;
    }

    public static Class<?> of(int value) {
        return int.class;
    }

    public static Class<?> of(long value) {
        return long.class;
    }

    public static Class<?> of(float value) {
        return float.class;
    }

    public static Class<?> of(double value) {
        return double.class;
    }

    public static Class<?> of(Object value) {
        return value.getClass();
    }

    /** The type of the elements of an array type. */
    public static Class<?> element(Class<?> array) {
        Class<?> element = array.getComponentType();
        if (element == null) {
            throw new Undefined(array.getName() + " is no type of arrays");
        }
        return element;
    }

    /** Whether a type is the other or a subtype of it. */
    public static boolean subtype(Class<?> sub, Class<?> type) {
        return type.isAssignableFrom(sub);
    }

    /** Whether an array, or something to go over, is there and has no {@code null} in it. */
    public static boolean nonNullElements(Object all) {
        if (all == null) {
            return false;
        }
        if (all instanceof Iterable<?>) {
            for (Object element : (Iterable<?>) all) {
                if (element == null) {
                    return false;
                }
            }
            return true;
        }
        if (all.getClass().getComponentType().isPrimitive()) {
            return true;
        }
        for (int i = 0; i < Array.getLength(all); i++) {
            if (Array.get(all, i) == null) {
                return false;
            }
        }
        return true;
    }

    /** The value of a model field that the class of this object does not represent. */
    public static Undefined unrepresented(String field) {
        return new Undefined("the model field " + field + " has no value here");
    }

    private static final ClassValue<java.lang.reflect.Method> INVARIANTS =
            new ClassValue<>() {
                @Override
                protected java.lang.reflect.Method computeValue(Class<?> type) {
                    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
                        try {
                            java.lang.reflect.Method found = c.getDeclaredMethod("jml$inv");
                            found.setAccessible(true);
                            return found;
                        } catch (NoSuchMethodException e) {
                            // Then its superclass may have one.
                        }
                    }
                    return null;
                }
            };

    /** Whether the invariants of an object hold. */
    public static boolean invariantFor(Object object) throws Throwable {
        java.lang.reflect.Method method = INVARIANTS.get(object.getClass());
        try {
            return method == null || (Integer) method.invoke(object) == 0;
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
