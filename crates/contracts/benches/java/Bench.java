import testhound.contracts.Checks;
import testhound.contracts.Violation;

/**
 * Times calls of both twins in turns, in one JVM, and prints nanoseconds for each call.
 *
 * <p>Objects and arguments come from arrays, and what calls answer goes to a field, so that the compiler
 * leaves no call out and knows no value beforehand.
 */
public final class Bench {
    private static final int CALLS = 2_000_000;
    private static final int SUBJECTS = 64;
    private static final int[] AMOUNTS = new int[1024];

    /** What is read of results. */
    public static long sink;

    private Bench() {}

    public static void main(String[] arguments) {
        java.util.Random random = new java.util.Random(1);
        for (int i = 0; i < AMOUNTS.length; i++) {
            AMOUNTS[i] = 1 + random.nextInt(100);
        }
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

    /** The processor time of this thread: what else the machine does is not measured. */
    private static long now() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static double checked() {
        Checked[] subjects = new Checked[SUBJECTS];
        java.util.Arrays.setAll(subjects, i -> new Checked());
        long sum = 0;
        long start = now();
        for (int i = 0; i < CALLS; i += 5) {
            Checked subject = subjects[i % SUBJECTS];
            int amount = AMOUNTS[i % AMOUNTS.length];
            subject.push(amount);
            subject.deposit(amount + 1);
            subject.withdraw(amount + subject.size());
            sum += subject.pop();
        }
        double time = (now() - start) / (double) CALLS;
        sink += sum;
        return time;
    }

    private static double written() {
        Written[] subjects = new Written[SUBJECTS];
        java.util.Arrays.setAll(subjects, i -> new Written());
        long sum = 0;
        long start = now();
        for (int i = 0; i < CALLS; i += 5) {
            Written subject = subjects[i % SUBJECTS];
            int amount = AMOUNTS[i % AMOUNTS.length];
            subject.push(amount);
            subject.deposit(amount + 1);
            subject.withdraw(amount + subject.size());
            sum += subject.pop();
        }
        double time = (now() - start) / (double) CALLS;
        sink += sum;
        return time;
    }

    private static double infeasible() {
        Checked[] subjects = new Checked[SUBJECTS];
        java.util.Arrays.setAll(subjects, i -> new Checked());
        int refused = 0;
        long start = now();
        for (int i = 0; i < CALLS; i++) {
            try {
                subjects[i % SUBJECTS].withdraw(AMOUNTS[i % AMOUNTS.length]);
            } catch (Violation e) {
                refused++;
            }
        }
        double time = (now() - start) / (double) CALLS;
        if (refused != CALLS || Checks.violations < CALLS) {
            throw new AssertionError(refused);
        }
        Checks.reset();
        return time;
    }

    private static double infeasibleByHand() {
        Written[] subjects = new Written[SUBJECTS];
        java.util.Arrays.setAll(subjects, i -> new Written());
        int refused = 0;
        long start = now();
        for (int i = 0; i < CALLS; i++) {
            try {
                subjects[i % SUBJECTS].withdraw(AMOUNTS[i % AMOUNTS.length]);
            } catch (Written.Broken e) {
                refused++;
            }
        }
        double time = (now() - start) / (double) CALLS;
        if (refused != CALLS) {
            throw new AssertionError(refused);
        }
        return time;
    }
}
