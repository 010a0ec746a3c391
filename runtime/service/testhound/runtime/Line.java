package testhound.runtime;

/**
 * Text made fit to be one field of one line of an answer.
 *
 * <p>Invariant: the result has no control characters and no lone surrogates, so it passes through
 * JNI's strings and any encoding unharmed, and is never longer than a few times {@link #LIMIT}.
 */
final class Line {
    /** Messages of exceptions can be megabytes long; more than this helps no one. */
    private static final int LIMIT = 2000;

    private Line() {}

    /** Backslash escapes as in Java for whatever would end the field; cut with an ellipsis. */
    static String escape(String text) {
        if (text == null) {
            return "";
        }
        StringBuilder line = new StringBuilder();
        int end = Math.min(text.length(), LIMIT);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                line.append(c).append(text.charAt(++i));
            } else {
                append(line, c);
            }
        }
        return text.length() > LIMIT ? line.append('…').toString() : line.toString();
    }

    private static void append(StringBuilder line, char c) {
        switch (c) {
            case '\\' -> line.append("\\\\");
            case '\t' -> line.append("\\t");
            case '\n' -> line.append("\\n");
            case '\r' -> line.append("\\r");
            default -> {
                if (Character.isISOControl(c) || Character.isSurrogate(c)) {
                    line.append("\\u");
                    for (int shift = 12; shift >= 0; shift -= 4) {
                        line.append(Character.forDigit(c >> shift & 0xF, 16));
                    }
                } else {
                    line.append(c);
                }
            }
        }
    }
}
