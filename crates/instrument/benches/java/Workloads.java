import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** What libraries do all day: sorting, parsing, hashing, building strings, walking structures. */
public class Workloads {
    public static Map<String, IntSupplier> all() {
        Map<String, IntSupplier> all = new java.util.TreeMap<>();
        all.put("sort", Workloads::sort);
        all.put("parse", Workloads::parse);
        all.put("hash", Workloads::hash);
        all.put("strings", Workloads::strings);
        all.put("tree", Workloads::tree);
        all.put("words", Workloads::words);
        all.put("edit-distance", Workloads::editDistance);
        return all;
    }

    static int sort() {
        int[] values = new int[4000];
        int seed = 12345;
        for (int i = 0; i < values.length; i++) {
            seed = seed * 1103515245 + 12345;
            values[i] = seed >>> 8;
        }
        quicksort(values, 0, values.length - 1);
        return values[values.length / 2];
    }

    static void quicksort(int[] values, int low, int high) {
        while (low < high) {
            int pivot = values[(low + high) >>> 1];
            int i = low;
            int j = high;
            while (i <= j) {
                while (values[i] < pivot) {
                    i++;
                }
                while (values[j] > pivot) {
                    j--;
                }
                if (i <= j) {
                    int swap = values[i];
                    values[i++] = values[j];
                    values[j--] = swap;
                }
            }
            if (j - low < high - i) {
                quicksort(values, low, j);
                low = i;
            } else {
                quicksort(values, i, high);
                high = j;
            }
        }
    }

    static final String TEXT = "(12 + 34) * (5 - 2) / 7 + ((9 * 8) - 70) * (3 + 4 * (1 + 1))";

    static int parse() {
        int sum = 0;
        for (int i = 0; i < 200; i++) {
            sum += new Parser(TEXT).expression();
        }
        return sum;
    }

    static class Parser {
        final String text;
        int at;

        Parser(String text) {
            this.text = text;
        }

        char peek() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return at < text.length() ? text.charAt(at) : 0;
        }

        int expression() {
            int value = term();
            for (; ; ) {
                switch (peek()) {
                    case '+':
                        at++;
                        value += term();
                        break;
                    case '-':
                        at++;
                        value -= term();
                        break;
                    default:
                        return value;
                }
            }
        }

        int term() {
            int value = factor();
            for (; ; ) {
                char next = peek();
                if (next == '*') {
                    at++;
                    value *= factor();
                } else if (next == '/') {
                    at++;
                    value /= factor();
                } else {
                    return value;
                }
            }
        }

        int factor() {
            if (peek() == '(') {
                at++;
                int value = expression();
                if (peek() != ')') {
                    throw new IllegalStateException("expected )");
                }
                at++;
                return value;
            }
            int value = 0;
            while (at < text.length() && Character.isDigit(text.charAt(at))) {
                value = value * 10 + (text.charAt(at++) - '0');
            }
            return value;
        }
    }

    static int hash() {
        int h = 0x811c9dc5;
        for (int round = 0; round < 50; round++) {
            for (int i = 0; i < TEXT.length(); i++) {
                char c = TEXT.charAt(i);
                if (c < 0x80) {
                    h = (h ^ c) * 16777619;
                } else {
                    h = (h ^ (c >>> 8)) * 16777619;
                    h = (h ^ (c & 0xFF)) * 16777619;
                }
            }
            h ^= h >>> 15;
        }
        return h;
    }

    static int strings() {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            if (out.length() > 0) {
                out.append(", ");
            }
            out.append(escape(i % 3 == 0 ? "a\"b" : "plain" + i));
        }
        return out.toString().hashCode();
    }

    static String escape(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"':
                    out.append("\\\"");
                    break;
                case '\n':
                    out.append("\\n");
                    break;
                default:
                    out.append(c);
            }
        }
        return out.append('"').toString();
    }

    static class Node {
        final int key;
        Node left;
        Node right;

        Node(int key) {
            this.key = key;
        }

        boolean add(int other) {
            if (other == key) {
                return false;
            }
            if (other < key) {
                if (left == null) {
                    left = new Node(other);
                    return true;
                }
                return left.add(other);
            }
            if (right == null) {
                right = new Node(other);
                return true;
            }
            return right.add(other);
        }

        int depth() {
            int l = left == null ? 0 : left.depth();
            int r = right == null ? 0 : right.depth();
            return 1 + Math.max(l, r);
        }
    }

    static int tree() {
        Node root = new Node(1 << 15);
        int seed = 99;
        for (int i = 0; i < 1000; i++) {
            seed = seed * 1103515245 + 12345;
            root.add(seed >>> 16);
        }
        return root.depth();
    }

    static int words() {
        Map<String, Integer> counts = new HashMap<>();
        List<String> order = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            int start = -1;
            for (int i = 0; i <= TEXT.length(); i++) {
                boolean inside = i < TEXT.length() && TEXT.charAt(i) != ' ';
                if (inside && start < 0) {
                    start = i;
                } else if (!inside && start >= 0) {
                    String word = TEXT.substring(start, i);
                    if (counts.merge(word, 1, Integer::sum) == 1) {
                        order.add(word);
                    }
                    start = -1;
                }
            }
        }
        return counts.size() + order.size();
    }

    static int editDistance() {
        String a = TEXT;
        String b = "(21 + 43) * (5 - 1) / 8 + ((9 * 7) - 60) * (2 + 4 * (2 + 1))";
        int[] previous = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int cost = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int best = previous[j - 1] + cost;
                if (previous[j] + 1 < best) {
                    best = previous[j] + 1;
                }
                if (current[j - 1] + 1 < best) {
                    best = current[j - 1] + 1;
                }
                current[j] = best;
            }
            int[] swap = previous;
            previous = current;
            current = swap;
        }
        return previous[b.length()];
    }
}
