package testhound.runtime;

/** Another value of the same type, for values whose type is plain enough to have one at hand. */
final class OtherValue {
    private OtherValue() {}

    /** Another value than this one; the same if none is at hand. */
    static Object than(Object value) {
        if (value instanceof String text) {
            return text + "?";
        }
        if (value instanceof Boolean flag) {
            return !flag;
        }
        if (value instanceof Character character) {
            return (char) (character + 1);
        }
        if (value instanceof Enum<?> constant) {
            Object[] all = constant.getDeclaringClass().getEnumConstants();
            return all[(constant.ordinal() + 1) % all.length];
        }
        return value instanceof Number number ? than(number) : value;
    }

    private static Object than(Number number) {
        if (number instanceof Integer) {
            return number.intValue() + 1;
        }
        if (number instanceof Long) {
            return number.longValue() + 1;
        }
        if (number instanceof Double) {
            return Double.isFinite(number.doubleValue()) ? Math.nextUp(number.doubleValue()) : 0.0;
        }
        if (number instanceof Float) {
            return Float.isFinite(number.floatValue()) ? Math.nextUp(number.floatValue()) : 0.0f;
        }
        if (number instanceof Short) {
            return (short) (number.shortValue() + 1);
        }
        return number instanceof Byte ? (Object) (byte) (number.byteValue() + 1) : number;
    }
}
