package testhound.contracts;

/**
 * Numbers of a clause do not fit into a {@code long}: the clause is evaluated again, in big
 * integers.
 */
public final class Overflow extends ArithmeticException {
    private static final long serialVersionUID = 1L;

    static final Overflow IT = new Overflow();

    private Overflow() {
        super("the numbers of the clause are too large");
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
