package java.lang;

/**
 * Thrown by {@link Testhound#step} once the step budget is used up.
 *
 * <p>An {@code Error}, so that {@code catch (Exception e)} lets it pass. One instance serves every
 * throw; it has no stack trace, takes no suppressed exceptions and no cause, so nothing that code
 * under test does to it survives into the next run.
 */
public final class TesthoundStop extends Error {
    private static final long serialVersionUID = 1L;

    TesthoundStop() {
        super("step budget used up", null, false, false);
    }
}
