package org.example.shop;

/** How urgent an order is: the higher the level, the sooner it is packed. */
public final class Priority implements Comparable<Priority> {
    private final int level;

    public Priority(int level) {
        this.level = level;
    }

    public int level() {
        return level;
    }

    public boolean isRush() {
        return level > 0;
    }

    @Override
    public int compareTo(Priority other) {
        return level - other.level;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Priority priority && priority.level == level;
    }

    @Override
    public int hashCode() {
        return level;
    }

    @Override
    public String toString() {
        return "priority " + level;
    }
}
