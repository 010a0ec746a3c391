package testhound.contracts;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The file that the system property {@code testhound.contracts.report} names: a line for each thing
 * that happened, with how often, so that it is known whatever becomes of what is thrown, and of the
 * process.
 *
 * <p>A line has, set apart by tabs, a count of nineteen digits, what happened, the clause, how, the
 * parts and the stack; the items of these two are set apart by a unit separator. What happens again
 * at the same place is counted in its line, so that the file stays small.
 */
final class Report {
    private static final String FILE = System.getProperty("testhound.contracts.report");
    /** Lines; what differs from all of them is not noted any more. */
    private static final int MOST = 10_000;
    /** Frames by which places are told apart. */
    private static final int FRAMES = 4;
    /** Frames of a stack that are noted. */
    private static final int DEEPEST = 200;

    /** Of each line: where it begins, and its count. */
    private static final Map<String, long[]> LINES = new HashMap<>();

    private Report() {}

    static boolean isKept() {
        return FILE != null;
    }

    static void note(
            String what, int clause, int how, List<String> parts, StackTraceElement[] stack) {
        if (FILE == null) {
            return;
        }
        StringBuilder key = new StringBuilder(what).append('\t').append(clause).append('\t');
        key.append(how);
        for (int i = 0; i < stack.length && i < FRAMES; i++) {
            key.append('\t').append(stack[i]);
        }
        synchronized (LINES) {
            try (RandomAccessFile file = new RandomAccessFile(FILE, "rw")) {
                long[] line = LINES.get(key.toString());
                if (line != null) {
                    line[1]++;
                    file.seek(line[0]);
                    file.write(bytes(String.format("%019d", line[1])));
                } else if (LINES.size() < MOST) {
                    line = new long[] {file.length(), 1};
                    LINES.put(key.toString(), line);
                    file.seek(line[0]);
                    file.write(bytes(line(what, clause, how, parts, stack)));
                }
            } catch (IOException e) {
                // Nobody can be told here; the violation itself is thrown all the same.
                return;
            }
        }
    }

    private static String line(
            String what, int clause, int how, List<String> parts, StackTraceElement[] stack) {
        StringBuilder line = new StringBuilder(String.format("%019d", 1));
        line.append('\t').append(what).append('\t').append(clause).append('\t').append(how);
        line.append('\t');
        for (int i = 0; i < parts.size(); i++) {
            line.append(i == 0 ? "" : "\u001f").append(plain(parts.get(i)));
        }
        line.append('\t');
        for (int i = 0; i < stack.length && i < DEEPEST; i++) {
            line.append(i == 0 ? "" : "\u001f").append(plain(stack[i].toString()));
        }
        return line.append('\n').toString();
    }

    /** Without what sets items and lines apart. */
    private static String plain(String text) {
        return text.replaceAll("[\\p{Cntrl}\u2028\u2029]", " ");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
