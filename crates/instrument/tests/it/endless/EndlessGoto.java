public class EndlessGoto {
    public static void main(String[] arguments) {
        while (true) {}
    }
}
