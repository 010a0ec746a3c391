package jet;

/** A node with what a search notes on it. */
public class SearchableNode extends Node {
    /** The distance of a node that no search has come to. */
    public static final int UNREACHED = -1;

    private /*@ spec_public @*/ boolean visited;
    private /*@ spec_public @*/ int distance;
    private /*@ spec_public nullable @*/ SearchableNode predecessor;

    //@ public invariant distance >= UNREACHED;
    //@ public invariant predecessor != this;

    //@ assignable visited, distance, predecessor;
    //@ ensures key() == key && !visited && distance == UNREACHED && predecessor == null;
    public SearchableNode(int key) {
        super(key);
        distance = UNREACHED;
    }

    //@ ensures \result == visited;
    public /*@ pure @*/ boolean isVisited() {
        return visited;
    }

    //@ assignable visited;
    //@ ensures this.visited == visited;
    public void setVisited(boolean visited) {
        this.visited = visited;
    }

    //@ ensures \result == distance;
    public /*@ pure @*/ int distance() {
        return distance;
    }

    //@ requires distance >= UNREACHED;
    //@ assignable this.distance;
    //@ ensures this.distance == distance;
    public void setDistance(int distance) {
        this.distance = distance;
    }

    //@ ensures \result == predecessor;
    public /*@ pure nullable @*/ SearchableNode predecessor() {
        return predecessor;
    }

    //@ requires node != this;
    //@ assignable predecessor;
    //@ ensures predecessor == node;
    public void setPredecessor(/*@ nullable @*/ SearchableNode node) {
        predecessor = node;
    }

    /** Forgets what searches noted. */
    //@ assignable visited, distance, predecessor;
    //@ ensures !visited && distance == UNREACHED && predecessor == null;
    public void reset() {
        visited = false;
        distance = UNREACHED;
        predecessor = null;
    }

    /** Whether the other is the same node and a search noted the same on it, predecessors aside. */
    /*@ also
      @   requires other instanceof SearchableNode;
      @   ensures \result <==> key() == ((SearchableNode) other).key()
      @                 && visited == ((SearchableNode) other).visited
      @                 && distance == ((SearchableNode) other).distance;
      @ also
      @   requires !(other instanceof SearchableNode);
      @   ensures !\result;
      @*/
    @Override
    public /*@ pure @*/ boolean equals(/*@ nullable @*/ Object other) {
        return other instanceof SearchableNode
                && isSameNode((SearchableNode) other)
                && visited == ((SearchableNode) other).visited
                && distance == ((SearchableNode) other).distance;
    }

    @Override
    public /*@ pure @*/ int hashCode() {
        return (key() * 31 + distance) * 2 + (visited ? 1 : 0);
    }
}
