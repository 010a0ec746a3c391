/** Uses up a step budget, and swallows the error as bad code does. */
public class Budget {
    public static void main(String[] args) {
        System.out.println("map " + Testhound.MAP.length);
        System.out.println("loader " + Testhound.class.getClassLoader() + " in "
                + Testhound.class.getModule());
        System.out.println("unlimited " + steps(1_000_000));

        Testhound.budget = 10;
        System.out.println("limited " + steps(100));
        System.out.println("once more " + steps(100));

        int swallowed = 0;
        for (int i = 0; i < 1_000_000; i++) {
            swallowed += steps(1) == 0 ? 1 : 0;
        }
        System.out.println("swallowed " + swallowed + ", budget " + Testhound.budget);
        System.out.println("stops " + Testhound.stops);

        Testhound.stops = Integer.MAX_VALUE;
        steps(1);
        System.out.println("saturated " + (Testhound.stops == Integer.MAX_VALUE));

        Testhound.budget = 3;
        System.out.println("afresh " + steps(100));
        try {
            Testhound.step();
        } catch (TesthoundStop stop) {
            stop.addSuppressed(new Exception());
            stop.setStackTrace(new Exception().getStackTrace());
            try {
                stop.initCause(new Exception());
            } catch (IllegalStateException refused) {
                System.out.println("no cause");
            }
            System.out.println(stop + " " + stop.getStackTrace().length + " "
                    + stop.getSuppressed().length);
        }
    }

    /** How many steps are taken before the stop. */
    private static int steps(int wanted) {
        int taken = 0;
        try {
            while (taken < wanted) {
                Testhound.step();
                taken++;
            }
        } catch (TesthoundStop stop) {
            return taken;
        }
        return taken;
    }
}
