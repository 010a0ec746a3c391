public class EndlessRecursion {
    // Deep enough to need the budget, too shallow to overflow the stack.
    public static void main(String[] arguments) {
        visit(40);
    }

    static void visit(int depth) {
        if (depth > 0) {
            visit(depth - 1);
            visit(depth - 1);
        }
    }
}
