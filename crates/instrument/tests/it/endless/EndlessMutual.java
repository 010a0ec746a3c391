public class EndlessMutual {
    interface Node {
        Node next(Node other);
    }

    public static void main(String[] arguments) {
        Node a = other -> other;
        Node b = other -> other;
        for (; ; ) {
            Node c = a.next(b);
            b = b.next(a);
            a = c;
        }
    }
}
