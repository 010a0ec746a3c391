package testhound.runtime;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs tests of any kind by the JUnit Platform, one at a time, as often as wanted: what mutants are
 * judged by.
 *
 * <p>The project's classes and tests have a class loader of their own, which {@link #open} replaces;
 * JUnit and Mockito stand in one above it that stays ({@link TestLibraries}), so that a fresh loader
 * costs the loading of the project and nothing else.
 *
 * <p>A test is what has a method: a parameterized test or a factory of dynamic tests is one test,
 * which fails if one of its invocations does. It is addressed by its unique id, so that it runs with all
 * that belongs to it, what runs before and after the tests of its class included.
 *
 * <p>JUnit is reached by reflection: nothing of it is needed to compile this.
 */
public final class JUnitRun {
    private static final String SELECTORS =
            "org.junit.platform.engine.discovery.DiscoverySelectors";

    private static JUnitRun open;

    private final TestLoader loader;
    private final Platform platform;

    private JUnitRun(TestLoader loader) throws ReflectiveOperationException {
        this.loader = loader;
        Thread.currentThread().setContextClassLoader(loader);
        this.platform = new Platform(loader);
    }

    /** Silences the standard streams of this JVM, for good. */
    public static synchronized String[] begin() {
        Silence.fall();
        return new String[0];
    }

    /**
     * Has the project's classes loaded anew from now on, with nothing of their static state.
     *
     * @param classPath JUnit, tests, project, what they need
     * @param project the part of it that is the project's own, tests included
     */
    public static synchronized String[] open(String classPath, String project)
            throws IOException, ReflectiveOperationException {
        close();
        List<Path> own = ClassPath.entries(project);
        open = new JUnitRun(new TestLoader(ClassPath.entries(classPath), own));
        return new String[0];
    }

    /** Ends what {@link #open} began. */
    public static synchronized String[] close() throws IOException {
        if (open != null) {
            JUnitRun last = open;
            open = null;
            last.platform.close();
            last.loader.close();
        }
        return new String[0];
    }

    /**
     * Finds tests.
     *
     * @param roots folders and jars, all of whose tests are meant
     * @param classes binary names of classes, whose tests are meant
     * @return of each test its unique id, its class and its name, one after the other
     */
    public static synchronized String[] find(String[] roots, String[] classes)
            throws ReflectiveOperationException {
        return open.platform.find(roots, classes);
    }

    /**
     * Runs the test of this unique id.
     *
     * @return one of {@code PASSED FAILED SKIPPED ABSENT}, the class of what was thrown, its message
     */
    public static synchronized String[] run(String id) throws ReflectiveOperationException {
        Thread.interrupted();
        Thread.currentThread().setContextClassLoader(open.loader);
        return open.platform.run(id);
    }

    /** A class as the tests see it, loaded but not initialized for this; null if it cannot be. */
    public static synchronized Class<?> type(String name) {
        try {
            return Class.forName(name, false, open.loader);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /** Those of the project's classes that are initialized by now, in the order of their loading. */
    public static synchronized String[] initialized() throws ReflectiveOperationException {
        return open.loader.initialized().stream().map(Class::getName).toArray(String[]::new);
    }

    /** Initializes classes; what that throws, their users will meet again. */
    public static synchronized String[] initialize(String[] names) {
        for (String name : names) {
            try {
                Class.forName(name, true, open.loader);
            } catch (ClassNotFoundException | LinkageError e) {
                continue;
            }
        }
        return new String[0];
    }

    /** The JUnit Platform as a class loader has it. */
    private static final class Platform {
        private final ClassLoader loader;
        private final AutoCloseable session;
        private final Object launcher;
        private final Method discover;
        private final Method execute;
        private final Class<?> listenerType;
        private final Object noListeners;
        private final Method selectId;

        Platform(ClassLoader loader) throws ReflectiveOperationException {
            this.loader = loader;
            Class<?> factory = loader.loadClass("org.junit.platform.launcher.core.LauncherFactory");
            session = (AutoCloseable) factory.getMethod("openSession").invoke(null);
            launcher = loader.loadClass("org.junit.platform.launcher.LauncherSession")
                    .getMethod("getLauncher").invoke(session);
            Class<?> type = loader.loadClass("org.junit.platform.launcher.Launcher");
            Class<?> request =
                    loader.loadClass("org.junit.platform.launcher.LauncherDiscoveryRequest");
            listenerType = loader.loadClass("org.junit.platform.launcher.TestExecutionListener");
            noListeners = java.lang.reflect.Array.newInstance(listenerType, 0);
            discover = type.getMethod("discover", request);
            execute = type.getMethod("execute", request, noListeners.getClass());
            selectId = loader.loadClass(SELECTORS).getMethod("selectUniqueId", String.class);
        }

        void close() {
            try {
                session.close();
            } catch (Exception | LinkageError ofSomeListener) {
                return;
            }
        }

        String[] find(String[] roots, String[] classes) throws ReflectiveOperationException {
            Class<?> all = loader.loadClass(SELECTORS);
            List<Object> selectors = new ArrayList<>();
            if (roots.length > 0) {
                Set<Path> paths = new LinkedHashSet<>();
                for (String root : roots) {
                    paths.add(Path.of(root));
                }
                Object found = all.getMethod("selectClasspathRoots", Set.class).invoke(null, paths);
                selectors.addAll((List<?>) found);
            }
            Method ofClass = all.getMethod("selectClass", String.class);
            for (String name : classes) {
                selectors.add(ofClass.invoke(null, name));
            }
            Object plan = discover.invoke(launcher, request(selectors));
            Plan tests = new Plan(loader);
            for (Object root : tests.roots(plan)) {
                tests.add(plan, root, "");
            }
            return tests.found.toArray(new String[0]);
        }

        private Object request(List<?> selectors) throws ReflectiveOperationException {
            Class<?> type =
                    loader.loadClass("org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder");
            Object builder = type.getMethod("request").invoke(null);
            type.getMethod("selectors", List.class).invoke(builder, selectors);
            // One test at a time: what it covers is its own.
            type.getMethod("configurationParameter", String.class, String.class).invoke(
                    builder, "junit.jupiter.execution.parallel.enabled", "false");
            return type.getMethod("build").invoke(builder);
        }

        String[] run(String id) throws ReflectiveOperationException {
            Events events = new Events(loader);
            Object listener = Proxy.newProxyInstance(
                    listenerType.getClassLoader(), new Class<?>[] {listenerType}, events);
            Object listeners = java.lang.reflect.Array.newInstance(listenerType, 1);
            java.lang.reflect.Array.set(listeners, 0, listener);
            try {
                execute.invoke(launcher, request(List.of(selectId.invoke(null, id))), listeners);
            } catch (InvocationTargetException thrown) {
                // Memory that ran out passes through JUnit, and so does what stops a test.
                events.failed(thrown.getCause());
            }
            return events.answer();
        }
    }

    /** The tests of a plan. */
    private static final class Plan {
        final List<String> found = new ArrayList<>();
        private final Identifiers identifiers;
        private final Method getRoots;
        private final Method getChildren;

        Plan(ClassLoader loader) throws ReflectiveOperationException {
            identifiers = new Identifiers(loader);
            Class<?> type = loader.loadClass("org.junit.platform.launcher.TestPlan");
            Class<?> identifier = loader.loadClass("org.junit.platform.launcher.TestIdentifier");
            getRoots = type.getMethod("getRoots");
            getChildren = type.getMethod("getChildren", identifier);
        }

        Set<?> roots(Object plan) throws ReflectiveOperationException {
            return (Set<?>) getRoots.invoke(plan);
        }

        void add(Object plan, Object node, String ofClass) throws ReflectiveOperationException {
            Object source = identifiers.source(node);
            String inside = identifiers.className(source);
            inside = inside == null ? ofClass : inside;
            if (identifiers.isTest(node) || identifiers.isMethod(source)) {
                found.add(identifiers.id(node));
                found.add(inside);
                found.add(identifiers.name(node, source));
                return;
            }
            for (Object child : (Set<?>) getChildren.invoke(plan, node)) {
                add(plan, child, inside);
            }
        }
    }

    /** What is asked of nodes of a plan. */
    private static final class Identifiers {
        private final Method getId;
        private final Method isTest;
        private final Method getSource;
        private final Method getDisplayName;

        Identifiers(ClassLoader loader) throws ReflectiveOperationException {
            Class<?> type = loader.loadClass("org.junit.platform.launcher.TestIdentifier");
            getId = type.getMethod("getUniqueId");
            isTest = type.getMethod("isTest");
            getSource = type.getMethod("getSource");
            getDisplayName = type.getMethod("getDisplayName");
        }

        String id(Object node) throws ReflectiveOperationException {
            return (String) getId.invoke(node);
        }

        boolean isTest(Object node) throws ReflectiveOperationException {
            return (Boolean) isTest.invoke(node);
        }

        /** Where it stands, or null. */
        Object source(Object node) throws ReflectiveOperationException {
            return ((Optional<?>) getSource.invoke(node)).orElse(null);
        }

        boolean isMethod(Object source) {
            return source != null && source.getClass().getSimpleName().equals("MethodSource");
        }

        String className(Object source) throws ReflectiveOperationException {
            if (source == null) {
                return null;
            }
            return switch (source.getClass().getSimpleName()) {
                case "MethodSource", "ClassSource" ->
                    (String) source.getClass().getMethod("getClassName").invoke(source);
                default -> null;
            };
        }

        /** The method with the types of its parameters; of JUnit 4's parameterized tests, which of them. */
        String name(Object node, Object source) throws ReflectiveOperationException {
            String shown = (String) getDisplayName.invoke(node);
            if (!isMethod(source)) {
                return shown;
            }
            Class<?> type = source.getClass();
            String method = (String) type.getMethod("getMethodName").invoke(source);
            if (shown.startsWith(method + "[")) {
                return shown;
            }
            String types = (String) type.getMethod("getMethodParameterTypes").invoke(source);
            if (types == null || types.isEmpty()) {
                return method;
            }
            StringBuilder simple = new StringBuilder(method).append('(');
            String separator = "";
            for (String parameter : types.split(", *")) {
                simple.append(separator).append(simple(parameter));
                separator = ", ";
            }
            return simple.append(')').toString();
        }

        /** A type without its package, given as {@code Class.getName} has it. */
        private static String simple(String type) {
            int dimensions = type.lastIndexOf('[') + 1;
            String element = type.substring(dimensions);
            if (dimensions > 0) {
                element = switch (element.charAt(0)) {
                    case 'L' -> element.substring(1, element.length() - 1);
                    case 'Z' -> "boolean";
                    case 'B' -> "byte";
                    case 'C' -> "char";
                    case 'S' -> "short";
                    case 'I' -> "int";
                    case 'J' -> "long";
                    case 'F' -> "float";
                    default -> "double";
                };
            }
            return element.substring(element.lastIndexOf('.') + 1) + "[]".repeat(dimensions);
        }
    }

    /** Hears what becomes of a test and all that belongs to it. */
    private static final class Events implements InvocationHandler {
        private final Class<?> result;
        private Throwable thrown;
        private boolean hasFailed;
        private boolean hasPassed;
        private boolean isSkipped;
        private final Identifiers identifiers;

        Events(ClassLoader loader) throws ReflectiveOperationException {
            result = loader.loadClass("org.junit.platform.engine.TestExecutionResult");
            identifiers = new Identifiers(loader);
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            switch (method.getName()) {
                case "executionFinished" -> finished(arguments[0], arguments[1]);
                case "executionSkipped" -> isSkipped = true;
                case "equals" -> {
                    return proxy == arguments[0];
                }
                case "hashCode" -> {
                    return System.identityHashCode(proxy);
                }
                case "toString" -> {
                    return "events";
                }
                default -> {
                    return null;
                }
            }
            return null;
        }

        private void finished(Object node, Object end) throws ReflectiveOperationException {
            Object status = result.getMethod("getStatus").invoke(end);
            switch (status.toString()) {
                case "FAILED" -> {
                    Object cause = result.getMethod("getThrowable").invoke(end);
                    failed((Throwable) ((Optional<?>) cause).orElse(null));
                }
                case "ABORTED" -> isSkipped = true;
                default -> hasPassed |= identifiers.isTest(node);
            }
        }

        /** The first failure counts. */
        void failed(Throwable cause) {
            if (!hasFailed) {
                hasFailed = true;
                thrown = cause;
            }
        }

        String[] answer() {
            if (hasFailed) {
                String type = thrown == null ? "" : thrown.getClass().getName();
                return new String[] {"FAILED", type, Line.escape(message())};
            }
            String status = hasPassed ? "PASSED" : isSkipped ? "SKIPPED" : "ABSENT";
            return new String[] {status, "", ""};
        }

        /** Making a message is code under test. */
        private String message() {
            try {
                return thrown == null ? "" : thrown.getMessage();
            } catch (Throwable ofCodeUnderTest) {
                return "";
            }
        }
    }
}
