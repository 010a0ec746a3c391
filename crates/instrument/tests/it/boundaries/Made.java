/** Much of this the compiler makes of nothing in the source. */
public class Made {
    enum Size { SMALL, LARGE }

    static int text(String word) {
        switch (word) {
            case "one":
                return 1;
            case "two":
                return 2;
            default:
                return 0;
        }
    }

    static int size(Size size) {
        return switch (size) {
            case SMALL -> 1;
            case LARGE -> 2;
        };
    }

    static int asserted(int number) {
        assert number >= 0 : "negative";
        return number;
    }

    static int closed(AutoCloseable resource) throws Exception {
        try (AutoCloseable closed = resource) {
            return closed == null ? 0 : 1;
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(text("one") + size(Size.SMALL) + asserted(1) + closed(() -> { }));
    }
}
