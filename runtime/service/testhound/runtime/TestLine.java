package testhound.runtime;

/** The line that tells how a test ended; its format is part of {@link TestRunner#runOne}. */
final class TestLine {
    enum Status { PASS, FAIL, ERROR, TIMEOUT, LEFT_CHANGED }

    /** Frames told from the top of a stack; as many as the search remembers. */
    private static final int MAX_FRAMES = 24;

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
            return of(className, method, status, "", message, new StackTraceElement[0]);
        }
        String text = message;
        StackTraceElement[] frames;
        try {
            text = message == null ? thrown.getMessage() : message;
            frames = thrown.getStackTrace();
        } catch (Throwable fromCodeUnderTest) {
            text = message == null ? "(getMessage threw an exception)" : message;
            frames = new StackTraceElement[0];
        }
        return of(className, method, status, thrown.getClass().getName(), text, frames);
    }

    static String of(
            String className, String method, Status status, String exception, String message,
            StackTraceElement[] frames) {
        int test = indexOf(className, method, frames);
        String line = test < 0 ? "" : Integer.toString(frames[test].getLineNumber());
        String called = test < 1 ? "" : frames[test - 1].getMethodName();
        return className + "#" + method + "\t" + status + "\t" + exception + "\t"
                + Line.escape(message) + "\t" + top(frames) + "\t" + line + "\t"
                + Line.escape(called);
    }

    /** Neither sign that separates is part of a name in the JVM (JVMS 4.2). */
    private static String top(StackTraceElement[] frames) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < frames.length && i < MAX_FRAMES; i++) {
            StackTraceElement frame = frames[i];
            text.append(i == 0 ? "" : ";").append(Line.escape(frame.getClassName()));
            text.append('/').append(Line.escape(frame.getMethodName()));
            text.append('/').append(frame.getLineNumber());
        }
        return text.toString();
    }

    /** Where the test method itself is, or a negative number. */
    private static int indexOf(String className, String method, StackTraceElement[] frames) {
        for (int i = 0; i < frames.length; i++) {
            if (frames[i].getClassName().equals(className)
                    && frames[i].getMethodName().equals(method)) {
                return i;
            }
        }
        return -1;
    }
}
