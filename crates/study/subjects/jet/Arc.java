package jet;

/** An arc of a graph, from one node to another or to the same. */
public class Arc<N extends Node> {
    private /*@ spec_public @*/ final N source;
    private /*@ spec_public @*/ final N target;

    //@ assignable this.source, this.target;
    //@ ensures this.source == source && this.target == target;
    public Arc(N source, N target) {
        this.source = source;
        this.target = target;
    }

    //@ ensures \result == source;
    public /*@ pure @*/ N source() {
        return source;
    }

    //@ ensures \result == target;
    public /*@ pure @*/ N target() {
        return target;
    }

    /** Whether the arc leads from the one node to the other. */
    //@ ensures \result <==> source.isSameNode(from) && target.isSameNode(to);
    public /*@ pure @*/ boolean leads(Node from, Node to) {
        return source.isSameNode(from) && target.isSameNode(to);
    }
}
