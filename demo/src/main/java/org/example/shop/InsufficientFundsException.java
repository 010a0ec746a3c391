package org.example.shop;

/** There is less on an account than was to be taken. */
public class InsufficientFundsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Money missing;

    public InsufficientFundsException(Money missing) {
        super(missing + " missing");
        this.missing = missing;
    }

    /** How much more would have been needed. */
    public Money getMissing() {
        return missing;
    }
}
