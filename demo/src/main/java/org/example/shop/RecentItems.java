package org.example.shop;

/** The items a customer looked at last; the oldest make room for new ones. */
public class RecentItems {
    private final String[] items;
    private int next;
    private int size;

    /**
     * Makes an empty list.
     *
     * @throws IllegalArgumentException if it could hold nothing, or more than 100 items
     */
    public RecentItems(int capacity) {
        if (capacity < 1 || capacity > 100) {
            throw new IllegalArgumentException("capacity must be 1 to 100: " + capacity);
        }
        items = new String[capacity];
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Adds an item as the newest; returns the one that had to go, or null. */
    public String add(String item) {
        if (item == null) {
            throw new NullPointerException("item");
        }
        String gone = items[next];
        items[next] = item;
        next = (next + 1) % items.length;
        if (size < items.length) {
            size++;
        }
        return gone;
    }

    /** Takes out the oldest item and returns it, or null if there is none. */
    public String removeOldest() {
        int oldest = Math.floorMod(next - size, items.length);
        String item = items[oldest];
        items[oldest] = null;
        size--;
        assert size >= 0 : "size " + size;
        return item;
    }

    /**
     * The item at a position, 0 being the newest.
     *
     * @throws IndexOutOfBoundsException if there are not that many
     */
    public String get(int position) {
        if (position < 0 || position >= size) {
            throw new IndexOutOfBoundsException("position " + position + " of " + size);
        }
        return items[Math.floorMod(next - 1 - position, items.length)];
    }

    public boolean contains(String item) {
        for (int i = 0; i < size; i++) {
            if (get(i).equals(item)) {
                return true;
            }
        }
        return false;
    }
}
