public class EndlessSwitch {
    public static void main(String[] arguments) {
        int state = 0;
        while (true) {
            switch (state) {
                case 0:
                    state = 5;
                    continue;
                case 5:
                    state = 1000;
                    break;
                default:
                    state = 0;
            }
        }
    }
}
