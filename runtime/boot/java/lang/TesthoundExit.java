package java.lang;

/**
 * Thrown in place of ending the JVM, see {@link Testhound#exit}.
 *
 * <p>Not preallocated like {@link TesthoundStop}: it is rare, and carries the status.
 */
public final class TesthoundExit extends Error {
    private static final long serialVersionUID = 1L;

    /** The status that was to be the exit code of the process. */
    public final int status;

    TesthoundExit(int status) {
        super("exit with status " + status, null, false, false);
        this.status = status;
    }
}
