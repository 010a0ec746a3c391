/** Asks for exits, with boot classes whose {@code exited} refuses all but status 99. */
public class Exit {
    public static void main(String[] args) {
        try {
            Testhound.exit(3);
        } catch (TesthoundExit exit) {
            System.out.println(exit + ", status " + exit.status + ", exits " + Testhound.exits);
        }
        Testhound.exit(99);
        System.out.println("let through, exits " + Testhound.exits);
    }
}
