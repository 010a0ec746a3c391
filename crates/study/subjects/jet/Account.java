package jet;

/** An account that is never overdrawn. */
public class Account {
    private /*@ spec_public @*/ int balance;

    //@ public invariant balance >= 0;

    /** An account with a first deposit. */
    //@ requires amount >= 0;
    //@ assignable balance;
    //@ ensures balance == amount;
    public Account(int amount) {
        balance = amount;
    }

    /** An account with as much on it as another. */
    //@ assignable balance;
    //@ ensures balance == other.balance;
    //@ ensures other.balance == \old(other.balance);
    public Account(Account other) {
        balance = other.balance;
    }

    //@ requires amount > 0 && balance + amount <= Integer.MAX_VALUE;
    //@ assignable balance;
    //@ ensures balance == \old(balance) + amount;
    public void deposit(int amount) {
        balance += amount;
    }

    //@ requires amount > 0 && amount <= balance;
    //@ assignable balance;
    //@ ensures balance == \old(balance) - amount;
    public void withdraw(int amount) {
        balance -= amount;
    }

    /**
     * Takes an amount from another account and puts it on this one. The contract leaves out that the
     * other account may be this one, and then does not hold.
     */
    //@ requires amount > 0 && amount <= from.balance;
    //@ requires balance + amount <= Integer.MAX_VALUE;
    //@ assignable balance, from.balance;
    //@ ensures balance == \old(balance) + amount;
    //@ ensures from.balance == \old(from.balance - amount);
    public void transfer(int amount, Account from) {
        from.withdraw(amount);
        deposit(amount);
    }

    //@ ensures \result == balance;
    public /*@ pure @*/ int balance() {
        return balance;
    }
}
