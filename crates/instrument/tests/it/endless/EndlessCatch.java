public class EndlessCatch {
    static int seen;

    public static void main(String[] arguments) {
        while (true) {
            try {
                seen += Integer.parseInt("x");
            } catch (NumberFormatException expected) {
                seen++;
            } finally {
                seen--;
            }
        }
    }
}
