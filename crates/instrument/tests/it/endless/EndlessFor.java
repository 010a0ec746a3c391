public class EndlessFor {
    public static void main(String[] arguments) {
        long sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += i;
            if (i == 9) {
                i = 0;
            }
        }
    }
}
