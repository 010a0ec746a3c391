package testhound.runtime;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The static state of the project's classes: what their static fields hold, and the objects that can
 * be reached from there. Tells what a test has left otherwise than it was, and puts it back.
 *
 * <p>Two things are told. One is a field with another value, if it is one that code sets at will: the
 * caller says which these are. Caches that are filled, counters and other things that code keeps for
 * itself are not among them. The other is a collection or map that has lost something which it held
 * when its class was initialized; that it grows is told of nothing.
 *
 * <p>An object that a test makes has no state before, so whether the test only made it or also set a
 * field of it is found out by a second run of the test: {@link #unsettle} gives the fields other
 * values, and who sets them does it again.
 *
 * <p>The search asks for less and asks often: {@link #putBack} gives every test the static fields it
 * would find in a fresh JVM, so that what one sets is not what the next one sees.
 *
 * <p>Invariant: no method of code under test is called, only fields are read, and what JDK classes
 * known by name hold. No class is initialized.
 */
final class StaticState {
    /** The classes whose state it is. */
    interface Project {
        /** Those whose static initializer has run. */
        List<Class<?>> initialized() throws ReflectiveOperationException;

        /** Whether a class is of the project. */
        boolean isOfProject(Class<?> type);
    }

    /** Objects looked at; what lies beyond is not. */
    private static final int MAX_OBJECTS = 20_000;

    /** How far from a static field. */
    private static final int MAX_DEPTH = 6;

    /** Fields and collections put back for a search, which is not to spend its time on more. */
    private static final int MAX_PLACES = 192;

    /** A field that is watched. */
    private record Cell(
            Object holder, Field field, Object value, String name, boolean isOnlyDropped) {
        Object now() throws IllegalAccessException {
            return field.get(holder);
        }

        void set(Object other) throws IllegalAccessException {
            field.set(holder, other);
        }

        /** Whether this is no doing of code that sets the field: what is made on use is kept. */
        boolean isKept(Object now) {
            return isOnlyDropped && now != null;
        }
    }

    /** What a collection or map held at first, and what puts that back; null if nothing can. */
    private record Holding(
            Object container, Map<Object, Object> held, Contents contents, String name) {}

    /** An object on the way, and the static field that leads to it. */
    private record Step(Object object, String root, int depth) {}

    private final Project project;
    private final Set<String> settable;
    private final Map<Class<?>, List<Field>> declared = new HashMap<>();
    private final Map<Class<?>, List<Field>> fields = new HashMap<>();
    private final List<Cell> cells = new ArrayList<>();
    private final List<Holding> holdings = new ArrayList<>();
    /** Static fields for what is made on first use, empty at first, whose objects have state. */
    private final List<Field> toBeMade = new ArrayList<>();
    private final int atFirst;
    /** The cells from here on are those that came with the last test. */
    private int settled;
    /** What {@link #unsettle} has set. */
    private final Map<Cell, Object> unsettled = new IdentityHashMap<>();
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * The state as it is now.
     *
     * @param settable fields that code sets at will, as {@code class#field}, with {@code =null} if to
     *     nothing else
     */
    StaticState(Project project, Set<String> settable) throws ReflectiveOperationException {
        this.project = project;
        this.settable = settable;
        walk(true);
        atFirst = cells.size();
        settled = atFirst;
    }

    /** Whether there is nothing that a test could leave changed. */
    boolean isEmpty() {
        return cells.isEmpty() && holdings.isEmpty();
    }

    /** Whether more fields are watched than at first: objects have come to be reachable. */
    boolean hasGrown() {
        return cells.size() > atFirst;
    }

    /**
     * What is otherwise than it was, put back as far as it can be. What has come to be reachable
     * since then is part of the state from now on.
     */
    Set<String> putBackWhatChanged() throws ReflectiveOperationException {
        Set<String> changed = new LinkedHashSet<>();
        for (Cell cell : cells) {
            Object now = cell.now();
            if (!Likeness.is(now, cell.value, this::allFieldsOf)) {
                if (!cell.isKept(now)) {
                    changed.add(cell.name);
                }
                cell.set(cell.value);
            }
        }
        for (int i = holdings.size() - 1; i >= 0; i--) {
            Holding holding = holdings.get(i);
            if (Holdings.hasLost(holding.container, holding.held)) {
                changed.add(holding.name);
                if (holding.contents != null) {
                    holding.contents.putBack();
                } else {
                    // Those that come later are not to blame.
                    holdings.remove(i);
                }
            }
        }
        walk(false);
        return changed;
    }

    /**
     * Empties fields for what is made on first use and can be set, and puts back what was there at
     * first; {@link #MAX_PLACES} of all these at most, fields last, for a table may lead to many.
     */
    void putBack() throws ReflectiveOperationException {
        int left = MAX_PLACES;
        for (int i = 0; i < toBeMade.size() && left > 0; i++, left--) {
            toBeMade.get(i).set(null, null);
        }
        for (int i = 0; i < holdings.size() && left > 0; i++) {
            Contents contents = holdings.get(i).contents;
            if (contents != null) {
                contents.putBack();
                left--;
            }
        }
        for (int i = 0; i < cells.size() && left > 0; i++, left--) {
            Cell cell = cells.get(i);
            cell.set(cell.value);
        }
    }

    /** Whether {@link #putBack} has nothing to do. */
    boolean hasNothingToPutBack() {
        return cells.isEmpty() && toBeMade.isEmpty()
                && holdings.stream().allMatch(holding -> holding.contents == null);
    }

    /**
     * Gives the fields that the last test brought other values, where a value can be made: the test
     * is then to run again, and {@link #setAgain} to be asked.
     *
     * @return whether there are any
     */
    boolean unsettle() throws ReflectiveOperationException {
        for (; settled < cells.size(); settled++) {
            Cell cell = cells.get(settled);
            Object other = OtherValue.than(cell.value);
            cell.set(other);
            unsettled.put(cell, other);
        }
        return !unsettled.isEmpty();
    }

    /** Which of them the test has set again; all is put back. */
    Set<String> setAgain() throws ReflectiveOperationException {
        Set<String> changed = new LinkedHashSet<>();
        for (Cell cell : cells) {
            if (unsettled.containsKey(cell)) {
                Object given = unsettled.get(cell);
                Object now = cell.now();
                boolean isSame = now == given
                        || now != null && Likeness.isPlain(now) && now.equals(given);
                if (!isSame && !cell.isKept(now)) {
                    changed.add(cell.name);
                }
                cell.set(cell.value);
            }
        }
        unsettled.clear();
        // What the test does to the rest was told after its first run.
        putBackWhatChanged();
        settled = cells.size();
        return changed;
    }

    private void walk(boolean isFirst) throws ReflectiveOperationException {
        Set<Object> visited = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<Step> steps = new ArrayDeque<>();
        for (Class<?> type : project.initialized()) {
            for (Field field : declared(type)) {
                if (Modifier.isStatic(field.getModifiers())) {
                    String name = type.getName() + "." + field.getName();
                    Object value = look(null, field, name, seen.add(field));
                    steps.add(new Step(value, name, 0));
                }
            }
        }
        while (!steps.isEmpty()) {
            Step step = steps.remove();
            if (step.object == null || step.depth > MAX_DEPTH || visited.size() >= MAX_OBJECTS) {
                continue;
            }
            Object object = Holdings.unwrapped(step.object);
            if (!visited.add(object)) {
                continue;
            }
            boolean isNew = seen.add(object);
            Map<Object, Object> held = Holdings.of(object);
            if (held != null && isFirst) {
                holdings.add(new Holding(object, held, Contents.of(object), step.root));
            }
            for (Object next : held == null ? elements(object) : held.values()) {
                steps.add(new Step(next, step.root, step.depth + 1));
            }
            for (Field field : fieldsOf(object.getClass())) {
                String name = step.root + " (" + field.getName() + ")";
                Object value = look(object, field, name, isNew);
                steps.add(new Step(value, step.root, step.depth + 1));
            }
        }
    }

    /** Reads a field, which is watched from now on if it is settable and was not seen before. */
    private Object look(Object holder, Field field, String name, boolean isNew)
            throws IllegalAccessException {
        Object value = field.get(holder);
        if (isNew && !Modifier.isFinal(field.getModifiers())) {
            boolean isSet = settable.contains(key(field));
            if (isSettable(field)) {
                cells.add(new Cell(holder, field, value, name, !isSet));
            } else if (holder == null && value == null && isOfStatefulType(field)) {
                toBeMade.add(field);
            }
        }
        return field.getType().isPrimitive() ? null : value;
    }

    private boolean isSettable(Field field) {
        String key = key(field);
        return settable.contains(key) || settable.contains(key + "=null");
    }

    private static String key(Field field) {
        return field.getDeclaringClass().getName() + "#" + field.getName();
    }

    private boolean isOfStatefulType(Field field) {
        return fieldsOf(field.getType()).stream().anyMatch(this::isSettable);
    }

    private static List<Object> elements(Object object) {
        return object instanceof Object[] array ? Holdings.firstOf(array) : List.of();
    }

    /** The instance fields of a class of the project, those it inherits from such included. */
    private List<Field> fieldsOf(Class<?> type) {
        List<Field> all = fields.get(type);
        if (all == null) {
            all = new ArrayList<>();
            for (Class<?> c = type; c != null && project.isOfProject(c); c = c.getSuperclass()) {
                for (Field field : declared(c)) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        all.add(field);
                    }
                }
            }
            fields.put(type, all);
        }
        return all;
    }

    /** The same, or null for a class that is not all of the project: others keep what is not seen. */
    private List<Field> allFieldsOf(Class<?> type) {
        Class<?> c = type;
        while (c != null && project.isOfProject(c)) {
            c = c.getSuperclass();
        }
        return c == Object.class && c != type || c == Record.class ? fieldsOf(type) : null;
    }

    /** The fields that sources declare: compilers and coverage agents add others. */
    private List<Field> declared(Class<?> type) {
        List<Field> known = declared.get(type);
        if (known == null) {
            known = new ArrayList<>();
            Field[] all;
            try {
                all = type.getDeclaredFields();
            } catch (LinkageError missingTypeOfField) {
                all = new Field[0];
            }
            for (Field field : all) {
                if (!field.isSynthetic()) {
                    field.setAccessible(true);
                    known.add(field);
                }
            }
            declared.put(type, known);
        }
        return known;
    }
}
