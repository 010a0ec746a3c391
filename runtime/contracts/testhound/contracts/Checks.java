package testhound.contracts;

/**
 * What woven classes call to begin, end and judge checks, and what is known of them from outside.
 *
 * <p>Plain static fields: a search calls from one thread at a time. Two threads that evaluate at
 * once may check a little more, never less, because each writes itself or {@code null}.
 */
public final class Checks {
    /** The thread that evaluates clauses: what it calls is not checked. */
    public static Thread evaluator;
    /** How many checked calls are under way. Saved and restored by each of them. */
    public static int depth;
    /** Whether violations have messages, stacks and values; else they are made beforehand. */
    public static boolean telling = Boolean.getBoolean("testhound.contracts.tell");

    /** The clause that was violated first since {@link #reset}, 0 for none. */
    public static int last;
    /** How it was: see {@link Violation}. */
    public static int lastHow;
    /** How many violations there were since {@link #reset}. */
    public static int violations;
    /** The last clause of a precondition that did not hold. */
    public static int broken;
    /** How many preconditions were undefined since {@link #reset}. */
    public static int undefinedPreconditions;
    /** The last clause, no precondition, that was undefined since {@link #reset}, 0 for none. */
    public static int lastUndefined;

    static {
        if (telling) {
            Uncaught.watch();
        }
    }

    private Checks() {}

    /** Forgets what was: to be called before a call that is watched. */
    public static void reset() {
        evaluator = null;
        depth = 0;
        last = 0;
        lastHow = 0;
        violations = 0;
        broken = 0;
        undefinedPreconditions = 0;
        lastUndefined = 0;
    }

    /** Whether this thread evaluates a clause. */
    public static boolean evaluating() {
        return evaluator == Thread.currentThread();
    }

    /** From here on this thread evaluates clauses. */
    public static void begin() {
        evaluator = Thread.currentThread();
    }

    /** No more. */
    public static void end() {
        evaluator = null;
    }

    /** No case of a precondition holds. */
    public static void refuse(int depth) {
        int how = depth == 0 ? Violation.ENTRY : Violation.INTERNAL;
        if (telling) {
            how = Tale.callerIsChecked() ? Violation.INTERNAL : Violation.ENTRY;
        }
        fail(broken, how);
    }

    /** As {@link #refuse}, where a value is needed: {@code 0} if the mask has a case. */
    public static int require(int mask) {
        if (mask == 0 && !evaluating()) {
            refuse(depth);
        }
        end();
        return 0;
    }

    /** The clause does not hold after, or within, a call. */
    public static void violated(int clause) {
        fail(clause, Violation.AFTER);
    }

    /** If a clause is given: it does not hold after a call. */
    public static void after(int clause) {
        if (clause != 0) {
            fail(clause, Violation.AFTER);
        }
    }

    /** If a clause is given: it did not hold before a call. */
    public static void before(int clause) {
        if (clause != 0) {
            fail(clause, Violation.BEFORE);
        }
    }

    private static void fail(int clause, int how) {
        evaluator = null;
        violations++;
        if (last == 0) {
            last = clause;
            lastHow = how;
        }
        if (telling) {
            throw Tale.of(clause, how);
        }
        Violation quick = Violation.QUICK;
        quick.clause = clause;
        quick.how = how;
        throw quick;
    }

    /** A clause of a precondition does not hold; that may not matter, there may be other cases. */
    public static boolean without(int clause) {
        broken = clause;
        return false;
    }

    /** A clause of a precondition threw: it does not hold. */
    public static boolean undefinedBefore(int clause, Throwable thrown) {
        pass(thrown);
        undefinedPreconditions++;
        broken = clause;
        if (telling) {
            Tale.undefined(clause, thrown);
        }
        return false;
    }

    /** Another clause threw: an error of the specification, no violation. */
    public static boolean undefined(int clause, Throwable thrown) {
        pass(thrown);
        lastUndefined = clause;
        if (telling) {
            Tale.undefined(clause, thrown);
        }
        return true;
    }

    /** Something threw that a clause may not need after all. */
    public static void postpone(Throwable thrown) {
        pass(thrown);
    }

    /** Whether what a body threw is an exception that clauses speak of. */
    public static boolean concerns(Throwable thrown) {
        return thrown instanceof Exception;
    }

    /**
     * Throws again what no clause may swallow: the end of a call that is stopped from outside, and
     * errors of the machine, after which nothing is known of the clause.
     */
    private static void pass(Throwable thrown) {
        if (thrown instanceof Error && isFromOutside((Error) thrown)) {
            evaluator = null;
            throw (Error) thrown;
        }
    }

    private static boolean isFromOutside(Error thrown) {
        return thrown instanceof VirtualMachineError
                || thrown instanceof Violation
                || thrown.getClass().getName().equals("java.lang.ThreadDeath")
                || thrown.getClass().getName().startsWith("java.lang.Testhound");
    }

    /** The value of a variant now; it is to be less than before and not negative. */
    public static long variant(int clause, long before, long now) {
        if (now >= before || now < 0) {
            violated(clause);
        }
        return now;
    }
}
