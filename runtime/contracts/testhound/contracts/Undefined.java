package testhound.contracts;

/** A part of a clause has no value. */
public final class Undefined extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Undefined(String why) {
        super(why, null, false, false);
    }
}
