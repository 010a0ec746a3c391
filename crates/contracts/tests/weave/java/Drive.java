import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import testhound.contracts.Checks;
import testhound.contracts.Violation;

/** Calls static methods, given as {@code Class.method}, and prints how each ended. */
public final class Drive {
    private Drive() {}

    public static void main(String[] calls) throws Exception {
        for (String call : calls) {
            int dot = call.lastIndexOf('.');
            Class<?> type = Class.forName(call.substring(0, dot));
            Method method = type.getDeclaredMethod(call.substring(dot + 1));
            method.setAccessible(true);
            Checks.reset();
            String end;
            try {
                Object result = method.invoke(null);
                end = result == null ? "ok" : "ok " + result;
            } catch (InvocationTargetException e) {
                end = e.getCause() instanceof Violation ? "violation" : "threw " + e.getCause();
                if (Checks.telling && e.getCause() instanceof Violation) {
                    end += " " + e.getCause().getMessage();
                    end += "\n" + e.getCause().getStackTrace()[0];
                }
            }
            String state = Checks.last + " " + Checks.lastHow + " " + Checks.lastUndefined
                    + " " + Checks.undefinedPreconditions;
            System.out.println(call + "\t" + state + "\t" + end.replace("\n", "\\n"));
        }
    }
}
