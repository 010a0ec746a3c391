import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Each dropped answer is as its line says. */
public final class Dropping {
    static boolean answer(boolean answer) {
        return answer;
    }

    static Object object() {
        return null;
    }

    public static void main(String[] arguments) {
        Set<String> set = new HashSet<>();
        Map<String, String> map = new HashMap<>();
        set.add("a"); // some
        set.add("a"); // none
        map.put("a", "b"); // none
        map.put("a", "c"); // some
        for (int i = 0; i < 2; i++) {
            set.add("b"); // none some
        }
        answer(false); // none
        object();
        boolean used = set.add("c");
        System.out.println(set.size() + map.size() + (used ? 1 : 0));
    }
}
