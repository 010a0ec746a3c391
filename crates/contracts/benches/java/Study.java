import jet.*;

/**
 * Times calls of the classes of the study, and prints nanoseconds for each call: the best of twelve rounds of
 * each class. What is measured is the same with checks and without: they are compiled into the classes, or not.
 */
public final class Study {
    private static final int SIZE = 8;

    /** What is read of results. */
    public static long sink;

    private Study() {}

    /** Makes some calls and says how many. */
    private interface Calls {
        int make();
    }

    public static void main(String[] arguments) {
        Calls[] subjects = {Study::stack, Study::digraph, Study::node, Study::proof, Study::account};
        StringBuilder line = new StringBuilder();
        for (Calls subject : subjects) {
            double best = Double.MAX_VALUE;
            for (int round = 0; round < 12; round++) {
                long start = now();
                long calls = 0;
                while (now() - start < 60_000_000L) {
                    for (int i = 0; i < 100; i++) {
                        calls += subject.make();
                    }
                }
                best = Math.min(best, (now() - start) / (double) calls);
            }
            line.append(String.format(java.util.Locale.ROOT, "%.2f ", best));
        }
        System.out.println(line);
    }

    /** The processor time of this thread: what else the machine does is not measured. */
    private static long now() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static int stack() {
        BoundedStackImplementation stack = new BoundedStackImplementation(SIZE);
        for (int i = 0; i < SIZE; i++) {
            stack.push("element");
        }
        sink += stack.top() == "element" ? 1 : 0;
        sink += stack.holds("other") ? 1 : 0;
        for (int i = 0; i < SIZE; i++) {
            stack.pop();
        }
        return 2 * SIZE + 3;
    }

    private static int digraph() {
        SearchableDigraph graph = new SearchableDigraph();
        SearchableNode[] nodes = new SearchableNode[SIZE / 2];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = new SearchableNode(i);
            graph.addNode(nodes[i]);
        }
        for (int i = 1; i < nodes.length; i++) {
            graph.addArc(nodes[i - 1], nodes[i]);
        }
        sink += graph.isReachable(nodes[0], nodes[2]) ? 1 : 0;
        graph.removeArc(nodes[0], nodes[1]);
        graph.removeNode(nodes[3]);
        return 3 * nodes.length + 3;
    }

    private static int node() {
        SearchableNode node = new SearchableNode(3);
        SearchableNode other = new SearchableNode(4);
        node.setDistance(5);
        node.setVisited(true);
        node.setPredecessor(other);
        node.reset();
        sink += node.isSameNode(other) ? 1 : 0;
        return 7;
    }

    private static int proof() {
        Proof proof = new Proof(new int[] {1, 2, 3, 4, 5, 6, 7, 8});
        sink += proof.first(5) + proof.last(2) + proof.sorted(7) + proof.largest();
        return 5;
    }

    private static int account() {
        Account account = new Account(10);
        Account other = new Account(account);
        account.deposit(7);
        account.withdraw(3);
        account.transfer(2, other);
        sink += account.balance() + other.balance();
        return 7;
    }
}
