package testhound.contracts;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.util.ArrayList;
import java.util.List;

/** The fields of classes, as far as reflection may read them. */
final class Fields {
    private static final ClassValue<List<Field>> DECLARED =
            new ClassValue<>() {
                @Override
                protected List<Field> computeValue(Class<?> type) {
                    List<Field> found = new ArrayList<>();
                    if (!isOpaque(type)) {
                        for (Field field : type.getDeclaredFields()) {
                            if (isReadable(field)) {
                                found.add(field);
                            }
                        }
                    }
                    return found;
                }
            };

    private Fields() {}

    /** Those that a class declares itself. */
    static List<Field> of(Class<?> type) {
        return DECLARED.get(type);
    }

    /** Whether objects of a class are not looked into: it is one of the JDK's. */
    static boolean isOpaque(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    /** Whether an object has no identity that anybody should ask for. */
    static boolean isValue(Object object) {
        return object instanceof Number && isOpaque(object.getClass())
                || object instanceof String
                || object instanceof Boolean
                || object instanceof Character
                || object instanceof Class<?>
                || object instanceof Enum<?>;
    }

    static Object get(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new Undefined(e.getMessage());
        }
    }

    private static boolean isReadable(AccessibleObject field) {
        try {
            return field.trySetAccessible();
        } catch (InaccessibleObjectException | SecurityException e) {
            return false;
        }
    }
}
