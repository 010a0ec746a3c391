package jet;

/** A bounded stack in an array: the bottom at index 0, unused places are null. */
public class BoundedStackImplementation implements BoundedStack {
    /** The largest room a stack may have. */
    public static final int MAX_CAPACITY = 1000;

    private /*@ spec_public @*/ final Object[] elements; //@ in depth;
    //@ maps elements[*] \into depth;
    private /*@ spec_public @*/ int count; //@ in depth;

    //@ public represents depth = count;

    //@ public invariant 0 <= count && count <= elements.length;
    //@ public invariant (\forall int i; 0 <= i && i < count; elements[i] != null);
    //@ public invariant (\forall int i; count <= i && i < elements.length; elements[i] == null);
    //@ public invariant \typeof(elements) == \type(Object[]);

    /** A stack with room for that many elements. */
    //@ requires 0 < capacity && capacity <= MAX_CAPACITY;
    //@ assignable elements, count;
    //@ ensures capacity() == capacity && isEmpty();
    public BoundedStackImplementation(int capacity) {
        elements = new Object[capacity];
        count = 0;
    }

    //@ also ensures \result == elements.length;
    @Override
    public /*@ pure @*/ int capacity() {
        return elements.length;
    }

    @Override
    public /*@ pure @*/ int size() {
        return count;
    }

    @Override
    public /*@ pure @*/ boolean isEmpty() {
        return count == 0;
    }

    @Override
    public /*@ pure @*/ boolean isFull() {
        return count == elements.length;
    }

    //@ also ensures \result <==> (\exists int i; 0 <= i && i < count; elements[i] == element);
    @Override
    public /*@ pure @*/ boolean holds(Object element) {
        //@ maintaining 0 <= i && i <= count;
        //@ maintaining (\forall int k; 0 <= k && k < i; elements[k] != element);
        //@ decreases count - i;
        for (int i = 0; i < count; i++) {
            if (elements[i] == element) {
                return true;
            }
        }
        return false;
    }

    /*@ also public normal_behavior
      @   requires count > 0;
      @   ensures \result == elements[count - 1];
      @*/
    @Override
    public /*@ pure @*/ Object top() {
        if (count == 0) {
            throw new IllegalStateException("the stack is empty");
        }
        return elements[count - 1];
    }

    /*@ also public normal_behavior
      @   requires count < elements.length;
      @   assignable elements[count], count;
      @   ensures elements[\old(count)] == element;
      @   ensures (\forall int i; 0 <= i && i < \old(count); elements[i] == \old(elements[i]));
      @*/
    @Override
    public void push(Object element) {
        elements[count] = element;
        count++;
    }

    /*@ also public normal_behavior
      @   requires count > 0;
      @   assignable elements[count - 1], count;
      @   ensures (\forall int i; 0 <= i && i < count; elements[i] == \old(elements[i]));
      @*/
    @Override
    public void pop() {
        count--;
        elements[count] = null;
    }

    /*@ also public normal_behavior
      @   assignable elements[*], count;
      @   ensures count == 0;
      @*/
    @Override
    public void clear() {
        //@ maintaining 0 <= count && count <= elements.length;
        //@ decreases count;
        while (count > 0) {
            count--;
            elements[count] = null;
        }
    }
}
