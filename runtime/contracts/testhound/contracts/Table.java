package testhound.contracts;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an expression was before a call for each value of the variables that a quantifier binds.
 *
 * <p>One class for each type of value, so that what is read has the type it has in the clause.
 */
public abstract class Table {
    final Map<Object, Object> values = new HashMap<>();

    Table() {}

    /** Notes a value. */
    public final void put(Object value, Object... key) {
        values.put(List.of(key), value);
    }

    final Object at(Object[] key) {
        Object found = values.get(List.of(key));
        if (found == null && !values.containsKey(List.of(key))) {
            throw new Undefined("it was undefined before the call");
        }
        return found;
    }

    /** Of {@code boolean}. */
    public static final class OfBoolean extends Table {
        public boolean get(Object... key) {
            return (Boolean) at(key);
        }
    }

    public static OfBoolean like(Before.OfBoolean like) {
        return new OfBoolean();
    }

    /** Of {@code byte}. */
    public static final class OfByte extends Table {
        public byte get(Object... key) {
            return (Byte) at(key);
        }
    }

    public static OfByte like(Before.OfByte like) {
        return new OfByte();
    }

    /** Of {@code short}. */
    public static final class OfShort extends Table {
        public short get(Object... key) {
            return (Short) at(key);
        }
    }

    public static OfShort like(Before.OfShort like) {
        return new OfShort();
    }

    /** Of {@code char}. */
    public static final class OfChar extends Table {
        public char get(Object... key) {
            return (Character) at(key);
        }
    }

    public static OfChar like(Before.OfChar like) {
        return new OfChar();
    }

    /** Of {@code int}. */
    public static final class OfInt extends Table {
        public int get(Object... key) {
            return (Integer) at(key);
        }
    }

    public static OfInt like(Before.OfInt like) {
        return new OfInt();
    }

    /** Of {@code long}. */
    public static final class OfLong extends Table {
        public long get(Object... key) {
            return (Long) at(key);
        }
    }

    public static OfLong like(Before.OfLong like) {
        return new OfLong();
    }

    /** Of {@code float}. */
    public static final class OfFloat extends Table {
        public float get(Object... key) {
            return (Float) at(key);
        }
    }

    public static OfFloat like(Before.OfFloat like) {
        return new OfFloat();
    }

    /** Of {@code double}. */
    public static final class OfDouble extends Table {
        public double get(Object... key) {
            return (Double) at(key);
        }
    }

    public static OfDouble like(Before.OfDouble like) {
        return new OfDouble();
    }

    /** Of objects. */
    public static final class Of<T> extends Table {
        @SuppressWarnings("unchecked")
        public T get(Object... key) {
            return (T) at(key);
        }
    }

    public static <T> Of<T> like(Before.Of<T> like) {
        return new Of<>();
    }
}
