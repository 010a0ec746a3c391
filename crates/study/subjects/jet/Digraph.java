package jet;

import java.util.LinkedList;

/** A directed graph in two linked lists. Nodes with the same key are the same node. */
public class Digraph<N extends Node> {
    protected /*@ spec_public @*/ final LinkedList<N> nodes = new LinkedList<>();
    protected /*@ spec_public @*/ final LinkedList<Arc<N>> arcs = new LinkedList<>();

    //@ public model int order;
    //@ public represents order = nodes.size();

    //@ public invariant (\forall Arc<N> arc; arcs.contains(arc); isNode(arc.source()) && isNode(arc.target()));
    /*@ public invariant (\forall int i; 0 <= i && i < nodes.size();
      @     (\forall int k; 0 <= k && k < i; !nodes.get(i).isSameNode(nodes.get(k))));
      @ public invariant (\forall int i; 0 <= i && i < arcs.size();
      @     (\forall int k; 0 <= k && k < i; !arcs.get(i).leads(arcs.get(k).source(), arcs.get(k).target())));
      @*/

    /** A graph without nodes. */
    //@ ensures nodeCount() == 0 && arcCount() == 0;
    public Digraph() {
    }

    //@ ensures \result == order;
    public /*@ pure @*/ int nodeCount() {
        return nodes.size();
    }

    //@ ensures \result == arcs.size();
    //@ ensures \result <= order * order;
    public /*@ pure @*/ int arcCount() {
        return arcs.size();
    }

    //@ ensures \result <==> (\exists int i; 0 <= i && i < nodes.size(); nodes.get(i).isSameNode(node));
    public /*@ pure @*/ boolean isNode(N node) {
        for (N one : nodes) {
            if (one.isSameNode(node)) {
                return true;
            }
        }
        return false;
    }

    //@ ensures \result <==> (\exists int i; 0 <= i && i < arcs.size(); arcs.get(i).leads(from, to));
    //@ ensures \result ==> isNode(from) && isNode(to);
    public /*@ pure @*/ boolean isArc(N from, N to) {
        for (Arc<N> arc : arcs) {
            if (arc.leads(from, to)) {
                return true;
            }
        }
        return false;
    }

    //@ requires !isNode(node);
    //@ assignable nodes.*;
    //@ ensures isNode(node) && order == \old(order) + 1;
    //@ ensures arcCount() == \old(arcCount());
    public void addNode(N node) {
        nodes.add(node);
    }

    /** Takes a node out, and every arc from or to it. */
    //@ requires isNode(node);
    //@ assignable nodes.*, arcs.*;
    //@ ensures !isNode(node) && order == \old(order) - 1;
    //@ ensures arcCount() <= \old(arcCount());
    public void removeNode(N node) {
        arcs.removeIf(arc -> arc.source().isSameNode(node) || arc.target().isSameNode(node));
        nodes.removeIf(one -> one.isSameNode(node));
    }

    //@ requires isNode(from) && isNode(to) && !isArc(from, to);
    //@ assignable arcs.*;
    //@ ensures isArc(from, to) && arcCount() == \old(arcCount()) + 1;
    //@ ensures order == \old(order);
    public void addArc(N from, N to) {
        arcs.add(new Arc<>(kept(from), kept(to)));
    }

    //@ requires isArc(from, to);
    //@ assignable arcs.*;
    //@ ensures !isArc(from, to) && arcCount() == \old(arcCount()) - 1;
    //@ ensures order == \old(order);
    public void removeArc(N from, N to) {
        arcs.removeIf(arc -> arc.leads(from, to));
    }

    /** The node of this graph that is the same as the given one. */
    //@ requires isNode(node);
    //@ ensures \result.isSameNode(node) && nodes.contains(\result);
    protected /*@ pure helper @*/ N kept(N node) {
        for (N one : nodes) {
            if (one.isSameNode(node)) {
                return one;
            }
        }
        throw new IllegalArgumentException("not a node of this graph: " + node.key());
    }
}
