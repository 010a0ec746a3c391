import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;

/**
 * Times the workloads of several class directories, turn by turn in one JVM: Bench DIRECTORY...
 * Prints workload, directory number, and the least time of a call in nanoseconds.
 */
public final class Bench {
    static final int ROUNDS = 24;
    static final long ROUND_NANOS = 25_000_000;
    static int sink;

    public static void main(String[] directories) throws Exception {
        Map<String, IntSupplier[]> workloads = new TreeMap<>();
        for (int d = 0; d < directories.length; d++) {
            URL[] urls = {Path.of(directories[d]).toUri().toURL()};
            Class<?> loaded = new URLClassLoader(urls).loadClass("Workloads");
            @SuppressWarnings("unchecked")
            Map<String, IntSupplier> all =
                    (Map<String, IntSupplier>) loaded.getMethod("all").invoke(null);
            for (Map.Entry<String, IntSupplier> entry : all.entrySet()) {
                workloads.computeIfAbsent(entry.getKey(), k -> new IntSupplier[directories.length])[d] =
                        entry.getValue();
            }
        }
        for (Map.Entry<String, IntSupplier[]> entry : workloads.entrySet()) {
            double[] least = new double[directories.length];
            for (int round = 0; round < ROUNDS; round++) {
                for (int d = 0; d < least.length; d++) {
                    double nanos = time(entry.getValue()[d]);
                    if (round == 0 || nanos < least[d]) {
                        least[d] = nanos;
                    }
                }
            }
            for (int d = 0; d < least.length; d++) {
                System.out.println(entry.getKey() + " " + d + " " + least[d]);
            }
        }
    }

    static double time(IntSupplier workload) {
        long start = System.nanoTime();
        long end = start;
        int calls = 0;
        while (end - start < ROUND_NANOS) {
            for (int i = 0; i < 20; i++) {
                sink += workload.getAsInt();
            }
            calls += 20;
            end = System.nanoTime();
        }
        return (double) (end - start) / calls;
    }
}
