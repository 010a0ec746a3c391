package testhound.contracts;

import java.util.List;

/**
 * Notes violations that end a thread. They are told with all others when the program has ended, so
 * they are not printed here; what else ends a thread is printed as ever, without what checks add to
 * its stack.
 */
final class Uncaught implements Thread.UncaughtExceptionHandler {
    /** More causes of causes than any exception has. */
    private static final int DEEPEST = 100;

    private Uncaught() {}

    /** Sees to it that they are noted, unless the program has a handler of its own. */
    static void watch() {
        if (Report.isKept() && Thread.getDefaultUncaughtExceptionHandler() == null) {
            Thread.setDefaultUncaughtExceptionHandler(new Uncaught());
        }
    }

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        Throwable at = thrown;
        boolean isNoted = false;
        for (int depth = 0; at != null && depth < DEEPEST; depth++) {
            if (at instanceof Violation && !isNoted) {
                Violation violation = (Violation) at;
                List<String> of = List.of(thread.getName());
                Report.note("uncaught", violation.clause, violation.how, of, at.getStackTrace());
                isNoted = true;
            } else {
                at.setStackTrace(Tale.restored(at.getStackTrace()));
            }
            at = at.getCause();
        }
        if (!(thrown instanceof Violation)) {
            System.err.print("Exception in thread \"" + thread.getName() + "\" ");
            thrown.printStackTrace();
        }
    }
}
