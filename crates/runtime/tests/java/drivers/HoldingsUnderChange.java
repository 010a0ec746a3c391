import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Asks what a list has lost while another thread adds to it and takes away again, and prints it. */
public class HoldingsUnderChange {
    public static void main(String[] args) throws Exception {
        Class<?> holdings = Class.forName("testhound.runtime.Holdings");
        Method of = holdings.getDeclaredMethod("of", Object.class);
        Method hasLost = holdings.getDeclaredMethod("hasLost", Object.class, Map.class);
        of.setAccessible(true);
        hasLost.setAccessible(true);
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            list.add("element " + i);
        }
        Object held = of.invoke(null, list);
        Thread busy = new Thread(() -> {
            while (true) {
                list.add("guest");
                list.remove(list.size() - 1);
            }
        });
        busy.setDaemon(true);
        busy.start();
        int lost = 0;
        for (int i = 0; i < 200; i++) {
            lost += (boolean) hasLost.invoke(null, list, held) ? 1 : 0;
        }
        System.out.println("lost " + lost);
    }
}
