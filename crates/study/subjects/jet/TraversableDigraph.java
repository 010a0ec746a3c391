package jet;

import java.util.ArrayList;
import java.util.List;

/** A directed graph that tells where its arcs lead. */
public class TraversableDigraph<N extends Node> extends Digraph<N> {
    /** The nodes an arc leads to from the given one, in the order in which the arcs were added. */
    //@ requires isNode(node);
    //@ ensures \fresh(\result);
    //@ ensures (\forall N next; \result.contains(next); isArc(node, next));
    //@ ensures \result.size() == (\num_of Arc<N> arc; arcs.contains(arc); arc.source().isSameNode(node));
    public /*@ pure @*/ List<N> successors(N node) {
        List<N> found = new ArrayList<>();
        for (Arc<N> arc : arcs) {
            if (arc.source().isSameNode(node)) {
                found.add(arc.target());
            }
        }
        return found;
    }

    /** Whether arcs lead from the one node to the other; none are needed to the node itself. */
    //@ requires isNode(from) && isNode(to);
    //@ ensures from.isSameNode(to) || isArc(from, to) ==> \result;
    //@ ensures \result ==> from.isSameNode(to) || !successors(from).isEmpty();
    public /*@ pure @*/ boolean isReachable(N from, N to) {
        List<N> found = new ArrayList<>();
        found.add(kept(from));
        //@ maintaining 0 <= next && next <= found.size() && found.size() <= nodes.size();
        //@ decreases nodes.size() - next;
        for (int next = 0; next < found.size(); next++) {
            if (found.get(next).isSameNode(to)) {
                return true;
            }
            for (N follower : successors(found.get(next))) {
                boolean known = false;
                for (N one : found) {
                    known |= one.isSameNode(follower);
                }
                if (!known) {
                    found.add(follower);
                }
            }
        }
        return false;
    }
}
