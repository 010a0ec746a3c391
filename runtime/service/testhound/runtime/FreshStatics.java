package testhound.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Gives each test case of a search the static fields that a fresh JVM would: {@link StaticState} of
 * the classes that the search calls, once they are initialized, put back after every case.
 */
public final class FreshStatics {
    private static StaticState state;

    private FreshStatics() {}

    /** The classes of a search, in an order that is always the same. */
    private record Called(Set<Class<?>> classes) implements StaticState.Project {
        @Override
        public List<Class<?>> initialized() throws ReflectiveOperationException {
            List<Class<?>> initialized = new ArrayList<>();
            for (Class<?> type : classes) {
                if (TesthoundReach.isInitialized(type)) {
                    initialized.add(type);
                }
            }
            return initialized;
        }

        @Override
        public boolean isOfProject(Class<?> type) {
            return classes.contains(type);
        }
    }

    /**
     * Takes the state of classes as that which every test case begins with.
     *
     * @param names their binary names
     * @param settable fields that code sets at will, as {@code class#field}, with {@code =null} if to
     *     nothing else
     * @return something if there is anything to put back
     */
    public static String[] watch(String[] names, String[] settable)
            throws ReflectiveOperationException {
        Set<Class<?>> classes = new LinkedHashSet<>();
        for (String name : names) {
            try {
                classes.add(Class.forName(name, false, ClassLoader.getSystemClassLoader()));
            } catch (ClassNotFoundException | LinkageError cannotBeLoaded) {
                continue;
            }
        }
        Set<String> fields = new HashSet<>(Arrays.asList(settable));
        state = new StaticState(new Called(classes), fields);
        return state.hasNothingToPutBack() ? new String[0] : new String[] {"fields"};
    }

    /** Puts back what can have changed. */
    public static int putBack() throws ReflectiveOperationException {
        state.putBack();
        return 0;
    }
}
