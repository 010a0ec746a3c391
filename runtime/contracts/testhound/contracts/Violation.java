package testhound.contracts;

/**
 * A clause does not hold.
 *
 * <p>An {@code Error}, so that {@code catch (Exception e)} lets it pass. In a search one instance
 * serves every throw: it has no stack, no message and keeps nothing that code under test does to it
 * but {@link #clause} and {@link #how}, which are set anew each time.
 */
public final class Violation extends Error {
    private static final long serialVersionUID = 1L;

    /** A precondition broken by whoever called first: nothing checked is under way. */
    public static final int ENTRY = 1;
    /** A precondition broken by checked code. */
    public static final int INTERNAL = 2;
    /** An invariant that did not hold before the call. */
    public static final int BEFORE = 3;
    /** Whatever is found during or after the call. */
    public static final int AFTER = 4;

    /** The one that is thrown when nobody asked for messages. */
    static final Violation QUICK = new Violation();

    /** The clause, as the weaver numbered it. */
    public int clause;
    /** One of the constants of this class. */
    public int how;

    private Violation() {
        super("a contract is broken", null, false, false);
    }

    Violation(int clause, int how, String message) {
        super(message);
        this.clause = clause;
        this.how = how;
    }
}
