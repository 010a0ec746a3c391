package testhound.runtime;

import java.lang.annotation.Annotation;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.BaseStream;

/**
 * The arguments that a parameterized test of JUnit 5 is run with, by the names of its annotations.
 *
 * <p>What converts or aggregates arguments, and sources that are classes, are left to JUnit: a test with
 * them is refused.
 */
final class Invocations {
    /** More runs are no longer single tests. */
    private static final int MAX = 64;

    private static final String PROVIDERS = "org.junit.jupiter.params.provider.";

    private final Class<?> type;
    private final Method test;
    private final List<Object[]> all = new ArrayList<>();

    private Invocations(Class<?> type, Method test) {
        this.type = type;
        this.test = test;
    }

    /** The arguments of each run; what cannot be found out is an exception of code under test or ours. */
    static List<Object[]> of(Class<?> type, Method test) throws Throwable {
        Invocations invocations = new Invocations(type, test);
        for (Annotation annotation : test.getDeclaredAnnotations()) {
            String name = annotation.annotationType().getName();
            if (name.startsWith(PROVIDERS)) {
                invocations.addAll(name.substring(PROVIDERS.length()), annotation);
            }
        }
        if (invocations.all.isEmpty() || invocations.all.size() > MAX) {
            throw new UnsupportedTestException("so many runs: " + invocations.all.size());
        }
        return invocations.all;
    }

    private void addAll(String source, Annotation annotation) throws Throwable {
        switch (source) {
            case "ValueSource" -> addValues(annotation);
            case "NullSource" -> add(new Object[] {null});
            case "EmptySource" -> addEmpty();
            case "NullAndEmptySource" -> {
                add(new Object[] {null});
                addEmpty();
            }
            case "EnumSource" -> addConstants(annotation);
            case "MethodSource" -> addFromMethods(annotation);
            default -> throw new UnsupportedTestException("@" + source);
        }
    }

    private void addValues(Annotation annotation) throws Throwable {
        for (Method kind : annotation.annotationType().getDeclaredMethods()) {
            Object values = call(kind, annotation);
            for (int i = 0; i < Array.getLength(values); i++) {
                add(new Object[] {Array.get(values, i)});
            }
        }
    }

    private void addEmpty() throws UnsupportedTestException {
        Class<?> parameter = test.getParameterTypes()[0];
        if (parameter == String.class) {
            add(new Object[] {""});
        } else if (parameter.isArray()) {
            add(new Object[] {Array.newInstance(parameter.getComponentType(), 0)});
        } else {
            throw new UnsupportedTestException("an empty " + parameter.getName());
        }
    }

    private void addConstants(Annotation annotation) throws Throwable {
        Class<?> of = (Class<?>) value(annotation, "value");
        if (!of.isEnum()) {
            of = test.getParameterTypes()[0];
        }
        String mode = value(annotation, "mode").toString();
        List<String> names = List.of((String[]) value(annotation, "names"));
        if (!mode.equals("INCLUDE") && !mode.equals("EXCLUDE") || !of.isEnum()) {
            throw new UnsupportedTestException("@EnumSource of " + mode);
        }
        for (Object constant : of.getEnumConstants()) {
            boolean isNamed = names.contains(((Enum<?>) constant).name());
            if (names.isEmpty() || isNamed == mode.equals("INCLUDE")) {
                add(new Object[] {constant});
            }
        }
    }

    private void addFromMethods(Annotation annotation) throws Throwable {
        String[] names = (String[]) value(annotation, "value");
        for (String name : names.length == 0 ? new String[] {test.getName()} : names) {
            int hash = name.indexOf('#');
            Class<?> at = hash < 0 ? type
                    : Class.forName(name.substring(0, hash), true, type.getClassLoader());
            Method factory = factory(at, name.substring(hash + 1).replace("()", ""));
            for (Iterator<?> elements = elements(call(factory, null)); elements.hasNext();) {
                addElement(elements.next());
            }
        }
    }

    private static Method factory(Class<?> type, String name) throws UnsupportedTestException {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == 0
                        && Modifier.isStatic(method.getModifiers())) {
                    return method;
                }
            }
        }
        throw new UnsupportedTestException("the source " + name);
    }

    private static Iterator<?> elements(Object from) throws UnsupportedTestException {
        if (from instanceof BaseStream<?, ?> stream) {
            return stream.iterator();
        } else if (from instanceof Iterable<?> iterable) {
            return iterable.iterator();
        } else if (from instanceof Iterator<?> iterator) {
            return iterator;
        } else if (from != null && from.getClass().isArray()) {
            List<Object> elements = new ArrayList<>();
            for (int i = 0; i < Array.getLength(from); i++) {
                elements.add(Array.get(from, i));
            }
            return elements.iterator();
        }
        throw new UnsupportedTestException("such a source");
    }

    private void addElement(Object element) throws Throwable {
        if (element instanceof Object[] array && test.getParameterCount() > 0
                && !test.getParameterTypes()[0].isInstance(element)) {
            add(array);
            return;
        }
        if (element != null) {
            for (Class<?> of : element.getClass().getInterfaces()) {
                if (of.getName().equals(PROVIDERS + "Arguments")) {
                    add((Object[]) call(of.getMethod("get"), element));
                    return;
                }
            }
        }
        add(new Object[] {element});
    }

    /** As far as there are parameters for them. Texts become what is asked for, as JUnit does it. */
    private void add(Object[] given) throws UnsupportedTestException {
        Class<?>[] parameters = test.getParameterTypes();
        if (given.length < parameters.length) {
            throw new UnsupportedTestException("fewer arguments than parameters");
        }
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < arguments.length; i++) {
            if (given[i] instanceof String && !parameters[i].isInstance(given[i])) {
                throw new UnsupportedTestException("a text as " + parameters[i].getName());
            }
            arguments[i] = given[i];
        }
        all.add(arguments);
    }

    private static Object value(Annotation annotation, String name) throws Throwable {
        return call(annotation.annotationType().getMethod(name), annotation);
    }

    private static Object call(Method method, Object on) throws Throwable {
        method.setAccessible(true);
        try {
            return method.invoke(on);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
