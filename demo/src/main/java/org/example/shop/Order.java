package org.example.shop;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** An order: items until it is paid, then a walk through the states. */
public class Order {
    private static final Money FREE_SHIPPING_FROM = Money.of(50, 0);
    private static final Money SHIPPING = Money.of(4, 90);

    private final List<String> items = new ArrayList<>();
    private Money goods = Money.ZERO;
    private OrderState state = OrderState.OPEN;
    private Account payer;

    /**
     * Adds an item.
     *
     * @return how many items there are now
     * @throws IllegalStateException if the order is no longer open
     * @throws IllegalArgumentException if the item has no name or a negative price
     */
    public int add(String item, Money price) {
        if (state != OrderState.OPEN) {
            throw new IllegalStateException("order is " + state);
        }
        if (item == null || item.isEmpty()) {
            throw new IllegalArgumentException("an item needs a name");
        }
        if (price.isNegative()) {
            throw new IllegalArgumentException("negative price: " + price);
        }
        goods = goods.plus(price);
        items.add(item);
        return items.size();
    }

    public List<String> getItems() {
        return Collections.unmodifiableList(items);
    }

    public OrderState getState() {
        return state;
    }

    /** What the customer pays: the goods, and shipping for small orders. */
    public Money total() {
        if (items.isEmpty() || goods.cents() >= FREE_SHIPPING_FROM.cents()) {
            return goods;
        }
        return goods.plus(SHIPPING);
    }

    /**
     * Pays the order from an account.
     *
     * @throws IllegalStateException if the order is empty or no longer open
     */
    public void payFrom(Account account) {
        if (items.isEmpty()) {
            throw new IllegalStateException("nothing to pay");
        }
        requireCanBecome(OrderState.PAID);
        account.withdraw(total());
        payer = account;
        state = OrderState.PAID;
    }

    /** One line for the customer. */
    public String receipt() {
        return total() + " paid by " + payer.getOwner();
    }

    /**
     * Moves on to the next state. Paying has a method of its own.
     *
     * @throws IllegalStateException if the order cannot get there from where it is
     */
    public void become(OrderState next) {
        if (next == OrderState.PAID) {
            throw new IllegalArgumentException("use payFrom");
        }
        requireCanBecome(next);
        state = next;
    }

    private void requireCanBecome(OrderState next) {
        if (!state.canBecome(next)) {
            throw new IllegalStateException(state + " cannot become " + next);
        }
    }
}
