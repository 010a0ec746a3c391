package testhound.contracts;

/**
 * The second half of a clause that speaks of the state before a call: made before it, asked after.
 */
@FunctionalInterface
public interface Late {
    /**
     * Whether the clause holds.
     *
     * @param result what the call returned, or {@code null}
     * @param thrown what it threw, or {@code null}
     */
    boolean holds(Object result, Throwable thrown);
}
