public class EndlessDo {
    public static void main(String[] arguments) {
        int n = 1;
        do {
            n = n * 31 + 1;
        } while ((n | 1) != 0);
    }
}
