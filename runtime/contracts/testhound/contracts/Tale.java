package testhound.contracts;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is told of a violation to people: message, values of the parts of its clause, a stack with
 * the names that methods have in the source.
 *
 * <p>Each one is also noted in the {@link Report}, so that one that is swallowed is known.
 */
public final class Tale {
    private static final String BODY = "jml$body";
    private static final String INHERITED = "jml$super";
    private static final String FIRST = "jml$first";

    /** What a thread has said of a clause so far. */
    private static final class Said {
        int clause;
        final List<String> parts = new ArrayList<>();
    }

    private static final ThreadLocal<Said> SAID = ThreadLocal.withInitial(Said::new);
    private static final Set<Integer> TOLD_UNDEFINED = new HashSet<>();

    private Tale() {}

    /** Parts of this clause follow. */
    public static void of(int clause) {
        Said said = SAID.get();
        said.clause = clause;
        said.parts.clear();
    }

    /** The value of a part. */
    public static void part(String name, Object value) {
        SAID.get().parts.add(name + " = " + Values.show(value));
    }

    /** A part that has no value. */
    public static Object none(Throwable thrown) {
        Checks.postpone(thrown);
        return new Object() {
            @Override
            public String toString() {
                return "undefined: " + thrown;
            }
        };
    }

    static Violation of(int clause, int how) {
        Clauses.Clause about = Clauses.get(clause);
        String kind = about.kind();
        if (how == Violation.ENTRY || how == Violation.INTERNAL) {
            kind = (how == Violation.ENTRY ? "entry " : "internal ") + kind;
        }
        StringBuilder message = new StringBuilder(kind);
        message.append(how == Violation.BEFORE ? " does not hold before " : " does not hold in ");
        message.append(about.owner()).append('.').append(about.member());
        message.append(": ").append(about.text()).append(" (").append(about.place()).append(')');
        Said said = SAID.get();
        List<String> parts = said.clause == clause ? List.copyOf(said.parts) : List.of();
        for (String part : parts) {
            message.append("\n  ").append(part);
        }
        Violation violation = new Violation(clause, how, message.toString());
        violation.setStackTrace(restored(violation.getStackTrace()));
        Report.note("violation", clause, how, parts, violation.getStackTrace());
        return violation;
    }

    static void undefined(int clause, Throwable thrown) {
        synchronized (TOLD_UNDEFINED) {
            if (!TOLD_UNDEFINED.add(clause)) {
                return;
            }
        }
        List<String> what = List.of(String.valueOf(thrown));
        Report.note("undefined", clause, 0, what, restored(thrown.getStackTrace()));
    }

    /** Whether checked code is under way below the call that is being checked. */
    static boolean callerIsChecked() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames
                        .filter(frame -> !frame.getClassName().startsWith("testhound.contracts."))
                        // What a constructor asks before `super(…)`: itself comes next.
                        .filter(frame -> !frame.getMethodName().startsWith(FIRST))
                        .skip(1)
                        .anyMatch(frame -> frame.getMethodName().startsWith(BODY)
                                || frame.getMethodName().startsWith(INHERITED)
                                || frame.getMethodName().equals("<init>")
                                        && isWoven(frame.getDeclaringClass())));
    }

    private static boolean isWoven(Class<?> type) {
        for (java.lang.reflect.Method method : type.getDeclaredMethods()) {
            if (method.getName().startsWith("jml$")) {
                return true;
            }
        }
        return false;
    }

    /** A stack as it would be without checks: ours left out, bodies under their own names. */
    static StackTraceElement[] restored(StackTraceElement[] stack) {
        List<StackTraceElement> kept = new ArrayList<>();
        for (int i = 0; i < stack.length; i++) {
            StackTraceElement frame = stack[i];
            String method = frame.getMethodName();
            if (frame.getClassName().startsWith("testhound.contracts.")) {
                continue;
            }
            if (method.startsWith(BODY)) {
                String name = method.substring(method.indexOf('$', BODY.length()) + 1);
                kept.add(new StackTraceElement(
                        frame.getClassName(), name, frame.getFileName(), frame.getLineNumber()));
                // The wrapper that called it is the same call.
                i++;
                if (i < stack.length && stack[i].getMethodName().startsWith(INHERITED)) {
                    i++;
                }
            } else if (method.startsWith(INHERITED)) {
                i++;
            } else if (!method.startsWith("jml$") && !method.startsWith("lambda$jml$")) {
                kept.add(frame);
            }
        }
        return kept.toArray(new StackTraceElement[0]);
    }
}
