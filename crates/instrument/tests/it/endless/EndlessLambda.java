public class EndlessLambda {
    public static void main(String[] arguments) {
        java.util.stream.IntStream.iterate(0, n -> n + 1).forEach(n -> Math.abs(consume(n)));
    }

    static int consume(int n) {
        return Integer.reverse(n);
    }
}
