package org.example.shop;

/** A part of a whole, such as a discount of one fifth. Between none and all of it. */
public final class Share {
    private final int numerator;
    private final int denominator;

    /**
     * Makes the share {@code numerator / denominator}.
     *
     * @throws IllegalArgumentException if it is not between 0 and 1
     */
    public Share(int numerator, int denominator) {
        if (denominator <= 0) {
            throw new IllegalArgumentException("denominator must be positive: " + denominator);
        }
        if (numerator < 0 || numerator > denominator) {
            throw new IllegalArgumentException("not between 0 and 1: " + numerator + "/" + denominator);
        }
        this.numerator = numerator;
        this.denominator = denominator;
    }

    /** What is left once this share is taken. */
    public Share complement() {
        return new Share(denominator - numerator, denominator);
    }

    /**
     * The same share in finer parts: 1/2 refined by 3 is 3/6.
     *
     * @throws IllegalArgumentException if the factor is not between 1 and 1000
     */
    public Share refine(int factor) {
        if (factor < 1 || factor > 1000) {
            throw new IllegalArgumentException("cannot refine by " + factor);
        }
        return new Share(
                Math.multiplyExact(numerator, factor), Math.multiplyExact(denominator, factor));
    }

    public boolean isAll() {
        return numerator == denominator;
    }

    public boolean isNone() {
        return numerator == 0;
    }

    /** This share of an amount, rounded down to the cent. */
    public Money of(Money amount) {
        return Money.ofCents(Math.floorDiv(
                Math.multiplyExact(amount.cents(), (long) numerator), (long) denominator));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Share share
                && (long) numerator * share.denominator == (long) share.numerator * denominator;
    }

    @Override
    public int hashCode() {
        return 31 * numerator + denominator;
    }

    @Override
    public String toString() {
        return numerator + "/" + denominator;
    }
}
