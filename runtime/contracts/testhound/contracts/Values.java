package testhound.contracts;

import java.util.Arrays;

/** Values of the parts of a clause, as people read them. */
final class Values {
    /** Longer texts are cut. */
    private static final int MOST = 200;

    private Values() {}

    static String show(Object value) {
        String text;
        if (value instanceof String) {
            text = "\"" + escaped((String) value) + "\"";
        } else if (value instanceof Character) {
            text = "'" + escaped(value.toString()) + "'";
        } else if (value instanceof Object[]) {
            text = Arrays.toString((Object[]) value);
        } else if (value != null && value.getClass().isArray()) {
            String nested = Arrays.deepToString(new Object[] {value});
            text = nested.substring(1, nested.length() - 1);
        } else {
            text = escaped(String.valueOf(value));
        }
        return text.length() <= MOST ? text : text.substring(0, MOST) + "…";
    }

    /** Without line ends and tabs. */
    static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
                .replace("\t", "\\t");
    }
}
