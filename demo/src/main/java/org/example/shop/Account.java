package org.example.shop;

/** The account of a customer, which may be overdrawn up to a limit. */
public class Account {
    private final String owner;
    private final Money overdraft;
    private Money balance = Money.ZERO;
    private boolean closed;

    /** Opens an account that cannot be overdrawn. */
    public Account(String owner) {
        this(owner, Money.ZERO);
    }

    /**
     * Opens an account that can be overdrawn.
     *
     * @throws IllegalArgumentException if the owner has no name or the overdraft is negative
     */
    public Account(String owner, Money overdraft) {
        if (owner == null || owner.isBlank()) {
            throw new IllegalArgumentException("an account needs an owner");
        }
        if (overdraft.isNegative()) {
            throw new IllegalArgumentException("negative overdraft: " + overdraft);
        }
        this.owner = owner;
        this.overdraft = overdraft;
    }

    public String getOwner() {
        return owner;
    }

    public Money getBalance() {
        return balance;
    }

    public boolean isClosed() {
        return closed;
    }

    /** What can be withdrawn: the balance and the overdraft. */
    public Money available() {
        return balance.plus(overdraft);
    }

    /**
     * Puts money in.
     *
     * @throws IllegalArgumentException if the amount is not positive
     * @throws IllegalStateException if the account is closed
     */
    public void deposit(Money amount) {
        requireOpen();
        requirePositive(amount);
        balance = balance.plus(amount);
    }

    /**
     * Takes money out.
     *
     * @throws IllegalArgumentException if the amount is not positive
     * @throws IllegalStateException if the account is closed
     * @throws InsufficientFundsException if there is not enough
     */
    public void withdraw(Money amount) {
        requireOpen();
        requirePositive(amount);
        Money missing = amount.minus(available());
        if (missing.cents() > 0) {
            throw new InsufficientFundsException(missing);
        }
        balance = balance.minus(amount);
    }

    /** Moves money to another account, under the rules of withdrawing and depositing. */
    public void transfer(Account target, Money amount) {
        withdraw(amount);
        target.deposit(amount);
    }

    /**
     * Closes the account for good.
     *
     * @throws IllegalStateException if there is money on it, or owed
     */
    public void close() {
        if (!balance.equals(Money.ZERO)) {
            throw new IllegalStateException("balance is " + balance);
        }
        closed = true;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("account of " + owner + " is closed");
        }
    }

    private static void requirePositive(Money amount) {
        if (amount.cents() <= 0) {
            throw new IllegalArgumentException("not a positive amount: " + amount);
        }
    }
}
