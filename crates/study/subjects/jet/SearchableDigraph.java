package jet;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedList;
import java.util.List;

/** A directed graph that is searched; a search leaves its notes on the nodes. */
public class SearchableDigraph extends TraversableDigraph<SearchableNode> {
    /** Visits what can be reached, nearest first, and notes how far it is and by way of what. */
    /*@ public normal_behavior
      @   requires isNode(start);
      @   ensures (\forall SearchableNode node; nodes.contains(node);
      @               node.isVisited() <==> isReachable(start, node));
      @   ensures (\forall SearchableNode node; nodes.contains(node);
      @               node.distance() == 0 <==> node.isSameNode(start));
      @   ensures (\forall SearchableNode node; nodes.contains(node) && node.predecessor() != null;
      @               isArc(node.predecessor(), node)
      @               && node.distance() == node.predecessor().distance() + 1);
      @   ensures (\forall Arc<SearchableNode> arc; arcs.contains(arc) && arc.source().isVisited();
      @               arc.target().distance() <= arc.source().distance() + 1);
      @   ensures nodeCount() == \old(nodeCount()) && arcCount() == \old(arcCount());
      @*/
    public void breadthFirst(SearchableNode start) {
        forget();
        Deque<SearchableNode> waiting = new ArrayDeque<>();
        SearchableNode first = kept(start);
        first.setVisited(true);
        first.setDistance(0);
        waiting.add(first);
        while (!waiting.isEmpty()) {
            SearchableNode node = waiting.remove();
            for (SearchableNode next : successors(node)) {
                if (!next.isVisited()) {
                    next.setVisited(true);
                    next.setDistance(node.distance() + 1);
                    next.setPredecessor(node);
                    waiting.add(next);
                }
            }
        }
    }

    /** Visits what can be reached, going on from the node found last; says how many nodes that is. */
    /*@ public normal_behavior
      @   requires isNode(start);
      @   ensures \result == (\num_of SearchableNode node; nodes.contains(node); node.isVisited());
      @   ensures (\forall SearchableNode node; nodes.contains(node);
      @               node.isVisited() <==> isReachable(start, node));
      @   ensures (\forall SearchableNode node; nodes.contains(node) && node.predecessor() != null;
      @               node.isVisited() && isArc(node.predecessor(), node));
      @   ensures nodeCount() == \old(nodeCount()) && arcCount() == \old(arcCount());
      @*/
    public int depthFirst(SearchableNode start) {
        forget();
        Deque<SearchableNode> open = new ArrayDeque<>();
        open.push(kept(start));
        int count = 0;
        while (!open.isEmpty()) {
            SearchableNode node = open.pop();
            if (!node.isVisited()) {
                node.setVisited(true);
                count++;
                for (SearchableNode next : successors(node)) {
                    if (!next.isVisited() && next != node) {
                        next.setPredecessor(node);
                        open.push(next);
                    }
                }
            }
        }
        return count;
    }

    /** A shortest way from the one node to the other, both included; empty if there is none. */
    /*@ public normal_behavior
      @   requires isNode(from) && isNode(to);
      @   ensures \fresh(\result);
      @   ensures \result.isEmpty() <==> !isReachable(from, to);
      @   ensures !\result.isEmpty() ==> \result.get(0).isSameNode(from)
      @               && \result.get(\result.size() - 1).isSameNode(to);
      @   ensures (\forall int i; 0 < i && i < \result.size(); isArc(\result.get(i - 1), \result.get(i)));
      @   ensures (\forall int i; 0 <= i && i < \result.size(); \result.get(i).distance() == i);
      @*/
    public List<SearchableNode> shortestPath(SearchableNode from, SearchableNode to) {
        breadthFirst(from);
        LinkedList<SearchableNode> path = new LinkedList<>();
        SearchableNode last = kept(to);
        if (last.isVisited()) {
            for (SearchableNode node = last; node != null; node = node.predecessor()) {
                path.addFirst(node);
            }
        }
        return path;
    }

    private /*@ helper @*/ void forget() {
        for (SearchableNode node : nodes) {
            node.reset();
        }
    }
}
