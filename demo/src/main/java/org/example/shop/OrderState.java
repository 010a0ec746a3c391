package org.example.shop;

/** Where an order stands. */
public enum OrderState {
    OPEN,
    PAID,
    SHIPPED,
    DELIVERED,
    CANCELLED;

    /** Whether an order may go from this state to the next one. */
    public boolean canBecome(OrderState next) {
        return switch (this) {
            case OPEN -> next == PAID || next == CANCELLED;
            case PAID -> next == SHIPPED || next == CANCELLED;
            case SHIPPED -> next == DELIVERED;
            case DELIVERED, CANCELLED -> false;
        };
    }

    /** Whether nothing more happens to the order. */
    public boolean isFinal() {
        return this == DELIVERED || this == CANCELLED;
    }
}
