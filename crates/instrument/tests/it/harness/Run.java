import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs main classes one after the other, then writes the map: Run MAP_FILE BUDGET CLASS... */
public final class Run {
    public static void main(String[] arguments) throws Throwable {
        Class<?> runtime = Class.forName("java.lang.Testhound");
        Class<?> compare = Class.forName("java.lang.TesthoundCompare");
        java.util.Arrays.fill((byte[]) compare.getField("OPEN").get(null), (byte) 1);
        for (int i = 2; i < arguments.length; i++) {
            System.out.println("== " + arguments[i]);
            Class<?> subject = Class.forName(arguments[i], false, Run.class.getClassLoader());
            runtime.getField("budget").setLong(null, Long.parseLong(arguments[1]));
            try {
                subject.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            } catch (InvocationTargetException thrown) {
                System.out.println("thrown: " + thrown.getCause());
            }
        }
        System.out.println("effects: " + runtime.getField("effects").get(null));
        Files.write(Path.of(arguments[0]), (byte[]) runtime.getField("MAP").get(null));
    }
}
