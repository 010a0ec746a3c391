import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import testhound.runtime.Compiler;
import testhound.runtime.Settings;
import testhound.runtime.TestRunner;

/**
 * Times a test class of 20 tests, compiled and run again and again in one JVM. The time of the
 * processor, of all threads, is what to look at on a busy machine.
 */
public class Timings {
    private static final int ROUNDS = 150;
    private static final int WARM = 100;
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    public static void main(String[] args) throws Exception {
        String junit = args[0];
        String output = args[1];
        String version = System.getProperty("java.version");
        String[] names = {"org/example/TwentyTest.java"};
        String[] sources = {source()};
        for (String release : new String[] {null, "11"}) {
            report(version, "compile" + (release == null ? "" : " --release " + release), () -> {
                String[] errors = Compiler.compile(names, sources, junit, output, release);
                if (errors.length > 0) {
                    throw new IllegalStateException(String.join("\n", errors));
                }
            });
        }
        String classPath = junit + File.pathSeparator + output;
        String[] classes = {"org.example.TwentyTest"};
        report(version, "run", () -> {
            for (String line : TestRunner.run(classPath, classes, 0, 10_000)) {
                if (!line.contains("\tPASS\t")) {
                    throw new IllegalStateException(line);
                }
            }
        });
        report(version, "run, then garbage", () -> {
            int tests = TestRunner.open(classPath, classes, 0, 1).length;
            for (int i = 0; i < tests; i++) {
                TestRunner.runOne(i, 10_000);
            }
            TestRunner.afterwards();
            TestRunner.close();
        });
        Settings.snapshot();
        report(version, "1000 x Settings.changed", () -> {
            for (int i = 0; i < 1000; i++) {
                Settings.changed();
            }
        });
        report(version, "1000 x Settings.newThreads", () -> {
            for (int i = 0; i < 1000; i++) {
                Settings.newThreads();
            }
        });
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void report(String version, String name, Action action) throws Exception {
        double[] millis = new double[ROUNDS];
        long cpu = 0;
        for (int i = 0; i < ROUNDS; i++) {
            if (i == WARM) {
                cpu = PROCESS.getProcessCpuTime();
            }
            long start = System.nanoTime();
            action.run();
            millis[i] = (System.nanoTime() - start) / 1e6;
        }
        double warmCpu = (PROCESS.getProcessCpuTime() - cpu) / 1e6 / (ROUNDS - WARM);
        double first = millis[0];
        double[] warm = Arrays.copyOfRange(millis, WARM, ROUNDS);
        Arrays.sort(warm);
        System.out.printf(
                "JDK %s, %s: first %.1f ms, warm median %.1f ms (%.1f to %.1f), CPU %.1f ms%n",
                version, name, first, warm[warm.length / 2], warm[0], warm[warm.length - 1],
                warmCpu);
    }

    private static String source() {
        StringBuilder text = new StringBuilder("""
                package org.example;

                import static org.junit.jupiter.api.Assertions.*;

                import java.util.*;
                import org.junit.jupiter.api.Test;

                class TwentyTest {
                """);
        for (int i = 0; i < 20; i++) {
            text.append("""
                        @Test
                        void test%1$d() {
                            List<Integer> list = new ArrayList<>();
                            list.add(%1$d);
                            assertEquals(1, list.size());
                            assertEquals(%1$d, list.get(0));
                            assertEquals("[%1$d]", list.toString());
                            assertThrows(IndexOutOfBoundsException.class, () -> list.get(7));
                        }
                    """.formatted(i));
        }
        return text.append("}\n").toString();
    }
}
