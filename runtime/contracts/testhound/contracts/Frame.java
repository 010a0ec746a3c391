package testhound.contracts;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What everything within reach of a call held before it, to tell what the call changed.
 *
 * <p>Objects of the JDK are known by their contents if they are collections or maps, by their text
 * if they are builders, else not at all. What a field holds that may change may change its contents
 * too, if it is one of those.
 */
public final class Frame {
    private final Reach reach;
    private final List<Held> held = new ArrayList<>();
    private String changed = "";

    private record Held(Object object, Field field, Object before) {}

    /** Of what can be reached from these and from the static fields of a class and of all others. */
    public Frame(Class<?> own, Object... roots) {
        Class<?>[] statics = Statics.with(own);
        reach = new Reach(statics, roots);
        for (Class<?> c : statics) {
            hold(c, null);
        }
        for (Object object : reach.objects()) {
            Class<?> type = object.getClass();
            if (Fields.isOpaque(type)) {
                Object contents = contents(object);
                if (contents != null) {
                    held.add(new Held(object, null, contents));
                }
            } else {
                for (Class<?> c = type; c != null && !Fields.isOpaque(c); c = c.getSuperclass()) {
                    hold(c, object);
                }
                Object contents = inherited(object);
                if (contents != null) {
                    held.add(new Held(object, null, contents));
                }
            }
        }
    }

    /** The same; {@code null} if it cannot be made. */
    public static Frame of(Class<?> own, Object... roots) {
        try {
            return new Frame(own, roots);
        } catch (Throwable t) {
            Checks.postpone(t);
            return null;
        }
    }

    /** Fails if anything but some places was changed; where one is not known nothing is said. */
    public static void check(int clause, Frame frame, Places places) {
        if (places == null) {
            return;
        }
        if (frame == null) {
            Checks.undefined(clause, new Undefined("too much can be reached"));
            return;
        }
        boolean kept;
        try {
            kept = frame.respects(places);
        } catch (Throwable t) {
            kept = Checks.undefined(clause, t);
        }
        if (!kept) {
            if (Checks.telling) {
                Tale.of(clause);
                Tale.part("changed", frame.changed);
            }
            Checks.violated(clause);
        }
    }

    private void hold(Class<?> type, Object object) {
        for (Field field : Fields.of(type)) {
            boolean isStatic = Modifier.isStatic(field.getModifiers());
            boolean fixed = isStatic && Modifier.isFinal(field.getModifiers());
            if (isStatic == (object == null) && !fixed) {
                held.add(new Held(object, field, Fields.get(field, object)));
            }
        }
    }

    /** The identity of what was there before the call. */
    public Reach reach() {
        return reach;
    }

    /** Whether only these places hold something else than before. */
    public boolean respects(Places places) {
        Places allowed = withContents(places);
        for (Held one : held) {
            if (one.field != null) {
                Object now = Fields.get(one.field, one.object);
                boolean same = one.field.getType().isPrimitive()
                        ? Objects.equals(one.before, now) : one.before == now;
                if (!same && !allowed.allows(one.object, one.field)) {
                    changed = one.field.getName();
                    if (one.object == null) {
                        changed = one.field.getDeclaringClass().getSimpleName() + "." + changed;
                    }
                    return false;
                }
            } else if (one.object.getClass().isArray()) {
                if (!elementsRespect(one.object, one.before, allowed)) {
                    return false;
                }
            } else if (!allowed.allows(one.object) && !sameContents(one.before, one.object)) {
                changed = "the contents of a " + one.object.getClass().getSimpleName();
                return false;
            }
        }
        return true;
    }

    /** Fields that may change allow what is in the JDK's objects they held. */
    private Places withContents(Places places) {
        for (Held one : held) {
            if (one.field != null
                    && one.before != null
                    && !one.before.getClass().isArray()
                    && Fields.isOpaque(one.before.getClass())
                    && places.allows(one.object, one.field)) {
                places.all(one.before);
            }
        }
        return places;
    }

    private boolean elementsRespect(Object array, Object before, Places places) {
        if (isSamePrimitives(array, before)) {
            return true;
        }
        Object[] was = before instanceof Object[] ? (Object[]) before : null;
        Object[] now = array instanceof Object[] ? (Object[]) array : null;
        for (int i = 0; i < Reach.length(array); i++) {
            boolean same = was != null && now != null
                    ? was[i] == now[i] : Array.get(before, i).equals(Array.get(array, i));
            if (!same && !places.allows(array, i)) {
                changed = "an element [" + i + "]";
                return false;
            }
        }
        return true;
    }

    /** The quick answer for most arrays of numbers, which did not change. */
    private static boolean isSamePrimitives(Object array, Object before) {
        return array instanceof int[] && Arrays.equals((int[]) array, (int[]) before)
                || array instanceof long[] && Arrays.equals((long[]) array, (long[]) before)
                || array instanceof byte[] && Arrays.equals((byte[]) array, (byte[]) before)
                || array instanceof char[] && Arrays.equals((char[]) array, (char[]) before);
    }

    /** What an object holds by a class of the JDK that its own extends; {@code null} if nothing. */
    static Object inherited(Object object) {
        return object instanceof Collection<?> || object instanceof Map<?, ?>
                ? extended(object) : null;
    }

    private static Object extended(Object object) {
        Class<?> c = object.getClass();
        while (!Fields.isOpaque(c)) {
            c = c.getSuperclass();
        }
        // Of these, what is held is all in the fields of classes below.
        boolean isEmpty = c == Object.class || Modifier.isAbstract(c.getModifiers());
        return isEmpty ? null : contents(object);
    }

    private static Object contents(Object object) {
        if (object.getClass().isArray()) {
            Object copy = Array.newInstance(
                    object.getClass().getComponentType(), Reach.length(object));
            System.arraycopy(object, 0, copy, 0, Reach.length(object));
            return copy;
        }
        if (object instanceof Collection<?>) {
            return ((Collection<?>) object).toArray();
        }
        if (object instanceof Map<?, ?>) {
            List<Object> both = new ArrayList<>();
            ((Map<?, ?>) object).forEach((key, value) -> {
                both.add(key);
                both.add(value);
            });
            return both.toArray();
        }
        if (object instanceof CharSequence || object instanceof Number) {
            return object.toString();
        }
        if (object instanceof AtomicReference<?>) {
            return new Object[] {((AtomicReference<?>) object).get()};
        }
        if (object instanceof AtomicBoolean || object instanceof BitSet) {
            return object.toString();
        }
        return object instanceof Date ? ((Date) object).getTime() : null;
    }

    private static boolean sameContents(Object before, Object object) {
        Object now = contents(object);
        if (before instanceof Object[] && now instanceof Object[]) {
            Object[] was = (Object[]) before;
            Object[] is = (Object[]) now;
            boolean same = was.length == is.length;
            for (int i = 0; same && i < was.length; i++) {
                same = was[i] == is[i] || Fields.isValue(was[i]) && was[i].equals(is[i]);
            }
            return same;
        }
        return Objects.equals(before, now);
    }
}
