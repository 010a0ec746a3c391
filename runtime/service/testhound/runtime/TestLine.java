package testhound.runtime;

/** The line that tells how a test ended; its format is part of {@link TestRunner#run}. */
final class TestLine {
    enum Status { PASS, FAIL, ERROR, TIMEOUT, LEFT_CHANGED }

    private TestLine() {}

    /**
     * A line about what was thrown, if anything. The methods of the exception are those of code
     * under test, so this is called where a time limit holds.
     *
     * @param message in place of that of the exception, if not null
     */
    static String of(
            String className, String method, Status status, Throwable thrown, String message) {
        if (thrown == null) {
            return of(className, method, status, "", message, "");
        }
        String text = message;
        String frame;
        try {
            text = message == null ? thrown.getMessage() : message;
            frame = frame(className, thrown.getStackTrace());
        } catch (Throwable fromCodeUnderTest) {
            text = message == null ? "(getMessage threw an exception)" : message;
            frame = "";
        }
        return of(className, method, status, thrown.getClass().getName(), text, frame);
    }

    static String of(
            String className, String method, Status status, String exception, String message,
            String frame) {
        return className + "#" + method + "\t" + status + "\t" + exception + "\t"
                + Line.escape(message) + "\t" + Line.escape(frame);
    }

    /** The innermost frame in the test class or a class nested in it, or an empty string. */
    static String frame(String className, StackTraceElement[] frames) {
        for (StackTraceElement frame : frames) {
            String name = frame.getClassName();
            if (name.startsWith(className)
                    && (name.length() == className.length()
                            || name.charAt(className.length()) == '$')) {
                return frame.toString();
            }
        }
        return "";
    }
}
