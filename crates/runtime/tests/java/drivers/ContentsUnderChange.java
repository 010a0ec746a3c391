import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Puts containers back while another thread adds to them and takes away again; says when it is done. */
public class ContentsUnderChange {
    public static void main(String[] args) throws Exception {
        Collection<Object> queue = new ConcurrentLinkedQueue<>();
        Map<Object, Object> map = new ConcurrentHashMap<>();
        for (int i = 0; i < 60; i++) {
            queue.add(i);
            map.put(i, i);
        }
        Class<?> contents = Class.forName("testhound.runtime.Contents");
        Method of = contents.getDeclaredMethod("of", Object.class);
        Method putBack = contents.getDeclaredMethod("putBack");
        of.setAccessible(true);
        putBack.setAccessible(true);
        List<Object> taken = List.of(of.invoke(null, queue), of.invoke(null, map));
        Thread busy = new Thread(() -> {
            while (true) {
                queue.add("guest");
                map.put("guest", "guest");
                queue.remove("guest");
                map.remove("guest");
            }
        });
        busy.setDaemon(true);
        busy.start();
        for (int i = 0; i < 20_000; i++) {
            for (Object one : taken) {
                putBack.invoke(one);
            }
        }
        System.out.println("done");
    }
}
