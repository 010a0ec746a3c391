package org.junit.jupiter.api.function;

/** A piece of code that may throw anything. */
@FunctionalInterface
public interface Executable {
    void execute() throws Throwable;
}
