import testhound.contracts.Checks;
import testhound.contracts.Violation;

/** Times calls of both twins in turns, in one JVM, and prints nanoseconds for each call. */
public final class Bench {
    private static final int CALLS = 2_000_000;

    private Bench() {}

    public static void main(String[] arguments) {
        double[] best = new double[4];
        java.util.Arrays.fill(best, Double.MAX_VALUE);
        for (int round = 0; round < 12; round++) {
            best[0] = Math.min(best[0], checked());
            best[1] = Math.min(best[1], written());
            best[2] = Math.min(best[2], infeasible());
            best[3] = Math.min(best[3], infeasibleByHand());
        }
        System.out.printf(
                java.util.Locale.ROOT,
                "%.2f %.2f %.2f %.2f%n",
                best[0],
                best[1],
                best[2],
                best[3]);
    }

    private static double checked() {
        Checked subject = new Checked();
        long start = System.nanoTime();
        for (int i = 0; i < CALLS; i += 5) {
            subject.push(i);
            subject.deposit(7);
            subject.withdraw(3 + subject.size());
            subject.pop();
        }
        return (System.nanoTime() - start) / (double) CALLS;
    }

    private static double written() {
        Written subject = new Written();
        long start = System.nanoTime();
        for (int i = 0; i < CALLS; i += 5) {
            subject.push(i);
            subject.deposit(7);
            subject.withdraw(3 + subject.size());
            subject.pop();
        }
        return (System.nanoTime() - start) / (double) CALLS;
    }

    private static double infeasible() {
        Checked subject = new Checked();
        int refused = 0;
        long start = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            try {
                subject.withdraw(i + 1);
            } catch (Violation e) {
                refused++;
            }
        }
        double time = (System.nanoTime() - start) / (double) CALLS;
        if (refused != CALLS || Checks.violations < CALLS) {
            throw new AssertionError(refused);
        }
        Checks.reset();
        return time;
    }

    private static double infeasibleByHand() {
        Written subject = new Written();
        int refused = 0;
        long start = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            try {
                subject.withdraw(i + 1);
            } catch (Written.Broken e) {
                refused++;
            }
        }
        if (refused != CALLS) {
            throw new AssertionError(refused);
        }
        return (System.nanoTime() - start) / (double) CALLS;
    }
}
