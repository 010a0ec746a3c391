package org.example.shop;

import java.util.Locale;

/** An amount of euros and cents. Immutable. */
public final class Money implements Comparable<Money> {
    /** No money at all. */
    public static final Money ZERO = new Money(0);

    private final long cents;

    private Money(long cents) {
        this.cents = cents;
    }

    /** An amount given in cents; may be negative. */
    public static Money ofCents(long cents) {
        return cents == 0 ? ZERO : new Money(cents);
    }

    /**
     * An amount given in euros and cents, such as 3 and 50.
     *
     * @throws IllegalArgumentException if cents is not between 0 and 99
     */
    public static Money of(long euros, int cents) {
        if (cents < 0 || cents > 99) {
            throw new IllegalArgumentException("cents out of range: " + cents);
        }
        long whole = Math.multiplyExact(euros, 100L);
        return ofCents(Math.addExact(whole, euros < 0 ? -cents : cents));
    }

    public long cents() {
        return cents;
    }

    public boolean isNegative() {
        return cents < 0;
    }

    public Money plus(Money other) {
        return ofCents(Math.addExact(cents, other.cents));
    }

    public Money minus(Money other) {
        return ofCents(Math.subtractExact(cents, other.cents));
    }

    public Money times(int factor) {
        return ofCents(Math.multiplyExact(cents, (long) factor));
    }

    /**
     * Splits the amount into parts that differ by at most one cent, larger ones first.
     *
     * @throws IllegalArgumentException if parts is not between 1 and 1000
     */
    public Money[] split(int parts) {
        if (parts < 1 || parts > 1000) {
            throw new IllegalArgumentException("cannot split into " + parts);
        }
        long each = Math.floorDiv(cents, (long) parts);
        long rest = Math.floorMod(cents, (long) parts);
        Money[] result = new Money[parts];
        for (int i = 0; i < parts; i++) {
            result[i] = ofCents(i < rest ? each + 1 : each);
        }
        return result;
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(cents, other.cents);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Money money && money.cents == cents;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(cents);
    }

    @Override
    public String toString() {
        String sign = cents < 0 ? "-" : "";
        long euros = Math.abs(cents / 100);
        return sign + euros + String.format(Locale.ROOT, ".%02d EUR", Math.abs(cents % 100));
    }
}
