package jet;

/** A stack with room for a fixed number of elements. */
public interface BoundedStack {
    //@ public model instance int depth;

    //@ public instance invariant 0 <= depth && depth <= capacity();
    //@ public instance constraint capacity() == \old(capacity());

    /** How many elements there is room for. */
    //@ ensures \result > 0;
    /*@ pure @*/ int capacity();

    /** How many elements are on the stack. */
    //@ ensures \result == depth;
    /*@ pure @*/ int size();

    //@ ensures \result <==> depth == 0;
    /*@ pure @*/ boolean isEmpty();

    //@ ensures \result <==> depth == capacity();
    /*@ pure @*/ boolean isFull();

    /** Whether this very object is on the stack. */
    //@ ensures \result ==> depth > 0;
    /*@ pure @*/ boolean holds(Object element);

    /** The element that was pushed last. */
    /*@ public normal_behavior
      @   requires depth > 0;
      @   ensures holds(\result);
      @ also public exceptional_behavior
      @   requires depth == 0;
      @   signals_only IllegalStateException;
      @*/
    /*@ pure @*/ Object top();

    /*@ public normal_behavior
      @   requires depth < capacity();
      @   assignable depth;
      @   ensures depth == \old(depth) + 1;
      @   ensures top() == element;
      @*/
    void push(Object element);

    /*@ public normal_behavior
      @   requires depth > 0;
      @   assignable depth;
      @   ensures depth == \old(depth) - 1;
      @*/
    void pop();

    /*@ public normal_behavior
      @   assignable depth;
      @   ensures isEmpty();
      @*/
    void clear();
}
