/** Each comparison by order is passed with equal sides, or never is, as its line says. */
public final class Boundaries {
    static int passed;

    static void is(boolean holds) {
        passed += holds ? 1 : 0;
    }

    static void compare(int left, int right) {
        is(left < right); // equal
        is(left > right + 1); // never
    }

    static void compare(long left, double right) {
        is(left <= 5L); // equal
        is(left >= 6L); // never
        is(right > 2.5); // equal
        is(right < 2.25); // never
        is((float) right >= 2.5f); // equal
    }

    static void zero(int value) {
        is(value > 0); // equal
        is(value + 1 < 0); // never
    }

    static void loop() {
        for (int i = 0; i < 3; i++) { // equal
            passed++;
        }
    }

    static void notByOrder(int value, Object object, boolean truth) {
        is(value == 3);
        is(value != 0);
        is(object == null);
        is(truth);
        switch (value) {
            case 3 -> passed++;
            default -> passed--;
        }
    }

    public static void main(String[] arguments) {
        compare(4, 4);
        compare(3, 4);
        compare(5L, 2.5);
        compare(7L, Double.NaN);
        zero(0);
        zero(1);
        loop();
        notByOrder(3, null, true);
        System.out.println(passed);
    }
}
