package testhound.runtime;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Set;

/**
 * What Mockito does for a test class that is annotated for it, done by Mockito itself: it fills the
 * fields before a test, and complains after it of answers that the test did not use.
 *
 * <p>Mockito is the test's own, reached by reflection through its class loader.
 */
final class MockitoRun {
    /** Has Mockito make mocks without an agent, for which this JVM is closed. */
    static final String MOCK_MAKER = "mockito-extensions/org.mockito.plugins.MockMaker";

    /** The annotations that have Mockito run with a test class. */
    static final Set<String> ANNOTATIONS =
            Set.of("org.junit.jupiter.api.extension.ExtendWith", "org.junit.runner.RunWith");

    private static final Set<String> RUNS = Set.of("org.mockito.junit.jupiter.MockitoExtension",
            "org.mockito.junit.MockitoJUnitRunner");

    private static final Set<String> FIELDS =
            Set.of("org.mockito.Mock", "org.mockito.InjectMocks");

    private final Object session;

    private MockitoRun(Object session) {
        this.session = session;
    }

    /** Whether the class is annotated for Mockito, which must be all that it is extended with. */
    static boolean isWanted(Class<?> type) throws UnsupportedTestException {
        boolean wanted = false;
        for (Annotation annotation : type.getDeclaredAnnotations()) {
            if (ANNOTATIONS.contains(annotation.annotationType().getName())) {
                for (Class<?> extension : extensions(annotation)) {
                    if (!RUNS.contains(extension.getName())) {
                        throw new UnsupportedTestException(annotation.toString());
                    }
                    wanted = true;
                }
            }
        }
        return wanted;
    }

    private static Class<?>[] extensions(Annotation annotation) throws UnsupportedTestException {
        try {
            Object value = annotation.annotationType().getMethod("value").invoke(annotation);
            return value instanceof Class<?>[] all ? all : new Class<?>[] {(Class<?>) value};
        } catch (ReflectiveOperationException e) {
            throw new UnsupportedTestException(annotation + ": " + e);
        }
    }

    /** Refuses annotations of Mockito that are not understood here. */
    static void refuseUnknown(AnnotatedElement element, String name)
            throws UnsupportedTestException {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            String type = annotation.annotationType().getName();
            if (type.startsWith("org.mockito.")
                    && !(element instanceof Field && FIELDS.contains(type))) {
                throw new UnsupportedTestException("@" + type + " on " + name);
            }
        }
    }

    /**
     * Has Mockito get ready, if tests will use it: it looks for files and defines classes when it is
     * first used, which no test is to blame for.
     */
    static void prepare(ClassLoader loader) {
        if (loader.getResource(MOCK_MAKER) == null) {
            return;
        }
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        current.setContextClassLoader(loader);
        try {
            Class<?> mockito = Class.forName("org.mockito.Mockito", true, loader);
            Object mock = mockito.getMethod("mock", Class.class).invoke(null, Runnable.class);
            mockito.getMethod("reset", Object[].class).invoke(null, (Object) new Object[] {mock});
        } catch (ReflectiveOperationException | LinkageError e) {
            // Tests will say what is wrong with it.
            return;
        } finally {
            current.setContextClassLoader(before);
        }
    }

    /** Fills the fields of a test. */
    static MockitoRun begin(Object instance) throws Throwable {
        ClassLoader loader = instance.getClass().getClassLoader();
        Class<?> strictness = Class.forName("org.mockito.quality.Strictness", true, loader);
        Object strict = Arrays.stream(strictness.getEnumConstants())
                .filter(constant -> constant.toString().equals("STRICT_STUBS"))
                .findFirst().orElseThrow();
        Class<?> builder = Class.forName("org.mockito.session.MockitoSessionBuilder", true, loader);
        try {
            Object built = Class.forName("org.mockito.Mockito", true, loader)
                    .getMethod("mockitoSession").invoke(null);
            built = builder.getMethod("initMocks", Object.class).invoke(built, instance);
            built = builder.getMethod("strictness", strictness).invoke(built, strict);
            return new MockitoRun(builder.getMethod("startMocking").invoke(built));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Ends the test; throws if it did not use all that it told its mocks, unless it failed. */
    void end(Throwable thrown) throws Throwable {
        Class<?> type = Class.forName(
                "org.mockito.MockitoSession", true, session.getClass().getClassLoader());
        try {
            type.getMethod("finishMocking", Throwable.class).invoke(session, thrown);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
