package java.lang;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;

/**
 * What only {@code java.base} may ask: for whoever looks at the static state of classes under test
 * without disturbing it.
 *
 * <p>Not part of {@link Testhound}, which rewritten classes call while the JVM starts: this one uses
 * reflection.
 */
public final class TesthoundReach {
    private static Object unsafe;
    private static Method shouldBeInitialized;

    private TesthoundReach() {}

    /**
     * Whether the static initializer of the class has come to a good end. Reading a static field by
     * reflection would run it; nothing public tells without doing so.
     */
    public static synchronized boolean isInitialized(Class<?> type)
            throws ReflectiveOperationException {
        if (shouldBeInitialized == null) {
            // Of this module, but not of the API that sources are compiled against.
            Class<?> internal = Class.forName("jdk.internal.misc.Unsafe");
            unsafe = internal.getMethod("getUnsafe").invoke(null);
            shouldBeInitialized = internal.getMethod("shouldBeInitialized", Class.class);
        }
        return !(Boolean) shouldBeInitialized.invoke(unsafe, type);
    }

    /** Lifts the access checks of a member, the JDK's own included. */
    public static void open(AccessibleObject member) {
        member.setAccessible(true);
    }
}
