package testhound.runtime;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A test class as somebody wrote it, for JUnit 3, 4 or 5, known by the names of annotations.
 *
 * <p>What only JUnit itself can do (parameters, rules, runners, temporary folders) is said of each
 * test as the reason why it is not run here.
 */
final class SuiteClass {
    /** A test; {@code reason} says why it cannot be run here, if so. */
    record Test(
            Method method, int junit, Class<?> expected, String reason, boolean isParameterized) {}

    private static final String JUPITER = "org.junit.jupiter.api.";
    private static final List<String> TEMPLATES =
            List.of("ParameterizedTest", "TestFactory", "TestTemplate", "Theory");

    private final Class<?> type;
    private final List<Test> tests = new ArrayList<>();
    private final List<Method> beforeAll;
    private final List<Method> beforeEach;
    private final List<Method> afterEach;

    private SuiteClass(Class<?> type) {
        this.type = type;
        beforeAll = annotated(JUPITER + "BeforeAll", "org.junit.BeforeClass");
        beforeEach = annotated(JUPITER + "BeforeEach", "org.junit.Before");
        afterEach = annotated(JUPITER + "AfterEach", "org.junit.After");
        if (isOfJUnit3()) {
            addFixture(beforeEach, "setUp");
            addFixture(afterEach, "tearDown");
        }
        Collections.reverse(afterEach);
        String ofClass = reasonOfClass();
        for (Method method : methods()) {
            addTest(method, ofClass);
        }
    }

    static SuiteClass of(Class<?> type) {
        return new SuiteClass(type);
    }

    List<Test> tests() {
        return tests;
    }

    Test test(String name) throws NoSuchMethodException {
        for (Test test : tests) {
            if (test.method.getName().equals(name)) {
                return test;
            }
        }
        throw new NoSuchMethodException(name);
    }

    /** The tests a line each, a parameterized one for each of its runs: name, JUnit, reason. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Test test : tests) {
            String name = test.method.getName();
            String rest = "\t" + test.junit + "\t";
            if (test.reason != null || !test.isParameterized) {
                lines.add(name + rest + (test.reason == null ? "" : test.reason));
                continue;
            }
            try {
                int runs = Invocations.of(type, test.method).size();
                for (int run = 1; run <= runs; run++) {
                    lines.add(name + "[" + run + "]" + rest);
                }
            } catch (Throwable unsupported) {
                lines.add(name + rest + "parameterized");
            }
        }
        return lines;
    }

    /** The arguments of one run of a test. */
    Object[] arguments(Test test, int run) throws Throwable {
        return test.isParameterized
                ? Invocations.of(type, test.method).get(run - 1) : new Object[0];
    }

    List<Method> beforeAll() {
        return beforeAll;
    }

    List<Method> beforeEach() {
        return beforeEach;
    }

    List<Method> afterEach() {
        return afterEach;
    }

    /** An object to run a test of; of an inner class, one in an object of the outer. */
    Object instance(String test) throws ReflectiveOperationException {
        return instance(type, test);
    }

    private static Object instance(Class<?> type, String test)
            throws ReflectiveOperationException {
        Class<?> outer = type.getEnclosingClass();
        if (outer != null && type.isMemberClass() && !Modifier.isStatic(type.getModifiers())) {
            return accessible(type.getDeclaredConstructor(outer)).newInstance(instance(outer, test));
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == 0) {
                return accessible(constructor).newInstance();
            }
        }
        // As JUnit 3 has it.
        return accessible(type.getDeclaredConstructor(String.class)).newInstance(test);
    }

    private boolean isOfJUnit3() {
        return extendsNamed("junit.framework.TestCase");
    }

    private boolean extendsNamed(String name) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (at.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private void addTest(Method method, String ofClass) {
        Class<?> expected = null;
        int junit = 0;
        String template = null;
        boolean isParameterized = false;
        String disabled = null;
        for (Annotation annotation : method.getDeclaredAnnotations()) {
            String name = annotation.annotationType().getName();
            String simple = name.substring(name.lastIndexOf('.') + 1);
            if (name.equals(JUPITER + "Test") || name.equals(JUPITER + "RepeatedTest")) {
                junit = 5;
            } else if (name.equals("org.junit.Test")) {
                junit = 4;
                expected = expected(annotation);
            } else if (name.startsWith("org.junit.") && TEMPLATES.contains(simple)) {
                junit = name.startsWith("org.junit.jupiter.") ? 5 : 4;
                template = "parameterized";
                isParameterized = name.equals("org.junit.jupiter.params.ParameterizedTest");
            } else if (name.equals(JUPITER + "Disabled") || name.equals("org.junit.Ignore")) {
                disabled = "disabled";
            }
        }
        if (junit == 0 && isOfJUnit3() && method.getName().startsWith("test")
                && method.getParameterCount() == 0 && method.getReturnType() == void.class
                && Modifier.isPublic(method.getModifiers())) {
            junit = 3;
        }
        if (junit != 0) {
            String reason = disabled != null ? disabled
                    : ofClass != null ? ofClass
                    : isParameterized ? null
                    : template != null ? template
                    : method.getParameterCount() > 0 ? "parameters" : null;
            tests.add(new Test(
                    accessible(method), junit, expected, reason, isParameterized));
        }
    }

    private static Class<?> expected(Annotation test) {
        try {
            Class<?> expected =
                    (Class<?>) accessible(test.annotationType().getMethod("expected")).invoke(test);
            return expected.getName().equals("org.junit.Test$None") ? null : expected;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private String reasonOfClass() {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Annotation annotation : at.getDeclaredAnnotations()) {
                String name = annotation.annotationType().getName();
                if (name.equals(JUPITER + "Disabled") || name.equals("org.junit.Ignore")) {
                    return "disabled";
                } else if (name.equals("org.junit.runner.RunWith")) {
                    return "runner";
                }
            }
            for (Field field : at.getDeclaredFields()) {
                if (has(field, "org.junit.Rule") || has(field, "org.junit.ClassRule")) {
                    return "rule";
                } else if (has(field, "org.junit.jupiter.api.io.TempDir")) {
                    return "temporary-folder";
                }
            }
        }
        return null;
    }

    /** The methods of the class and those it inherits from other tests, without those overridden. */
    private List<Method> methods() {
        List<Method> all = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            List<Method> declared = new ArrayList<>();
            for (Method method : at.getDeclaredMethods()) {
                if (!method.isSynthetic() && !method.isBridge() && !isOverridden(method, all)) {
                    declared.add(method);
                }
            }
            declared.sort(java.util.Comparator.comparing(Method::getName)
                    .thenComparing(Method::toString));
            all.addAll(declared);
        }
        return all;
    }

    private static boolean isOverridden(Method method, List<Method> by) {
        for (Method other : by) {
            if (other.getName().equals(method.getName())
                    && java.util.Arrays.equals(
                            other.getParameterTypes(), method.getParameterTypes())
                    && !Modifier.isPrivate(method.getModifiers())) {
                return true;
            }
        }
        return false;
    }

    /** With one of these annotations, those of superclasses first. */
    private List<Method> annotated(String... annotations) {
        List<Method> found = new ArrayList<>();
        for (Method method : methods()) {
            for (String annotation : annotations) {
                if (has(method, annotation)) {
                    found.add(accessible(method));
                }
            }
        }
        found.sort(java.util.Comparator.comparingInt(m -> depth(m.getDeclaringClass())));
        return found;
    }

    private void addFixture(List<Method> methods, String name) {
        for (Method method : methods()) {
            if (method.getName().equals(name) && method.getParameterCount() == 0) {
                methods.add(accessible(method));
                return;
            }
        }
    }

    private static int depth(Class<?> type) {
        int depth = 0;
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            depth++;
        }
        return depth;
    }

    private static boolean has(AnnotatedElement element, String annotation) {
        for (Annotation present : element.getDeclaredAnnotations()) {
            if (present.annotationType().getName().equals(annotation)) {
                return true;
            }
        }
        return false;
    }

    private static <T extends java.lang.reflect.AccessibleObject> T accessible(T member) {
        member.setAccessible(true);
        return member;
    }
}
