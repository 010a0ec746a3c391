package java.lang;

import java.util.ArrayList;
import java.util.IdentityHashMap;

/**
 * What a test does, call by call: rewritten test classes tell it here, and it becomes lines of text
 * that say which operation was called on which objects and what came of it.
 *
 * <p>A line is a letter and fields between tabs. {@code D id class kind detail…} names an object when
 * it is first seen: {@code r} the result of a call, {@code x} thrown by one, {@code a} an array made
 * by the test with its elements, {@code g} an element of a known array, {@code e} an enum constant,
 * {@code s} the test itself, {@code l} a lambda, {@code u} anything else. {@code C site args…} begins a
 * call, {@code R value} and {@code X id} end it. {@code S array index value} tells an element that the
 * test has set, {@code A operator operands… result} arithmetic, {@code T} an assertion that held.
 *
 * <p>Only what the recorded thread itself calls counts: while a call is under way, what the test's
 * own code is called back for is the business of what was called.
 *
 * <p>Invariant: no method of an object is called, but those that are final in the JDK, so recording
 * changes nothing that could be seen.
 */
public final class TesthoundRecord {
    private static final int MAX_CALLS = 20_000;
    private static final int MAX_ELEMENTS = 4_000;
    private static final int MAX_TEXT = 16_000;
    private static final int MAX_SUMS = 24;
    /** Of older arrays it is told that the test has set what a call has: setting it again is no harm. */
    private static final int MAX_REFRESHED = 64;

    private static volatile Thread recording;
    private static ArrayList<String> lines = new ArrayList<>();
    private static IdentityHashMap<Object, Integer> ids = new IdentityHashMap<>();
    private static IdentityHashMap<Object, Object> copies = new IdentityHashMap<>();
    private static ArrayList<Object> arrays = new ArrayList<>();
    private static ArrayList<String> sums = new ArrayList<>();
    private static String[] ofTest = new String[0];
    private static boolean isInCall;
    private static int calls;
    private static Throwable lastThrown;

    private TesthoundRecord() {}

    /** Records what this thread does from now on; objects of these classes are the test itself. */
    public static void begin(String[] classes) {
        lines = new ArrayList<>();
        ids = new IdentityHashMap<>();
        copies = new IdentityHashMap<>();
        arrays = new ArrayList<>();
        sums = new ArrayList<>();
        ofTest = classes;
        isInCall = false;
        calls = 0;
        lastThrown = null;
        recording = Thread.currentThread();
    }

    /** A part of the test begins: what was before it is preparation. */
    public static void part(String name) {
        if (recording == Thread.currentThread()) {
            lines.add("P\t" + name);
        }
    }

    /** Records no more; the lines. */
    public static String[] end() {
        recording = null;
        String[] all = lines.toArray(new String[0]);
        lines = new ArrayList<>();
        ids.clear();
        copies.clear();
        arrays.clear();
        return all;
    }

    /** Whether the call recorded last threw this, so that nobody caught it. */
    public static boolean isLastThrown(Throwable thrown) {
        return thrown == lastThrown;
    }

    /** A call is about to be made; says whether it is to be told of how it ends. */
    public static int enter(Object[] arguments, int site) {
        Thread thread = recording;
        if (thread == null || thread != Thread.currentThread()) {
            if (thread != null) {
                reason("threads");
            }
            return 0;
        }
        if (isInCall || calls < 0) {
            return 0;
        }
        if (++calls > MAX_CALLS) {
            reason("too-long");
            calls = Integer.MIN_VALUE;
            return 0;
        }
        StringBuilder line = new StringBuilder("C\t").append(site);
        for (Object argument : arguments) {
            line.append('\t').append(token(argument));
        }
        lines.addAll(sums);
        sums.clear();
        lines.add(line.toString());
        isInCall = true;
        return 1;
    }

    private static void left(String line) {
        refresh();
        lines.add(line);
        isInCall = false;
        lastThrown = null;
    }

    private static synchronized void reason(String reason) {
        String line = "N\t" + reason;
        if (!lines.contains(line)) {
            lines.add(line);
        }
    }

    // How calls end.

    public static void returned(int entered) {
        if (entered != 0) {
            left("R");
        }
    }

    public static boolean returned(boolean value, int entered) {
        if (entered != 0) {
            left("R\t" + token(value));
        }
        return value;
    }

    public static byte returned(byte value, int entered) {
        if (entered != 0) {
            left("R\t" + token(value));
        }
        return value;
    }

    public static char returned(char value, int entered) {
        if (entered != 0) {
            left("R\t" + token(value));
        }
        return value;
    }

    public static short returned(short value, int entered) {
        if (entered != 0) {
            left("R\t" + token(value));
        }
        return value;
    }

    public static int returned(int value, int entered) {
        if (entered != 0) {
            left("R\t" + token(value));
        }
        return value;
    }

    public static long returned(long value, int entered) {
        if (entered != 0) {
            left("R\t" + token(value));
        }
        return value;
    }

    public static float returned(float value, int entered) {
        if (entered != 0) {
            left("R\t" + token(value));
        }
        return value;
    }

    public static double returned(double value, int entered) {
        if (entered != 0) {
            left("R\t" + token(value));
        }
        return value;
    }

    public static void returned(Object value, int entered) {
        if (entered != 0) {
            if (isObject(value) && !ids.containsKey(value)) {
                define(value, "r");
                if (value.getClass().isArray()) {
                    remember(value);
                }
            }
            left("R\t" + (isObject(value) ? "O" + ids.get(value) : token(value)));
        }
    }

    /** It threw this. */
    public static void threw(Throwable thrown, int entered) {
        if (entered != 0) {
            if (!ids.containsKey(thrown)) {
                define(thrown, "x");
            }
            left("X\tO" + ids.get(thrown));
            lastThrown = thrown;
        }
    }

    /** An assertion held. */
    public static void asserted() {
        if (recording == Thread.currentThread() && !isInCall) {
            lines.add("T");
        }
    }

    // Values.

    private static boolean isObject(Object value) {
        return value != null && !(value instanceof String) && !(value instanceof Class)
                && !(value instanceof Boolean) && !(value instanceof Character)
                && !(value instanceof Byte) && !(value instanceof Short)
                && !(value instanceof Integer) && !(value instanceof Long)
                && !(value instanceof Float) && !(value instanceof Double);
    }

    private static int define(Object value, String kind, String... details) {
        int id = ids.size();
        ids.put(value, id);
        tell(value, id, kind, details);
        return id;
    }

    private static void tell(Object value, int id, String kind, String... details) {
        StringBuilder line = new StringBuilder("D\t").append(id).append('\t')
                .append(value.getClass().getName()).append('\t').append(kind);
        for (String detail : details) {
            line.append('\t').append(detail);
        }
        lines.add(line.toString());
    }

    private static String token(Object value) {
        if (value == null) {
            return "N";
        } else if (value instanceof String) {
            return text((String) value);
        } else if (value instanceof Class) {
            return "K" + ((Class<?>) value).descriptorString();
        } else if (value instanceof Boolean) {
            return (Boolean) value ? "Z1" : "Z0";
        } else if (value instanceof Character) {
            return "C" + (int) (Character) value;
        } else if (value instanceof Byte) {
            return "B" + value;
        } else if (value instanceof Short) {
            return "S" + value;
        } else if (value instanceof Integer) {
            return "I" + value;
        } else if (value instanceof Long) {
            return "J" + value;
        } else if (value instanceof Float) {
            return "F" + Float.floatToRawIntBits((Float) value);
        } else if (value instanceof Double) {
            return "D" + Double.doubleToRawLongBits((Double) value);
        }
        Integer id = ids.get(value);
        if (id == null) {
            return "O" + unknown(value);
        }
        if (value.getClass().isArray()) {
            compare(value, id);
        }
        return "O" + id;
    }

    private static String text(String value) {
        if (value.length() > MAX_TEXT) {
            return "L" + value.length();
        }
        StringBuilder text = new StringBuilder("T");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c > '~' || c == '\\') {
                text.append('\\');
                String hex = Integer.toHexString(c);
                for (int k = hex.length(); k < 4; k++) {
                    text.append('0');
                }
                text.append(hex);
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    /** An object that no call has given the test. */
    private static int unknown(Object value) {
        Class<?> type = value.getClass();
        String name = type.getName();
        for (String of : ofTest) {
            if (of.equals(name)) {
                return define(value, "s");
            }
        }
        for (Object array : arrays) {
            if (array instanceof Object[]) {
                Object[] elements = (Object[]) array;
                for (int i = 0; i < elements.length; i++) {
                    if (elements[i] == value) {
                        int id = define(value, "g", "O" + ids.get(array), Integer.toString(i));
                        if (type.isArray()) {
                            remember(value);
                        }
                        return id;
                    }
                }
            }
        }
        if (type.isArray()) {
            return made(value);
        }
        if (value instanceof Enum) {
            Enum<?> constant = (Enum<?>) value;
            return define(value, "e", constant.getDeclaringClass().getName(), constant.name());
        }
        return define(value, type.isHidden() ? "l" : "u");
    }

    /** An array made by the test. */
    private static int made(Object array) {
        int length = TesthoundArrays.length(array);
        if (length > MAX_ELEMENTS) {
            return define(array, "b");
        }
        int id = ids.size();
        ids.put(array, id);
        String[] elements = new String[length];
        for (int i = 0; i < length; i++) {
            elements[i] = token(TesthoundArrays.get(array, i));
        }
        tell(array, id, "a", elements);
        remember(array);
        return id;
    }

    private static void remember(Object array) {
        arrays.add(array);
        if (TesthoundArrays.length(array) <= MAX_ELEMENTS) {
            copies.put(array, TesthoundArrays.copy(array));
        }
    }

    /** Tells what the test has set in a known array since the last call. */
    private static void compare(Object array, int id) {
        Object copy = copies.get(array);
        if (copy == null) {
            return;
        }
        // Itself may be among its elements.
        copies.remove(array);
        int length = TesthoundArrays.length(array);
        for (int i = 0; i < length; i++) {
            Object now = TesthoundArrays.get(array, i);
            if (!TesthoundArrays.isSame(array, copy, i)) {
                lines.add("S\tO" + id + "\t" + i + "\t" + token(now));
            } else if (now != null && now.getClass().isArray() && ids.containsKey(now)) {
                token(now);
            }
        }
        copies.put(array, TesthoundArrays.copy(array));
    }

    /** What a call has put into arrays is its own doing. */
    private static void refresh() {
        for (int i = Math.max(0, arrays.size() - MAX_REFRESHED); i < arrays.size(); i++) {
            Object array = arrays.get(i);
            if (copies.containsKey(array)) {
                copies.put(array, TesthoundArrays.copy(array));
            }
        }
    }

    // Arithmetic.

    private static void sum(String operator, Object a, Object b, Object result) {
        if (recording != Thread.currentThread() || isInCall) {
            return;
        }
        if (sums.size() == MAX_SUMS) {
            sums.remove(0);
        }
        String operands = b == null ? token(a) : token(a) + "\t" + token(b);
        sums.add("A\t" + operator + "\t" + operands + "\t" + token(result));
    }

    /** A local variable has grown by this much. */
    public static void grown(int now, int by) {
        sum("+", now - by, by, now);
    }

    public static int binary(int a, int b, int op) {
        int result;
        switch (op) {
            case '+': result = a + b; break;
            case '-': result = a - b; break;
            case '*': result = a * b; break;
            case '/': result = a / b; break;
            case '%': result = a % b; break;
            case '&': result = a & b; break;
            case '|': result = a | b; break;
            case '^': result = a ^ b; break;
            case '<': result = a << b; break;
            case '>': result = a >> b; break;
            default: result = a >>> b; break;
        }
        sum(operator(op), a, b, result);
        return result;
    }

    public static long binary(long a, long b, int op) {
        long result;
        switch (op) {
            case '+': result = a + b; break;
            case '-': result = a - b; break;
            case '*': result = a * b; break;
            case '/': result = a / b; break;
            case '%': result = a % b; break;
            case '&': result = a & b; break;
            case '|': result = a | b; break;
            default: result = a ^ b; break;
        }
        sum(operator(op), a, b, result);
        return result;
    }

    public static float binary(float a, float b, int op) {
        float result;
        switch (op) {
            case '+': result = a + b; break;
            case '-': result = a - b; break;
            case '*': result = a * b; break;
            case '/': result = a / b; break;
            default: result = a % b; break;
        }
        sum(operator(op), a, b, result);
        return result;
    }

    public static double binary(double a, double b, int op) {
        double result;
        switch (op) {
            case '+': result = a + b; break;
            case '-': result = a - b; break;
            case '*': result = a * b; break;
            case '/': result = a / b; break;
            default: result = a % b; break;
        }
        sum(operator(op), a, b, result);
        return result;
    }

    private static String operator(int op) {
        return op == '<' ? "<<" : op == '>' ? ">>" : op == 'u' ? ">>>" : String.valueOf((char) op);
    }
}
