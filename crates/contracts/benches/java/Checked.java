/** A bounded stack and an account as the study has them, with contracts. */
public class Checked {
    int[] elements = new int[16];
    int size;
    //@ public invariant 0 <= size && size <= elements.length;

    //@ requires size < elements.length;
    //@ ensures size == \old(size) + 1 && elements[size - 1] == x;
    public void push(int x) {
        elements[size++] = x;
    }

    //@ requires size > 0;
    //@ ensures size == \old(size) - 1 && \result == elements[size];
    public int pop() {
        return elements[--size];
    }

    //@ ensures \result == size;
    public /*@ pure @*/ int size() {
        return size;
    }

    int balance;
    //@ public invariant balance >= 0;

    //@ requires amount > 0 && balance <= 1000000000;
    //@ ensures balance == \old(balance) + amount;
    public void deposit(int amount) {
        balance += amount;
    }

    //@ requires 0 < amount && amount <= balance;
    //@ ensures balance == \old(balance) - amount;
    public void withdraw(int amount) {
        balance -= amount;
    }
}
