package testhound.runtime;

import java.lang.annotation.Annotation;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What there is to run in a test class of JUnit 4 or 5, found by the names of annotations.
 *
 * <p>Invariant: an annotation of JUnit that is not understood here is an error, never ignored: a
 * test must not pass because half of it was left out.
 */
final class TestClass {
    private static final String JUPITER = "org.junit.jupiter.api.";
    private static final Set<String> TESTS = Set.of(JUPITER + "Test", "org.junit.Test");
    private static final Set<String> BEFORE = Set.of(JUPITER + "BeforeEach", "org.junit.Before");
    private static final Set<String> AFTER = Set.of(JUPITER + "AfterEach", "org.junit.After");
    private static final String TEMP_DIR = JUPITER + "io.TempDir";
    private static final String RULE = "org.junit.Rule";
    private static final String TEMPORARY_FOLDER = "org.junit.rules.TemporaryFolder";
    /** Without consequence for a test that has its own instance, thread and time limit. */
    private static final Set<String> HARMLESS = Set.of(
            JUPITER + "DisplayName", JUPITER + "Tag", JUPITER + "Tags", JUPITER + "Order",
            JUPITER + "TestMethodOrder", JUPITER + "Timeout", "org.junit.FixMethodOrder");

    /** A test method and, for JUnit 4, the exception it must end with, else null. */
    record Test(Method method, Class<?> expected) {}

    private final Class<?> type;
    private Constructor<?> constructor;
    private final List<Test> tests = new ArrayList<>();
    private final List<Method> before = new ArrayList<>();
    private final List<Method> after = new ArrayList<>();
    private final List<Field> tempDirs = new ArrayList<>();
    private final List<Field> temporaryFolders = new ArrayList<>();
    private boolean usesMockito;

    private TestClass(Class<?> type) {
        this.type = type;
    }

    /** Reads a class without initializing it. */
    static TestClass of(Class<?> type) throws UnsupportedTestException {
        TestClass testClass = new TestClass(type);
        Set<String> seen = new HashSet<>();
        // An interface has no superclass at all.
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            testClass.read(c, seen);
        }
        testClass.tests.sort(Comparator.comparing(test -> test.method.getName()));
        // Superclasses first before a test, last after it.
        Collections.reverse(testClass.before);
        if (testClass.tests.isEmpty()) {
            throw new UnsupportedTestException("no test methods found; is JUnit on the class path?");
        }
        try {
            testClass.constructor = accessible(type.getDeclaredConstructor());
        } catch (NoSuchMethodException e) {
            throw new UnsupportedTestException("no constructor without parameters");
        }
        return testClass;
    }

    String name() {
        return type.getName();
    }

    Constructor<?> constructor() {
        return constructor;
    }

    /** The tests, by name. */
    List<Test> tests() {
        return tests;
    }

    List<Method> before() {
        return before;
    }

    List<Method> after() {
        return after;
    }

    /** Fields to be set to a new temporary folder. */
    List<Field> tempDirs() {
        return tempDirs;
    }

    /** Fields with a JUnit 4 rule that has methods {@code create} and {@code delete}. */
    List<Field> temporaryFolders() {
        return temporaryFolders;
    }

    /** Whether Mockito fills fields of it. */
    boolean usesMockito() {
        return usesMockito;
    }

    static boolean isTempDir(Parameter parameter) {
        return has(parameter, Set.of(TEMP_DIR));
    }

    private void read(Class<?> c, Set<String> seen) throws UnsupportedTestException {
        refuseUnknown(c, c.getName(), MockitoRun.ANNOTATIONS);
        usesMockito |= MockitoRun.isWanted(c);
        for (Class<?> member : c.getDeclaredClasses()) {
            refuseUnknown(member, member.getName(), Set.of());
        }
        for (Field field : c.getDeclaredFields()) {
            readField(field);
        }
        Method[] methods = c.getDeclaredMethods();
        // The JVM lists methods in no particular order.
        Arrays.sort(methods, Comparator.comparing(Method::getName).reversed());
        for (Method method : methods) {
            boolean overridden = !seen.add(method.getName()
                    + Arrays.toString(method.getParameterTypes()));
            if (!overridden && !method.isSynthetic()) {
                readMethod(method);
            }
        }
    }

    private void readField(Field field) throws UnsupportedTestException {
        refuseUnknown(field, field.getName(), Set.of(TEMP_DIR, RULE));
        MockitoRun.refuseUnknown(field, field.getName());
        boolean isTempDir = has(field, Set.of(TEMP_DIR));
        boolean isRule = has(field, Set.of(RULE));
        if ((isTempDir || isRule) && Modifier.isStatic(field.getModifiers())) {
            throw new UnsupportedTestException("static temporary folder " + field.getName());
        }
        if (isTempDir) {
            tempDirs.add(accessible(field));
        } else if (isRule) {
            if (!field.getType().getName().equals(TEMPORARY_FOLDER)) {
                throw new UnsupportedTestException("rule " + field.getType().getName());
            }
            temporaryFolders.add(accessible(field));
        }
    }

    private void readMethod(Method method) throws UnsupportedTestException {
        Set<String> known = new HashSet<>(TESTS);
        known.addAll(BEFORE);
        known.addAll(AFTER);
        refuseUnknown(method, method.getName(), known);
        boolean isTest = has(method, TESTS);
        boolean isBefore = has(method, BEFORE);
        boolean isAfter = has(method, AFTER);
        if (!isTest && !isBefore && !isAfter) {
            return;
        }
        for (Parameter parameter : method.getParameters()) {
            if (!isTempDir(parameter)) {
                throw new UnsupportedTestException("parameter of " + method.getName());
            }
        }
        accessible(method);
        if (isTest) {
            tests.add(new Test(method, expected(method)));
        }
        if (isBefore) {
            before.add(method);
        }
        if (isAfter) {
            after.add(method);
        }
    }

    /** The {@code expected} of a JUnit 4 test. */
    private static Class<?> expected(Method method) throws UnsupportedTestException {
        for (Annotation annotation : method.getAnnotations()) {
            if (annotation.annotationType().getName().equals("org.junit.Test")) {
                try {
                    Class<?> expected = (Class<?>) annotation.annotationType()
                            .getMethod("expected").invoke(annotation);
                    return Throwable.class.isAssignableFrom(expected)
                            && !expected.getName().equals("org.junit.Test$None") ? expected : null;
                } catch (ReflectiveOperationException e) {
                    throw new UnsupportedTestException(annotation + ": " + e);
                }
            }
        }
        return null;
    }

    private static boolean has(AnnotatedElement element, Set<String> annotations) {
        for (Annotation annotation : element.getAnnotations()) {
            if (annotations.contains(annotation.annotationType().getName())) {
                return true;
            }
        }
        return false;
    }

    private static void refuseUnknown(AnnotatedElement element, String name, Set<String> known)
            throws UnsupportedTestException {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            String type = annotation.annotationType().getName();
            if (type.startsWith("org.junit.") && !known.contains(type)
                    && !HARMLESS.contains(type)) {
                throw new UnsupportedTestException("@" + type + " on " + name);
            }
        }
    }

    private static <T extends AccessibleObject> T accessible(T member) {
        member.setAccessible(true);
        return member;
    }
}
