package org.example.shop;

import java.util.Locale;

/** A time of day at which a shop opens or closes, to the minute. */
public final class OpeningTime {
    private static final int MINUTES_PER_DAY = 24 * 60;

    private final int minutes;

    private OpeningTime(int minutes) {
        this.minutes = minutes;
    }

    /**
     * A time such as 8 and 30.
     *
     * @throws IllegalArgumentException if there is no such time of day
     */
    public static OpeningTime of(int hour, int minute) {
        if (hour < 0 || hour > 23 || minute < 0 || minute > 59) {
            throw new IllegalArgumentException("no time of day: " + hour + ", " + minute);
        }
        return new OpeningTime(hour * 60 + minute);
    }

    /**
     * Reads a time such as {@code 8:30} or {@code 18:00}.
     *
     * @throws IllegalArgumentException if the text is no time of day
     */
    public static OpeningTime parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("no colon: " + text);
        }
        return of(number(text.substring(0, colon)), number(text.substring(colon + 1)));
    }

    private static int number(String digits) {
        if (digits.isEmpty() || digits.length() > 2) {
            throw new IllegalArgumentException("one or two digits expected: '" + digits + "'");
        }
        int value = 0;
        for (char c : digits.toCharArray()) {
            if (c < '0' || c > '9') {
                throw new IllegalArgumentException("not a digit: '" + c + "'");
            }
            value = 10 * value + (c - '0');
        }
        return value;
    }

    public int hour() {
        return minutes / 60;
    }

    public int minute() {
        return minutes % 60;
    }

    /** The time that many minutes later, or earlier if negative; passes midnight. */
    public OpeningTime plusMinutes(int more) {
        return new OpeningTime((int) Math.floorMod((long) minutes + more, (long) MINUTES_PER_DAY));
    }

    /** Minutes from this time until the next occurrence of the other, 0 if they are the same. */
    public int minutesUntil(OpeningTime other) {
        return Math.floorMod(other.minutes - minutes, MINUTES_PER_DAY);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OpeningTime time && time.minutes == minutes;
    }

    @Override
    public int hashCode() {
        return minutes;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d:%02d", hour(), minute());
    }
}
