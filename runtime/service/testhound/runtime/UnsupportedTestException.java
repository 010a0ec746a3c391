package testhound.runtime;

/** A test class uses something of JUnit that the runner does not know. */
final class UnsupportedTestException extends Exception {
    private static final long serialVersionUID = 1L;

    UnsupportedTestException(String message) {
        super(message);
    }
}
