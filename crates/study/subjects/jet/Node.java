package jet;

/** A node of a graph. Its key says which node it is and never changes. */
public class Node {
    private /*@ spec_public @*/ final int key;

    //@ public constraint key == \old(key);

    //@ assignable this.key;
    //@ ensures this.key == key;
    public Node(int key) {
        this.key = key;
    }

    //@ ensures \result == key;
    public /*@ pure @*/ int key() {
        return key;
    }

    /** Whether both stand for the same node of a graph. */
    //@ ensures \result <==> key == other.key;
    public /*@ pure @*/ boolean isSameNode(Node other) {
        return key == other.key;
    }
}
