/** The twin of Checked, with the same checks written by hand. */
public class Written {
    static final class Broken extends Error {
        Broken() {
            super("", null, false, false);
        }
    }

    static final Broken BROKEN = new Broken();

    int[] elements = new int[16];
    int size;
    int balance;

    private void invariant() {
        if (!(elements != null && 0 <= size && size <= elements.length)) {
            throw BROKEN;
        }
        if (!(balance >= 0)) {
            throw BROKEN;
        }
    }

    private static void check(boolean holds) {
        if (!holds) {
            throw BROKEN;
        }
    }

    public void push(int x) {
        check(size < elements.length);
        invariant();
        int before = size;
        elements[size++] = x;
        check((long) size == (long) before + 1 && elements[size - 1] == x);
        invariant();
    }

    public int pop() {
        check(size > 0);
        invariant();
        int before = size;
        int result = elements[--size];
        check((long) size == (long) before - 1 && result == elements[size]);
        invariant();
        return result;
    }

    public int size() {
        invariant();
        int result = size;
        check(result == size);
        return result;
    }

    public void deposit(int amount) {
        check(amount > 0 && balance <= 1000000000);
        invariant();
        int before = balance;
        balance += amount;
        check((long) balance == (long) before + amount);
        invariant();
    }

    public void withdraw(int amount) {
        check(0 < amount && amount <= balance);
        invariant();
        int before = balance;
        balance -= amount;
        check((long) balance == (long) before - amount);
        invariant();
    }
}
