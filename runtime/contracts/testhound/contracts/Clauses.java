package testhound.contracts;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The table of clauses that the weaver wrote: a line each, with number, kind, file, line, owner,
 * member and text, set apart by tabs.
 */
final class Clauses {
    /** Where the table is found, beside the classes. */
    static final String RESOURCE = "testhound/contracts/clauses.tsv";

    record Clause(String kind, String file, int line, String owner, String member, String text) {
        String place() {
            return file + ":" + line;
        }
    }

    private static final Clause UNKNOWN = new Clause("clause", "?", 0, "?", "?", "?");

    private static Map<Integer, Clause> all;

    private Clauses() {}

    static synchronized Clause get(int id) {
        if (all == null) {
            all = read();
        }
        return all.getOrDefault(id, UNKNOWN);
    }

    private static Map<Integer, Clause> read() {
        Map<Integer, Clause> found = new HashMap<>();
        InputStream stream = Clauses.class.getClassLoader().getResourceAsStream(RESOURCE);
        if (stream == null) {
            return found;
        }
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] parts = line.split("\t", 7);
                if (parts.length == 7) {
                    found.put(
                            Integer.valueOf(parts[0]),
                            new Clause(
                                    parts[1],
                                    parts[2],
                                    Integer.parseInt(parts[3]),
                                    parts[4],
                                    parts[5],
                                    parts[6]));
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Then messages say less.
            return found;
        }
        return found;
    }
}
