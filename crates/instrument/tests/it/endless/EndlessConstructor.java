public class EndlessConstructor {
    final EndlessConstructor child;

    EndlessConstructor(int depth) {
        EndlessConstructor last = null;
        for (int i = 0; depth > 0; i++) {
            last = new EndlessConstructor(depth - 1);
        }
        child = last;
    }

    public static void main(String[] arguments) {
        new EndlessConstructor(3);
    }
}
